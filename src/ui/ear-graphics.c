/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-graphics.h"

/*
 * Where there is no graphics card, GTK (4.18) has Mesa stand in for one: it reads a compiler of 100 MB before the
 * first window, has it compile what draws, and keeps it. Its own renderer for that case, cairo, draws text and
 * pictures as well, and is what it would come to if it did not find Mesa. That makes a start a third shorter, and
 * takes half of the memory.
 */

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

/**
 * ear_graphics_wants_card:
 * @devices: (type filename): the folder of the devices
 *
 * What `GSK_RENDERER` and `GDK_DISABLE` say is obeyed.
 *
 * Returns: whether GTK is to look for a graphics card
 */
gboolean
ear_graphics_wants_card (const char *devices)
{
  const char *renderer = g_getenv ("GSK_RENDERER");

  if (g_getenv ("GDK_DISABLE") != NULL)
    return TRUE;
  if (renderer != NULL && *renderer != '\0')
    return g_ascii_strcasecmp (renderer, "cairo") != 0;

  return has_render_node (devices) || has_other_card (devices);
}

/**
 * ear_graphics_init_gtk:
 *
 * Gets GTK ready, without GL and Vulkan where nothing would be gained by them. Not for a program that already uses
 * GTK.
 *
 * Returns: whether there is a display
 */
gboolean
ear_graphics_init_gtk (void)
{
  gboolean ready;

  if (ear_graphics_wants_card ("/dev"))
    return gtk_init_check ();

  /* GTK has no other way to be told. What is started by us may want GL, and does not inherit this. */
  g_setenv ("GDK_DISABLE", "gl,vulkan", TRUE);
  ready = gtk_init_check ();
  g_unsetenv ("GDK_DISABLE");

  return ready;
}
