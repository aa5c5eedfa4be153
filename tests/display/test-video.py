#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Video episodes show their picture: on the page, in the sheet of a narrow window, in all of the window."""

import contextlib
import ctypes

import feeds
import harness
from gi.repository import GLib
from harness import App, Listener, Profile, Server, case, on_page, wait_until

TITLE = "Sound in film.webm"
STRIPES = 12
RATE = 25
SCREEN = (1280, 800)
# In all of the window, in the sheet, on the page
PADDINGS = ((0, 0), (24, 36), (24, 12))


@contextlib.contextmanager
def viewer_at_home(**settings):
    with Server() as server, Listener() as listener, Profile(
            feeds.write_tones(server, clips=("film.webm", "minute.opus")), settings) as profile:
        yield listener, profile


def read_stripes(pixels, stride, left, top, width, height):
    number = 0
    for i in range(STRIPES):
        x = left + (2 * i + 1) * width // (2 * STRIPES)
        above, below = (pixels[(top + height * part // 4) * stride + x][1] for part in (1, 3))
        if abs(above - below) < 60:
            return None
        if above > below:
            number |= 1 << i
    return number / RATE


def read_picture(app, node):
    """The time that the picture tells (tests/player/ear-time-picture.h), or None where it shows none."""
    left, top, width, height = app.place(node)
    # The picture is in the middle, as high or as wide as there is room.
    shown_width = round(min(width, height * 16 / 9))
    shown_height = round(shown_width * 9 / 16)
    left += (width - shown_width) // 2
    top += (height - shown_height) // 2
    # One picture of it all, as it goes on meanwhile. GTK leaves out the padding of what it is in.
    stride = min(shown_width + 24, SCREEN[0] - left)
    pixels = app.pixels(left, top, stride, min(shown_height + 36, SCREEN[1] - top))
    return next((time for right, down in PADDINGS if right + shown_width <= stride
                 if (time := read_stripes(pixels, stride, right, down, shown_width, shown_height)) is not None), None)


def is_right(app, node):
    """It is looked at for a moment, in which it goes on. On a busy machine the sound may be late by half a second when it is
    paused; the test of the player measures the milliseconds between the two."""
    before = app.position()
    seen = read_picture(app, node)
    after = app.position()
    return seen is not None and before - 0.6 <= seen <= after + 0.6


def find_picture(app, where=None):
    return app.wait_for(("image", "icon"), TITLE, where)


def play(app, listener):
    """At half its speed from the beginning: it lasts for half a minute only, which a busy machine may need for one look."""
    app.wait_for_rows(2)
    app.click(app.row(0))
    app.wait_for("heading", TITLE)
    app.press("button", "Play", on_page)
    listener.wait_for_sound(0, 20)
    app.action("speed", GLib.Variant("d", 0.5))
    app.action("seek", GLib.Variant("x", 0))


def pause(app):
    app.key("space")
    app.wait_for_status("Paused")


@case
def on_the_page():
    """The picture stands above the notes of its own episode, and matches the sound"""
    with viewer_at_home() as (listener, profile), App(profile) as app:
        play(app, listener)
        picture = find_picture(app, on_page)
        wait_until("the picture is the one of what is heard", lambda: is_right(app, picture))
        app.key("ctrl+Left")
        wait_until("it still is after a jump", lambda: is_right(app, find_picture(app, on_page)))
        pause(app)
        wait_until("it stays in a pause", lambda: is_right(app, find_picture(app, on_page)))
        app.click(app.row(1))
        app.wait_for("heading", "Sound in minute.opus")
        app.wait_until_gone(("image", "icon"), TITLE, on_page)


def double_click(app, node):
    """In the middle of the picture, away from any button."""
    left, top, width, height = app.settled_place(node)
    app.xdotool("mousemove", left + width // 2, top + height // 2, "click", "--repeat", 2, "--delay", 80, 1)


@case
def fullscreen():
    """F11, a double click and a button give the picture all of the window; there the arrows jump, and change the volume; Escape goes back"""
    with viewer_at_home() as (listener, profile), App(profile) as app:
        play(app, listener)
        pause(app)
        small = app.settled_place(find_picture(app, on_page))
        app.key("F11")
        wait_until("it is larger", lambda: app.settled_place(find_picture(app))[2] > small[2] * 1.5)
        wait_until("the rest is out of sight", lambda: not app.find("heading", TITLE))
        wait_until("the picture is the one of this place", lambda: is_right(app, find_picture(app)))
        app.wait_for("button", "Leave Fullscreen")
        app.action("seek", GLib.Variant("x", 25_000_000))
        wait_until("it is far", lambda: app.position() > 20)
        app.key("Left")
        wait_until("it jumps back", lambda: 14 < app.position() < 16)
        app.key("Left", "Left")
        wait_until("it is at the beginning", lambda: app.position() < 1)
        app.key("Down")
        wait_until("it is quieter", lambda: app.mpris_get("Volume") < 0.97)
        app.key("Up")
        wait_until("it is as loud as before", lambda: app.mpris_get("Volume") > 0.97)
        app.key("Escape")
        app.wait_for("heading", TITLE)
        wait_until("it is as large as before", lambda: app.settled_place(find_picture(app, on_page))[2] == small[2])
        app.press("button", "Fullscreen", on_page)
        app.press("button", "Leave Fullscreen")
        app.wait_for("heading", TITLE)
        double_click(app, find_picture(app, on_page))
        app.wait_for("button", "Leave Fullscreen")
        double_click(app, find_picture(app))
        app.wait_for("heading", TITLE)
        app.wait_until_gone("button", "Leave Fullscreen")


class CursorImage(ctypes.Structure):
    """XFixesCursorImage"""

    _fields_ = [("x", ctypes.c_short), ("y", ctypes.c_short), ("width", ctypes.c_ushort), ("height", ctypes.c_ushort),
                ("xhot", ctypes.c_ushort), ("yhot", ctypes.c_ushort), ("serial", ctypes.c_ulong), ("pixels", ctypes.POINTER(ctypes.c_ulong))]


def is_pointer_seen():
    """Of one that is hidden, all points are transparent."""
    x11, fixes = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXfixes.so.3")
    x11.XOpenDisplay.restype = ctypes.c_void_p
    fixes.XFixesGetCursorImage.restype = ctypes.POINTER(CursorImage)
    display = ctypes.c_void_p(x11.XOpenDisplay(None))
    fixes.XFixesQueryExtension(display, ctypes.byref(ctypes.c_int()), ctypes.byref(ctypes.c_int()))
    image = fixes.XFixesGetCursorImage(display).contents
    seen = any(image.pixels[i] >> 24 & 0xff for i in range(image.width * image.height))
    x11.XCloseDisplay(display)
    return seen


@case
def pointer_hides():
    """In all of the window, the pointer and the controls go while the picture is watched, and come back as it moves"""
    with viewer_at_home() as (listener, profile), App(profile) as app:
        play(app, listener)
        app.key("F11")
        app.wait_for("button", "Leave Fullscreen")
        left, top, width, height = app.settled_place(find_picture(app))
        app.xdotool("mousemove", left + width // 2, top + height // 2)
        wait_until("the pointer is seen", is_pointer_seen)
        wait_until("the pointer hides", lambda: not is_pointer_seen())
        app.xdotool("mousemove", left + width // 2 + 30, top + height // 2)
        wait_until("the pointer is back", is_pointer_seen)
        app.action("seek", GLib.Variant("x", 0))
        wait_until("it hides again", lambda: not is_pointer_seen())
        pause(app)
        wait_until("it is there in a pause", is_pointer_seen)


@case
def in_the_sheet():
    """In a narrow window the picture is in the player's sheet, and not on the page"""
    settings = {"window_width": 400, "window_height": 700}
    with viewer_at_home(**settings) as (listener, profile), App(profile) as app:
        app.wait_for_rows(2)
        app.click(app.row(0))
        app.press("button", "Play", on_page)
        listener.wait_for_sound(0, 25)
        pause(app)
        assert app.find(("image", "icon"), TITLE) is None
        app.window_action("open-player")
        wait_until("the picture is the one of this place", lambda: is_right(app, find_picture(app)))


harness.main()
