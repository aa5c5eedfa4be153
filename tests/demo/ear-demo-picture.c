/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <gdk-pixbuf/gdk-pixbuf.h>

/* Renders an SVG file as a JPEG: ear-demo-picture IN.svg SIZE OUT.jpg */

int
main (int    argc,
      char **argv)
{
  g_autoptr (GdkPixbuf) pixbuf = NULL;
  g_autoptr (GError) error = NULL;
  int size;

  if (argc != 4)
    {
      g_printerr ("usage: ear-demo-picture IN.svg SIZE OUT.jpg\n");
      return 2;
    }

  size = (int) g_ascii_strtoll (argv[2], NULL, 10);
  pixbuf = gdk_pixbuf_new_from_file_at_size (argv[1], size, size, &error);
  if (pixbuf == NULL || !gdk_pixbuf_save (pixbuf, argv[3], "jpeg", &error, "quality", "88", NULL))
    {
      g_printerr ("ear-demo-picture: %s: %s\n", argv[1], error->message);
      return 1;
    }

  return 0;
}
