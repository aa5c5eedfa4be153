# SPDX-License-Identifier: GPL-3.0-or-later
"""A virtual screen with a plain background, pictures of it, and the window extracted from two of them."""

import os
import subprocess
import sys
import time

import gi

gi.require_version("GdkPixbuf", "2.0")
from gi.repository import GdkPixbuf, GLib  # noqa: E402

TIMEOUT = 30


def wait_for(what, test, seconds=TIMEOUT):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = test()
        if value:
            return value
        time.sleep(0.05)
    raise SystemExit(f"shot: waited too long for {what}")


class Screen:
    """A plain background, and pictures of the whole screen."""

    BACKGROUND = """
import gi, sys
gi.require_version("Gdk", "4.0")
gi.require_version("Gtk", "4.0")
from gi.repository import Gdk, GLib, Gtk
css = Gtk.CssProvider()
def paint(color):
    css.load_from_string("window { background: %s; }" % color)
def read(source, condition):
    line = sys.stdin.readline()
    if not line:
        loop.quit()
        return False
    paint(line.strip())
    return True
loop = GLib.MainLoop()
Gtk.init()
Gtk.StyleContext.add_provider_for_display(Gdk.Display.get_default(), css, 900)
window = Gtk.Window(decorated=False)
window.maximize()
window.present()
paint("black")
GLib.io_add_watch(0, GLib.IO_IN | GLib.IO_HUP, read)
loop.run()
"""

    def __init__(self, folder):
        self.folder = folder
        self.background = subprocess.Popen([sys.executable, "-c", self.BACKGROUND], stdin=subprocess.PIPE, text=True)
        self.paint("black")
        time.sleep(1)

    def paint(self, color):
        self.background.stdin.write(color + "\n")
        self.background.stdin.flush()

    def take(self):
        """All pixels of the screen."""
        for name in os.listdir(self.folder):
            os.unlink(os.path.join(self.folder, name))
        subprocess.run(["weston-screenshooter"], cwd=self.folder, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        (name,) = os.listdir(self.folder)
        return GdkPixbuf.Pixbuf.new_from_file(os.path.join(self.folder, name))

    def wait_until_still(self):
        before = None
        same = 0
        end = time.monotonic() + TIMEOUT
        while same < 4 and time.monotonic() < end:
            now = self.take().get_pixels()
            same = same + 1 if now == before else 0
            before = now
            time.sleep(0.15)

    def take_twice(self):
        """Pictures on black and on white, whose difference is the transparency."""
        pictures = []
        for color in ("black", "white"):
            self.paint(color)
            time.sleep(0.4)
            pictures.append(self.take())
        self.paint("black")
        return pictures

    def point_at(self, x, y):
        """Moves the pointer."""
        subprocess.run(["xdotool", "mousemove", str(x), str(y)], env=os.environ | {"DISPLAY": os.environ["EARMARK_POINTER"]}, check=True)
        time.sleep(0.4)

    def close(self):
        self.background.stdin.close()
        self.background.wait()


def find_window(black, white):
    """A function that returns the opacity of a pixel, and the boxes of the window with and without its shadow."""
    width, height = black.get_width(), black.get_height()
    on_black, on_white = black.get_pixels(), white.get_pixels()
    stride, channels = black.get_rowstride(), black.get_n_channels()

    def get_alpha(x, y):
        at = y * stride + x * channels + 1
        return max(0, min(255, 255 - (on_white[at] - on_black[at])))

    # The panel of the compositor is above this row.
    box = find_box(get_alpha, 40, width, height, 6)
    return get_alpha, box, find_solid(get_alpha, *box)


def combine(black, white):
    """The window with its shadow, from pictures on black and on white."""
    get_alpha, (left, top, right, bottom), solid = find_window(black, white)
    on_black = black.get_pixels()
    stride, channels = black.get_rowstride(), black.get_n_channels()
    pixels = bytearray()
    for y in range(top, bottom):
        for x in range(left, right):
            at = y * stride + x * channels
            # Pixels that changed between the two pictures are not transparent: only the corners are, and the shadow.
            alpha = 255 if is_within(solid, x, y) else get_alpha(x, y)
            if alpha == 0:
                pixels += b"\0\0\0\0"
            else:
                pixels += bytes(min(255, on_black[at + c] * 255 // alpha) for c in range(3)) + bytes((alpha,))
    return GdkPixbuf.Pixbuf.new_from_bytes(GLib.Bytes.new(bytes(pixels)), GdkPixbuf.Colorspace.RGB, True, 8,
                                           right - left, bottom - top, (right - left) * 4)


def find_box(get_alpha, start, width, height, least):
    """The box of all pixels that are not plain background."""
    columns = [False] * width
    rows = [False] * height
    for y in range(start, height):
        for x in range(width):
            if get_alpha(x, y) >= least:
                columns[x] = rows[y] = True
    if True not in columns:
        raise SystemExit("shot: there is no window to be seen")
    return (columns.index(True), rows.index(True), width - columns[::-1].index(True), height - rows[::-1].index(True))


def find_solid(get_alpha, left, top, right, bottom):
    """The box of the window without its shadow."""
    x, y = (left + right) // 2, (top + bottom) // 2
    row = [at for at in range(left, right) if get_alpha(at, y) > 250]
    column = [at for at in range(top, bottom) if get_alpha(x, at) > 250]
    return row[0], column[0], row[-1], column[-1]


def is_within(solid, x, y, corner=16):
    left, top, right, bottom = solid
    if not (left <= x <= right and top <= y <= bottom):
        return False
    return not ((x < left + corner or x > right - corner) and (y < top + corner or y > bottom - corner))
