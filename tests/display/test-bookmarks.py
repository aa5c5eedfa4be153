#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Moments that the listener wants to find again: kept by a key, found among the chapters and among all that is saved, played from."""

import contextlib
import json
import os
import subprocess

import feeds
import harness
from harness import MENU_ITEMS, GLib, case, in_player, on_page, pattern, wait_until

TABS = ("radio button", "toggle button", "page tab")
WORDS = ["The lamp is lit.", "The ship is near.", "The fog comes in.", "The keeper sleeps."]


def write_feed(server):
    """The first of two episodes says something each quarter of a minute."""
    cues = [f"00:00:{15 * n:02}.000 --> 00:00:{15 * n + 14:02}.000\n{words}\n" for n, words in enumerate(WORDS)]
    (server.root / "minute.vtt").write_text("\n".join(["WEBVTT\n", *cues]))
    return feeds.write_minutes(server, "kept", "Kept", [feeds.Episode("Alpha", "minute.cbr.mp3", extra=feeds.transcript("minute.vtt")), "Bravo"])


@contextlib.contextmanager
def app_with_two(**settings):
    with feeds.following(write_feed, **settings) as app:
        app.wait_for_rows(2)
        yield app


def seek(app, seconds):
    app.action("seek", GLib.Variant("x", seconds * 1_000_000))
    wait_until(f"it is at {seconds} s", lambda: abs(app.position() - seconds) < 0.5)


def pause_at(app, number, seconds):
    app.click(app.row(number))
    app.wait_for("heading", ("Alpha", "Bravo")[number], on_page)
    app.play()
    app.pause()
    seek(app, seconds)


def bookmarks(app):
    return [node for node in app.find_all("list item") if node.is_in("list", "Bookmarks")]


def show_bookmarks(app):
    app.key("alt+4")
    app.choose_tab("Bookmarks")


def wait_for_bookmarks(app, *wanted):
    """Each begins with those words."""
    wait_until(f"there are {wanted}", lambda: (found := bookmarks(app)) is not None and len(found) == len(wanted) and
               all(node.name.startswith(text) for node, text in zip(found, wanted)))


@case
def in_the_sheet():
    """360 px: the toast of a bookmark stands above the player's sheet, and its button works there"""
    with app_with_two(window_width=360, window_height=640) as app:
        app.press_play(harness.in_row)
        app.action("play-pause")
        app.window_action("open-player")

        def is_kept():
            file = app.profile.state / "bookmarks.json"
            return file.exists() and any("value" in record and record["value"] for record in json.loads(file.read_text())["records"].values())

        def added_with_toast():
            app.press("button", "Bookmark Current Position")
            wait_until("it is kept", is_kept)
            if app.hold_toast("Bookmark added"):
                return True
            app.window_action("undo")
            wait_until("it is taken back", lambda: not is_kept())
            return False
        wait_until("it is kept, and the toast stays", added_with_toast)
        app.click(app.wait_for("button", "Add Note"), happened=lambda: app.find("alert", "Note"))
        app.wait_for_entry()
        app.type("The bell")
        app.press("button", "Save", lambda node: node.is_in("alert", "Note"))
        wait_until("the note is kept", lambda: "The bell" in (app.profile.state / "bookmarks.json").read_text())
        app.window_action("undo")
        wait_until("it is taken back", lambda: not is_kept())


@case
def ways():
    """Bookmarks are made by key, the player's button, the bus and the command line; each has what is said there; they are listed, and searched"""
    with app_with_two() as app:
        show_bookmarks(app)
        app.wait_for("label", "No Bookmarks")
        app.show_podcast(app.address)
        app.wait_for_rows(2)
        pause_at(app, 0, 20)
        app.key("ctrl+k")
        app.wait_for_toast("Bookmark added")
        app.key("ctrl+k")
        app.wait_for_toast("Already bookmarked")
        seek(app, 35)
        app.press("button", "Bookmark Current Position", in_player)
        show_bookmarks(app)
        wait_until("there are two", lambda: len(bookmarks(app)) == 2)
        wait_until("both have what is said", lambda: sorted(node.name.split("”")[0] for node in bookmarks(app)) == [
            "“The fog comes in.", "“The ship is near."])
        app.search("fog")
        wait_for_bookmarks(app, "“The fog comes in.”")
        app.type("gy")
        app.wait_for("label", "No Bookmarks Found")
        app.key("Escape")
        seek(app, 50)
        app.action("bookmark")
        wait_until("there are three", lambda: len(bookmarks(app)) == 3)
        seek(app, 2)
        subprocess.run([os.environ["EARMARK_PROGRAM"], "--bookmark=From a script"], check=True, env=os.environ | app.profile.environment(), timeout=60)
        wait_until("the newest has the note", lambda: len(bookmarks(app)) == 4 and any(node.name.startswith("From a script") for node in bookmarks(app)))


def rewrite(app):
    """Gives the bookmark to a podcast that is not followed, and adds a record that is no bookmark."""
    path = app.profile.state / "bookmarks.json"
    state = json.loads(path.read_text())
    record = next(record for record in state["records"].values() if record["value"])
    record["value"]["address"] = "https://example.org/nobody"
    state["records"]["broken"] = {"value": {"time": "never"}, "updated": record["updated"]}
    path.write_text(json.dumps(state))


@case
def one():
    """A bookmark shows its episode, plays from there, takes a note, is copied, removed and brought back, and outlives its podcast"""
    with app_with_two() as app:
        pause_at(app, 0, 20)
        app.key("ctrl+k")
        app.wait_for_toast("Bookmark added")
        pause_at(app, 1, 5)
        show_bookmarks(app)
        wait_for_bookmarks(app, "“The ship is near.”")
        app.click(bookmarks(app)[0])
        app.wait_for("heading", "Alpha", on_page)
        wait_for_bookmarks(app, "“The ship is near.”")
        app.press("button", "Play From Here", lambda node: node.is_in("list", "Bookmarks"))
        app.wait_for_status("Playing")
        wait_until("it plays from there", lambda: 19 < app.position() < 30)
        app.action("play-pause")
        app.click(bookmarks(app)[0], button=3)
        app.press(MENU_ITEMS, "Edit Note…")
        wait_until("the note has the focus", lambda: (node := app.focused()) and node.role in ("text", "entry"))
        app.type("look it up")
        app.key("Return")
        wait_for_bookmarks(app, "look it up, “The ship is near.”")
        app.click(bookmarks(app)[0], button=3)
        app.press(MENU_ITEMS, "Copy")
        app.wait_for_toast("Copied")
        app.click(bookmarks(app)[0])
        wait_until("it has the focus", lambda: (node := app.focused()) and node.name.startswith("look it up"))
        app.key("Delete")
        app.wait_for("label", "No Bookmarks")
        app.key("ctrl+z")
        wait_for_bookmarks(app, "look it up")
        app.quit()
        rewrite(app)
        app.start()
        # Saved opens on the tab that has something.
        app.key("alt+4")
        wait_for_bookmarks(app, "look it up, “The ship is near.”")
        app.click(bookmarks(app)[0])
        app.wait_for_toast("This episode is not in your library")


@case
def among_chapters():
    """Bookmarks stand on the page of their episode, by time, and only there; a click plays from there"""
    with app_with_two() as app:
        app.click(app.row(0))
        app.wait_for("heading", "Alpha", on_page)
        app.wait_until_gone(TABS, pattern("^Bookmarks"), on_page)
        pause_at(app, 0, 35)
        app.key("ctrl+k")
        app.wait_for_toast("Bookmark added")
        app.wait_for(TABS, "Bookmarks 1", on_page)
        seek(app, 20)
        app.key("ctrl+k")
        app.choose_tab("Bookmarks 2", on_page)

        def rows():
            return [node for node in app.find_all("list item") if node.is_in("list", "Chapters")]
        wait_until("they are in their order", lambda: [node.name.split("”")[0] for node in rows()] == [
            "Bookmark, “The ship is near.", "Bookmark, “The fog comes in."])
        app.click(rows()[1])
        wait_until("it goes there", lambda: 34 < app.position() < 45)
        app.click(app.row(1))
        app.wait_for("heading", "Bravo", on_page)
        app.wait_until_gone(TABS, pattern("^Bookmarks"), on_page)


harness.main()
