#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Handing an episode on: by the menu and by keys; by a code, which another program reads from the screen as a camera would."""

import contextlib
import shutil

import feeds
import harness
from harness import App, GLib, Profile, Server, case, on_page, wait_until

MENU_ITEMS = ("menu item", "radio menu item", "check menu item")
TITLE = "Sound in minute.cbr.mp3"


@contextlib.contextmanager
def app_with_tones(environment=None, **settings):
    with Server() as server, Profile(feeds.write_tones(server), settings) as profile, App(profile, environment) as app:
        app.server = server
        app.wait_for_rows(3)
        yield app


def pause_at(app, seconds):
    app.key("ctrl+Return")
    app.wait_for_status("Playing")
    app.action("play-pause")
    app.wait_for_status("Paused")
    app.action("seek", GLib.Variant("x", seconds * 1000000))
    wait_until(f"it is at {seconds} s", lambda: abs(app.position() - seconds) < 0.5)


def open_code(app):
    app.key("ctrl+shift+p")
    app.wait_for("dialog", "Continue on Phone")
    return app.wait_for("image", "QR code")


def wait_for_code(app, address):
    wait_until(f"a camera reads {address}", lambda: app.read_code() == address)


def need_reader():
    if shutil.which("zbarimg") is None:
        raise harness.Skip("there is no zbarimg")


@case
def menu():
    """The menus of the page and of a row have the same ways"""
    with app_with_tones() as app:
        app.press("toggle button", "Episode Menu", on_page)
        app.press(MENU_ITEMS, "Share")
        for name in ("Copy Link", "Copy Link at This Time", "Continue on Phone…", "Open in Web Browser"):
            app.wait_for(MENU_ITEMS, name)
        app.press(MENU_ITEMS, "Copy Link at This Time")
        app.wait_for_toast("Copied")
        app.wait_until_gone(MENU_ITEMS, "Copy Link")
        app.click(app.row(1), button=3)
        app.press(MENU_ITEMS, "Share")
        app.press(MENU_ITEMS, "Copy Link")
        app.wait_for_toast("Copied")
        for key in ("ctrl+shift+t", "ctrl+shift+k", "ctrl+shift+c"):
            app.key(key)
            app.wait_for_toast("Copied")


@case
def code():
    """At the time at which it pauses; the page on demand; told to who cannot see it; Escape closes it"""
    need_reader()
    with app_with_tones() as app:
        app.click(app.row(0))
        app.wait_for("heading", TITLE, on_page)
        pause_at(app, 20)
        picture = open_code(app)
        sound = app.server.url("minute.cbr.mp3#t=20")
        wait_for_code(app, sound)
        assert picture.description == sound, picture.description
        app.wait_for("label", harness.pattern("Starts at .*0:20"))
        app.press("radio button", "Web Page")
        wait_for_code(app, "https://example.org/0#t=20")
        app.key("Escape")
        app.wait_until_gone("dialog", "Continue on Phone")


@case
def looks():
    """Dark on light in the dark style as well, in a narrow window and in a very low one"""
    need_reader()
    for environment, settings in (({"ADW_DEBUG_COLOR_SCHEME": "prefer-dark"}, {}),
                                  ({"ADW_DEBUG_COLOR_SCHEME": "prefer-dark"}, {"window_width": 360, "window_height": 640}),
                                  ({}, {"window_width": 360, "window_height": 294})):
        with app_with_tones(environment, **settings) as app:
            app.window_action("select-episode", GLib.Variant("u", 0))
            app.wait_for("heading", TITLE, on_page)
            app.window_action("show-code")
            wait_for_code(app, app.server.url("minute.cbr.mp3"))


@case
def private():
    """What only a member has is shown and copied after a question"""
    need_reader()
    with Server() as server, Profile(feeds.write_tones(server) + "?token=7") as profile, App(profile) as app:
        app.wait_for_rows(3)
        app.click(app.row(0))
        app.wait_for("heading", TITLE, on_page)
        app.key("ctrl+shift+p")
        app.wait_for("button", "Show Code")
        assert app.read_code() is None
        app.key("Escape")
        app.wait_until_gone("button", "Show Code")
        app.key("ctrl+shift+p")
        app.press("button", "Show Code")
        wait_for_code(app, server.url("minute.cbr.mp3"))


harness.main()
