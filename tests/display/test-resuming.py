#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Nothing ever loses the listener's place: quitting, closing, a power cut."""

import contextlib
import datetime
import json
import os
import sqlite3
import time

import feeds
import harness
from harness import App, GLib, Listener, Profile, Server, case, in_player, on_page, wait_until


@contextlib.contextmanager
def listener_at_home():
    with Server() as server, Listener() as listener, Profile(feeds.write_tones(server)) as profile:
        yield server, listener, profile


def play_second(app, listener):
    """The second episode, somewhere after 30 s."""
    app.wait_for_rows(3)
    app.choose_episode("Sound in minute.opus")
    app.press("button", "Play", on_page)
    listener.wait_for_sound(0, 15)
    app.action("seek-forward")
    listener.wait_for_sound(30, 50)


def check_restored(app, low, high):
    """The episode is in the player, silent, at its place, which the window shows."""
    app.wait_for("button", harness.pattern("^Sound in minute.opus"), in_player)
    app.wait_for_status("Paused")
    wait_until(f"the place is {low:.1f} to {high:.1f}", lambda: low <= app.position() <= high)


@case
def quit_while_playing():
    """Quit by a key or by the end of the session while an episode plays: it is there again, silent, and is heard from the same position.
    So it is without a network, with all that was listed."""
    with listener_at_home() as (server, listener, profile):
        heard = None
        for end in (lambda app: app.key("ctrl+q"), lambda app: app.process.terminate()):
            with App(profile) as app:
                if heard is not None:
                    app.press("button", "Play", in_player)
                    listener.wait_for_sound(heard - 2, heard + 3)
                    wait_until("the app says what is heard", lambda: (now := listener.now()) is not None and abs(app.position() - now) < 1.5)
                else:
                    play_second(app, listener)
                end(app)
                app.wait_for_end()
                listener.wait_for_silence()
                heard = listener.last_heard()
            with App(profile) as app:
                check_restored(app, heard - 1.5, heard + 0.5)
                assert listener.is_silent()
        server.stop()
        with App(profile) as app:
            app.wait_for_rows(3)
            check_restored(app, heard - 1.5, heard + 0.5)
            # What was checked a moment ago is not due yet.
            app.action("refresh-all")
            app.wait_for("button", "Retry")


@case
def close_the_window():
    """The sound goes on when the window is closed, and Raise brings it back; closed while nothing plays, the app ends"""
    with listener_at_home() as (server, listener, profile), App(profile) as app:
        play_second(app, listener)
        app.key("ctrl+w")
        wait_until("the window is gone", lambda: not app.windows())
        before = listener.wait_for_sound(30, 60)
        listener.wait_for_sound(before + 1, 60)
        app.mpris("Raise", interface="org.mpris.MediaPlayer2")
        wait_until("the window is back", lambda: app.windows())
        app.window_id = None
        app.wait_for("button", harness.pattern("^Sound in minute.opus"), in_player)
        # The sound has not stopped.
        listener.wait_for_sound(before + 1, 60)
        app.press("button", "Pause", in_player)
        listener.wait_for_silence()
        app.key("ctrl+w")
        app.wait_for_end()


@case
def opened_while_closing():
    """What is opened while the app still writes is shown in a new window"""
    with feeds.tones() as app:
        shown = feeds.write(app.server, "shown", "Shown", [feeds.Episode("One")])
        app.choose_episode("Sound in minute.opus")
        with contextlib.closing(sqlite3.connect(app.profile.folder / "data" / "earmark" / "catalogue.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            app.key("ctrl+d")
            wait_until("it is liked", lambda: ", liked" in app.row(1).name)
            app.key("ctrl+w")
            wait_until("the window is gone", lambda: not app.windows())
            app.action("open-file", GLib.Variant("s", shown))
            other.execute("ROLLBACK")
        app.wait_for_window()
        app.window_id = None
        app.wait_for("heading", "Shown")


def writing_time(profile):
    """How long others keep the disk from a write that is to be there for good: so much later the app's own may be."""
    start = time.monotonic()
    with open(profile.folder / "probe", "wb") as probe:
        probe.write(b"probe")
        probe.flush()
        os.fsync(probe.fileno())
    return time.monotonic() - start


@case
def crash():
    """Killed while playing, at most 2 s are lost; 6 s after a power cut, which takes along what was not on the disk for 5 s"""
    with listener_at_home() as (server, listener, profile), App(profile) as app:
        play_second(app, listener)
        line = profile.state.with_name("state.place")
        for seconds in (2, 6):
            start = listener.wait_for_sound(30, 60)
            heard = listener.wait_for_sound(start + 7, 60)
            synced = line.read_bytes()
            if seconds == 6:
                listener.wait_for_sound(heard + 4, 60)
            app.kill()
            late = writing_time(profile)
            listener.wait_for_silence()
            heard = listener.last_heard()
            if seconds == 6:
                line.write_bytes(synced)
            app.restart()
            check_restored(app, heard - seconds - 2 * late, heard + 0.5)
            aside = [file.name for file in profile.state.iterdir() if "damaged" in file.name]
            assert not aside, aside
            app.wait_for("list item", harness.pattern("^Sound in minute.opus.*left"))
            app.action("seek", harness.GLib.Variant("x", 31_000_000))
            app.press("button", "Play", in_player)


def state_file(profile):
    """The file of the podcast, once it says something of an episode."""
    def find():
        for file in profile.state.glob("*.json"):
            # The app writes meanwhile.
            with contextlib.suppress(FileNotFoundError):
                content = json.loads(file.read_text())
                if content["kind"] == "podcast" and content["episodes"]:
                    return file
        return None
    return wait_until("the podcast has a file", find)


@case
def state_files():
    """Marks that another machine writes to a state file appear at once; a damaged file is set aside whole, and a notice says so"""
    with listener_at_home() as (server, listener, profile):
        with App(profile) as app:
            app.wait_for_rows(3)
            app.press("toggle button", "Played")
            app.wait_for("list item", harness.pattern("cbr.mp3.*, played$"))
            file = state_file(profile)
            content = json.loads(file.read_text())
            now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
            content["episodes"]["episode-1"] = {"title": "Sound in minute.opus", "listened": {"value": True, "updated": now}}
            content["episodes"]["episode-0"]["listened"] = {"value": False, "updated": now}
            new = file.with_suffix(".new")
            new.write_text(json.dumps(content))
            new.rename(file)
            app.wait_for("list item", harness.pattern("opus.*, played$"))
            app.wait_until_gone("list item", harness.pattern("cbr.mp3.*, played$"))
        damaged = file.read_text()[:-20] + "}}}"
        file.write_text(damaged)
        with App(profile) as app:
            app.wait_for("label", harness.pattern("A file with your listening history was damaged"))
            app.wait_for_rows(3)
            aside = [other for other in profile.state.rglob("*") if other.is_file() and other != file and
                     other.read_text(errors="replace") == damaged]
            assert aside, list(profile.state.rglob("*"))
            app.press("button", "Play", on_page)
            listener.wait_for_sound(0, 20)


harness.main()
