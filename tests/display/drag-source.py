#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""drag-source.py TYPE TEXT: a small window from which TEXT can be dragged as the MIME type TYPE, as browsers and
file managers offer links and files; `string` is what GTK's own programs offer. Says on standard output when it is there,
when the drag begins, when something below it would take it, and when it ends."""

import sys

import gi

gi.require_version("Gdk", "4.0")
gi.require_version("Gtk", "4.0")
from gi.repository import Gdk, GLib, GObject, Gtk  # noqa: E402


def begun_cb(_source, drag):
    print("begun", flush=True)
    drag.connect("notify::selected-action", lambda drag, _: drag.get_selected_action() and print("taken", flush=True))


def main():
    kind, text = sys.argv[1:]
    if kind == "string":
        content = Gdk.ContentProvider.new_for_value(GObject.Value(str, text))
    else:
        content = Gdk.ContentProvider.new_for_bytes(kind, GLib.Bytes.new(text.encode()))
    Gtk.init()
    source = Gtk.DragSource(content=content)
    picture = Gtk.Box(width_request=80, height_request=80)
    picture.add_controller(source)
    window = Gtk.Window(title="Drag Source", child=picture, decorated=False, resizable=False)
    window.connect("map", lambda _: print("there", flush=True))
    loop = GLib.MainLoop()
    source.connect("drag-begin", begun_cb)
    source.connect("drag-end", lambda *_: print("ended", flush=True))
    window.connect("destroy", lambda _: loop.quit())
    window.present()
    loop.run()


if __name__ == "__main__":
    main()
