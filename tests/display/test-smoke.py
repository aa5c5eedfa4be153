#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole main job once, short: also run under the sanitizers."""

import feeds
import harness
from harness import App, Listener, Profile, Server, case


def listen(app, listener):
    app.wait_for_rows(3)
    app.wait_for("list item", harness.pattern("^Sound in minute.cbr.mp3"))
    app.wait_for("heading", "Sound in minute.cbr.mp3")
    app.action("play-pause")
    # Long enough that what was heard last is beyond doubt.
    listener.wait_for_sound(1, 30)
    app.pause()
    listener.wait_for_silence()
    place, position = listener.last_heard(), app.position()
    assert abs(position - place) < 1, f"heard up to {place} s, but the app says {position} s"
    return position


@case
def main_job():
    """A first start follows the podcast, lists it, plays it, pauses and quits; a second one is where it was"""
    with Server() as server, Listener() as listener, Profile(feeds.write_tones(server)) as profile:
        with App(profile) as app:
            position = listen(app, listener)
        with App(profile) as app:
            app.wait_for_status("Paused")
            harness.wait_until("the place is restored", lambda: abs(app.position() - position) < 0.5)


harness.main()
