#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Moments that the listener wants to find again: kept by a key, found among the chapters and among all that is saved, played from."""

import contextlib
import json
import os
import subprocess

import feeds
import harness
from harness import App, GLib, Profile, Server, case, in_player, on_page, pattern, wait_until

MENU_ITEMS = ("menu item", "radio menu item", "check menu item")
TABS = ("radio button", "toggle button", "page tab")
WORDS = ["The lamp is lit.", "The ship is near.", "The fog comes in.", "The keeper sleeps."]


def write_feed(server):
    """The first of two episodes says something each quarter of a minute."""
    cues = [f"00:00:{15 * n:02}.000 --> 00:00:{15 * n + 14:02}.000\n{words}\n" for n, words in enumerate(WORDS)]
    (server.root / "minute.vtt").write_text("\n".join(["WEBVTT\n", *cues]))
    sound = feeds.sound(server, "minute.cbr.mp3")
    feed = feeds.write(server, "kept", "Kept", [feeds.Episode("Alpha", sound), feeds.Episode("Bravo", sound)])
    path = server.root / "kept.xml"
    text = path.read_text().replace("<rss ", '<rss xmlns:podcast="https://podcastindex.org/namespace/1.0" ')
    path.write_text(text.replace("</item>", '<podcast:transcript url="@BASE@/minute.vtt" type="text/vtt"/></item>', 1))
    return feed


@contextlib.contextmanager
def app_with_two(settings=None):
    with Server() as server:
        address = write_feed(server)
        with Profile(address, settings) as profile, App(profile) as app:
            app.address = address
            app.wait_for_rows(2)
            yield app


def pause_at(app, number, seconds):
    app.click(app.row(number))
    app.wait_for("heading", ("Alpha", "Bravo")[number], on_page)
    app.key("ctrl+Return")
    app.wait_for_status("Playing")
    app.action("play-pause")
    app.wait_for_status("Paused")
    app.action("seek", GLib.Variant("x", seconds * 1000000))
    wait_until(f"it is at {seconds} s", lambda: abs(app.position() - seconds) < 0.5)


def bookmarks(app):
    return [node for node in app.find_all("list item") if node.is_in("list", "Bookmarks")]


def show_bookmarks(app):
    app.key("alt+4")
    app.press(TABS, "Bookmarks")


def wait_for_bookmarks(app, *wanted):
    """Each begins with those words."""
    wait_until(f"there are {wanted}", lambda: (found := bookmarks(app)) is not None and len(found) == len(wanted) and
               all(node.name.startswith(text) for node, text in zip(found, wanted)))


@case
def in_the_sheet():
    """360 px: what is said of one that is made in the sheet of the player stands above the sheet, and can be pressed there"""
    with app_with_two({"window_width": 360, "window_height": 640}) as app:
        app.press("button", "Play", harness.in_row)
        app.wait_for_status("Playing")
        app.action("play-pause")
        app.window_action("open-player")
        app.press("button", "Bookmark Current Position")
        app.hold_toast("Bookmark added")

        def is_kept():
            file = app.profile.state / "bookmarks.json"
            return file.exists() and any("value" in record and record["value"] for record in json.loads(file.read_text())["records"].values())
        wait_until("it is kept", is_kept)
        app.click(app.wait_for("button", "Add Note"), happened=lambda: app.find("alert", "Note"))
        app.wait_for_entry()
        app.type("The bell")
        app.press("button", "Save", lambda node: node.is_in("alert", "Note"))
        wait_until("the note is kept", lambda: "The bell" in (app.profile.state / "bookmarks.json").read_text())
        app.window_action("undo")
        wait_until("it is taken back", lambda: not is_kept())


@case
def ways():
    """By key, by the button of the player, on the bus and by command line; each with what is said there; found in what is saved, newest first"""
    with app_with_two() as app:
        app.key("alt+4")
        app.press(TABS, "Bookmarks")
        app.wait_for("label", "No Bookmarks")
        app.window_action("select-podcast", GLib.Variant("s", app.address))
        app.wait_for_rows(2)
        pause_at(app, 0, 20)
        app.key("ctrl+k")
        app.wait_for_toast("Bookmark added")
        app.key("ctrl+k")
        app.wait_for_toast("Already bookmarked")
        app.action("seek", GLib.Variant("x", 35 * 1000000))
        wait_until("it is there", lambda: abs(app.position() - 35) < 0.5)
        app.press("button", "Bookmark Current Position", in_player)
        show_bookmarks(app)
        wait_until("there are two", lambda: len(bookmarks(app)) == 2)
        wait_until("both have what is said", lambda: sorted(node.name.split("”")[0] for node in bookmarks(app)) == ["“The fog comes in.", "“The ship is near."])
        app.action("seek", GLib.Variant("x", 50 * 1000000))
        wait_until("it is there", lambda: abs(app.position() - 50) < 0.5)
        app.action("bookmark")
        wait_until("there are three", lambda: len(bookmarks(app)) == 3)
        app.action("seek", GLib.Variant("x", 2 * 1000000))
        wait_until("it is there", lambda: app.position() < 3)
        subprocess.run([os.environ["EARMARK_PROGRAM"], "--bookmark=From a script"], check=True, env=os.environ | app.profile.environment(), timeout=60)
        wait_until("the newest has the note", lambda: len(bookmarks(app)) == 4 and any(node.name.startswith("From a script") for node in bookmarks(app)))


@case
def one():
    """Its page is shown beside it, and it is played from; a note is written; it is copied, and removed, which is taken back"""
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
        app.restart()
        show_bookmarks(app)
        wait_for_bookmarks(app, "look it up, “The ship is near.”")


@case
def among_chapters():
    """They stand on the page of their episode, by time, and only there; a click goes there"""
    with app_with_two() as app:
        app.click(app.row(0))
        app.wait_for("heading", "Alpha", on_page)
        app.wait_until_gone(TABS, pattern("^Bookmarks"), on_page)
        pause_at(app, 0, 35)
        app.key("ctrl+k")
        app.wait_for_toast("Bookmark added")
        app.wait_for(TABS, "Bookmarks 1", on_page)
        app.action("seek", GLib.Variant("x", 20 * 1000000))
        wait_until("it is there", lambda: abs(app.position() - 20) < 0.5)
        app.key("ctrl+k")
        app.press(TABS, "Bookmarks 2", on_page)
        rows = lambda: [node.name for node in app.find_all("list item") if node.is_in("list", "Chapters")]
        wait_until("they are in their order", lambda: [name.split("”")[0] for name in rows()] == ["Bookmark, “The ship is near.", "Bookmark, “The fog comes in."])
        app.click(next(node for node in app.find_all("list item") if node.is_in("list", "Chapters") and "fog" in node.name))
        wait_until("it goes there", lambda: 34 < app.position() < 45)
        app.click(app.row(1))
        app.wait_for("heading", "Bravo", on_page)
        app.wait_until_gone(TABS, pattern("^Bookmarks"), on_page)


@case
def search():
    """What is looked for is found in what they say; what is looked for everywhere are episodes"""
    with app_with_two() as app:
        for seconds in (20, 35):
            pause_at(app, 0, seconds)
            app.key("ctrl+k")
            app.wait_for_toast("Bookmark added")
        show_bookmarks(app)
        wait_until("there are two", lambda: len(bookmarks(app)) == 2)
        app.key("ctrl+f")
        app.wait_for_entry()
        app.type("fog")
        wait_for_bookmarks(app, "“The fog comes in.”")
        app.type("gy")
        app.wait_for("label", "No Bookmarks Found")
        app.key("Escape")
        wait_until("there are two", lambda: len(bookmarks(app)) == 2)


@case
def of_nobody():
    """One in a podcast that is followed no longer says so; what a file has that is none is passed over"""
    with app_with_two() as app:
        pause_at(app, 0, 20)
        app.key("ctrl+k")
        app.wait_for_toast("Bookmark added")
        app.quit()
        path = app.profile.state / "bookmarks.json"
        state = json.loads(path.read_text())
        record = next(iter(state["records"].values()))
        record["value"]["address"] = "https://example.org/nobody"
        state["records"]["broken"] = {"value": {"time": "never"}, "updated": record["updated"]}
        path.write_text(json.dumps(state))
        app.start()
        show_bookmarks(app)
        wait_until("there is one", lambda: len(bookmarks(app)) == 1)
        app.click(bookmarks(app)[0])
        app.wait_for_toast("This episode is not in your library")


harness.main()
