#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole main job once, short: also run under the sanitizers."""

import feeds
import harness
from harness import App, Listener, Profile, Server, case


def listen(app, listener):
    rows = app.wait_for_rows(3)
    assert "Sound in minute.cbr.mp3" in rows[0].name, rows
    app.wait_for("heading", "Sound in minute.cbr.mp3")
    app.action("play-pause")
    listener.wait_for_sound(0, 20)
    app.action("play-pause")
    app.wait_for_status("Paused")
    listener.wait_for_silence()
    place = listener.last_heard()
    assert abs(app.position() - place) < 1, (app.position(), place)
    return place


@case
def main_job():
    """A first start follows the podcast, lists it, plays it, pauses and quits; a second one is where it was"""
    with Server() as server, Listener() as listener, Profile(feeds.write_tones(server)) as profile:
        with App(profile) as app:
            place = listen(app, listener)
        with App(profile) as app:
            app.wait_for_status("Paused")
            harness.wait_until("the place is restored", lambda: abs(app.position() - place) < 1)


harness.main()
