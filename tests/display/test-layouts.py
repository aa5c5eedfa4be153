#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The window as narrow as a phone, and from right to left."""

import contextlib
import os
import subprocess

import feeds
import harness
from harness import App, Listener, Profile, Server, case, wait_until

NARROW = {"window_width": 360, "window_height": 640}


@contextlib.contextmanager
def running(settings=None, environment=None):
    with Server() as server, Profile(feeds.write_tones(server), settings) as profile:
        with App(profile, environment) as app:
            yield server, app


def width(app):
    app.focus()
    return app.geometry(app.window_id)[2]


@case
def narrow():
    """360 px: from the episodes to one of them and back, by clicks; nothing is cut off"""
    with running(NARROW) as (server, app):
        app.wait_for_rows(3)
        assert width(app) == 360, width(app)
        app.click(app.rows()[1])
        app.wait_for("heading", "Sound in minute.opus")
        wait_until("the list has made way", lambda: not app.rows())
        assert width(app) == 360, width(app)
        app.click(app.wait_for("button", "Back"))
        app.wait_for_rows(3)
        app.press("button", "Back", lambda node: node.showing)
        app.wait_for("list item", "Time Tones, 3 unplayed episodes")
        app.click(app.podcasts()[0])
        app.wait_for_rows(3)


@case
def narrow_player():
    """360 px: the strip plays and pauses, a click opens the sheet, whose controls work"""
    with running(NARROW) as (server, app), Listener() as listener:
        app.wait_for_rows(3)
        app.press("button", "Play", harness.in_row)
        listener.wait_for_sound(0, 20)
        app.press("button", "Pause", harness.not_in_row)
        listener.wait_for_silence()
        app.window_action("open-player")
        app.press("button", "Forward 30 Seconds")
        app.wait_for("slider", "Position")
        app.press("button", "Play", lambda node: harness.not_in_row(node) and node.sensitive)
        listener.wait_for_sound(30, 60)
        assert width(app) == 360, width(app)
        app.key("Escape")
        wait_until("the sheet is closed", lambda: app.find("button", "Forward 30 Seconds") is None)


@case
def medium():
    """900 px: two panes"""
    with running({"window_width": 900, "window_height": 640}) as (server, app):
        app.wait_for_rows(3)
        app.wait_for("heading", "Sound in minute.cbr.mp3")
        assert not app.podcasts(), "the sidebar is a page of its own"


@case
def right_to_left():
    """In Hebrew the panes are mirrored, and everything works"""
    locales = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False).stdout.split()
    locale = next((name for name in locales if name.lower().replace("-", "") == "he_il.utf8"), None)
    if locale is None or not os.path.exists("/usr/share/locale/he/LC_MESSAGES/gtk40.mo"):
        raise harness.Skip("GTK speaks no Hebrew here")
    with running(environment={"LC_ALL": locale, "LANGUAGE": "he"}) as (server, app), Listener() as listener:
        heading = harness.pattern("^Sound in minute.cbr.mp3")
        page = app.wait_for("heading", heading)
        sidebar = wait_until("the sidebar is there",
                             lambda: app.find("list item", harness.pattern("^\u2068?Time Tones")))
        row = app.wait_for("list item", heading)
        places = [app.settled_place(node)[0] for node in (page, row, sidebar)]
        assert places == sorted(places) and len(set(places)) == 3, f"not mirrored: {places}"
        app.click(row)
        app.key("ctrl+Return")
        listener.wait_for_sound(0, 20)
        # Time itself runs from left to right.
        app.click(app.wait_for("slider", None), 0.75)
        listener.wait_for_sound(42, 50)


harness.main()
