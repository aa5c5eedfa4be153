/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-gtk-init.h"

/*
 * What GTK (4.18) does at its start, and needs not do for us. It can be told by its environment only, which is put back
 * at once: who is started by us is told nothing. Threads that read the environment meanwhile, Pango's and GDBus', are
 * safe from that where the C library is (GNU's since 2.41).
 *
 * Where there is no graphics card, it has Mesa stand in for one: it reads a compiler of 100 MB before the first window,
 * and has it compile what draws. Its own renderer for that case, cairo, draws text and pictures as well, and is what it
 * comes to without Mesa. That is a third of the time of a start, and half of the memory.
 *
 * It also reads a theme, a tenth of the time, which libadwaita then replaces by an empty
 * one. */

#define EMPTY_THEME "Adwaita-empty"

/* Also those whose drivers are not Mesa's, of desktops, phones, and Windows' Linux. */
static const char *const cards[] = { "nvidiactl", "mali", "mali0", "kgsl-3d0", "pvr_sync", "dxg" };

/* A card that can only show what is drawn, as many virtual machines have one, has no such node. */
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

/* What `GSK_RENDERER` and `GDK_DISABLE` say is obeyed. */
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

/* Gets GTK ready for libadwaita, without what would be thrown away. To be called before anything else of GTK's. */
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
  /* They read the theme as they are made. */
  if (ready)
    gtk_settings_get_default ();

  if (no_card)
    g_unsetenv ("GDK_DISABLE");
  if (no_theme)
    g_unsetenv ("GTK_THEME");

  return ready;
}
