/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-gtk-init.h"

/*
 * Work at GTK's (4.18) start that Earmark does without. Only the environment can
 * switch it off, so it is set while GTK starts, and put back before anything else is
 * started. GNU's C library (since 2.41) lets threads of Pango and GDBus read the
 * environment meanwhile.
 *
 * Without a graphics card, GTK draws by Mesa: it loads a compiler of 100 MB before the
 * first window and compiles shaders. Its cairo renderer draws text and pictures as well;
 * using it at once saves a third of the time of a start, and half of the memory.
 *
 * GTK also reads a theme, a tenth of the time, which libadwaita then replaces
 * by an empty one.
 */

#define EMPTY_THEME "Adwaita-empty"

/* Devices of drivers other than Mesa's, on desktops, phones and Windows */
static const char *const cards[] = { "nvidiactl", "mali", "mali0", "kgsl-3d0", "pvr_sync", "dxg" };

/* Cards of many virtual machines can only show pictures, and have no render node. */
static gboolean
has_render_node (const char *devices)
{
  g_autofree char *path = g_build_filename (devices, "dri", NULL);
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    if (g_str_has_prefix (name, "renderD"))
      return TRUE;

  return FALSE;
}

static gboolean
has_other_card (const char *devices)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cards); i++)
    {
      g_autofree char *path = g_build_filename (devices, cards[i], NULL);

      if (g_file_test (path, G_FILE_TEST_EXISTS))
        return TRUE;
    }

  return FALSE;
}

/* Returns: whether GTK should use a graphics card. GSK_RENDERER and GDK_DISABLE decide
 * if they are set. */
gboolean
ear_gtk_init_wants_card (const char *devices)
{
  const char *renderer = g_getenv ("GSK_RENDERER");

  if (g_getenv ("GDK_DISABLE") != NULL)
    return TRUE;
  if (renderer != NULL && *renderer != '\0')
    return g_ascii_strcasecmp (renderer, "cairo") != 0;

  return has_render_node (devices) || has_other_card (devices);
}

/* Initializes GTK; to be called before anything else of GTK.
 * Returns: whether there is a display */
gboolean
ear_gtk_init (void)
{
  const gboolean no_card = !ear_gtk_init_wants_card ("/dev");
  const gboolean no_theme = g_getenv ("GTK_THEME") == NULL;
  gboolean ready;

  if (no_card)
    g_setenv ("GDK_DISABLE", "gl,vulkan", TRUE);
  if (no_theme)
    g_setenv ("GTK_THEME", EMPTY_THEME, TRUE);

  ready = gtk_init_check ();
  /* The settings read the theme when they are created. */
  if (ready)
    gtk_settings_get_default ();

  if (no_card)
    g_unsetenv ("GDK_DISABLE");
  if (no_theme)
    g_unsetenv ("GTK_THEME");

  return ready;
}
