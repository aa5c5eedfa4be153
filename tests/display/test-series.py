#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A podcast that is heard from its first episode on: how far the listener is, going on, and what makes a series of it."""

import contextlib

import feeds
import harness
from feeds import Episode
from harness import App, Profile, Server, case, pattern, title_of, wait_until

MENU_ITEMS = ("menu item", "radio menu item", "check menu item")


def played(n, of, rest=".*"):
    return pattern(f"^.?{n} of {of} played.?(.{{1,3}}·.?{rest}.?)?$")


def episodes(sound):
    """The newest one first"""
    return [Episode("Delta", sound, 60), Episode("Extra", sound, 60, kind="bonus"), Episode("Charlie", sound, 60),
            Episode("Bravo", sound, 60), Episode("Teaser", sound, 60, kind="trailer")]


@contextlib.contextmanager
def app_with(kind):
    with Server() as server:
        address = feeds.write(server, "told", "Told", episodes(feeds.sound(server, "minute.cbr.mp3")), kind)
        with Profile(address) as profile, App(profile) as app:
            app.wait_for_rows(5)
            yield app


def titles(app):
    return tuple(title_of(row) for row in app.rows())


def wait_for_titles(app, *wanted):
    wait_until(f"the rows are {wanted}", lambda: titles(app) == wanted)


def wait_for_playing(app, title):
    app.wait_for_status("Playing")
    wait_until(f"{title} plays", lambda: app.mpris_get("Metadata").get("xesam:title") == title)


@case
def goes_on():
    """Oldest first, without trailer and bonus episode; Continue plays the next one, and what follows follows in the same order"""
    with app_with("serial") as app:
        wait_for_titles(app, "Teaser", "Bravo", "Charlie", "Extra", "Delta")
        app.wait_for("list item", pattern("^Teaser, Trailer, "))
        app.wait_for("list item", pattern("^Extra, Bonus, "))
        app.wait_for("label", played(0, 3, ".{0,2}3.min left"))
        app.press("button", "Continue")
        wait_for_playing(app, "Bravo")
        app.wait_until_gone("button", "Continue")
        app.action("next")
        wait_for_playing(app, "Charlie")
        app.action("next")
        wait_for_playing(app, "Delta")
        app.action("play-pause")
        app.wait_for_status("Paused")
        app.click(app.wait_for("list item", pattern("^Bravo, ")))
        app.wait_for("heading", "Bravo", harness.on_page)
        app.key("ctrl+l")
        app.wait_for("label", played(1, 3))
        # He was in another one last.
        app.key("ctrl+shift+Return")
        wait_for_playing(app, "Delta")


@case
def by_hand():
    """The listener makes a series of a podcast that says that it is none, by its settings, and takes that back; that outlives the application"""
    with app_with("episodic") as app:
        wait_for_titles(app, "Delta", "Extra", "Charlie", "Bravo", "Teaser")
        assert not app.find("label", played(0, 3)), "it is no series"
        app.press("toggle button", "Podcast Menu")
        app.press("menu item", "Settings…")
        switch = app.wait_for("check box", "Play Oldest First")
        app.click(switch, across=0.1, happened=lambda: "checked" in app.wait_for("check box", "Play Oldest First").states)
        app.key("Escape")
        wait_for_titles(app, "Teaser", "Bravo", "Charlie", "Extra", "Delta")
        app.wait_for("label", played(0, 3))
        app.restart()
        wait_for_titles(app, "Teaser", "Bravo", "Charlie", "Extra", "Delta")
        app.wait_for("label", played(0, 3))
        app.key("ctrl+shift+Return")
        wait_for_playing(app, "Bravo")


@case
def all_heard():
    """Of what was heard to its end nothing is to be continued, and the key says so"""
    with app_with("serial") as app:
        app.wait_for("label", played(0, 3))
        app.press("toggle button", "Podcast Menu")
        app.press("menu item", "Mark All as Played")
        app.wait_for("label", "All 3 episodes played")
        app.wait_until_gone("button", "Continue")
        app.key("ctrl+shift+Return")
        app.wait_for_toast("You have finished this series")
        app.key("ctrl+z")
        app.wait_for("label", played(0, 3))


@case
def seasons():
    """Headings name the seasons of a series, whichever end its list begins with, and nothing else does"""
    with Server() as server:
        sound = feeds.sound(server, "minute.cbr.mp3")
        address = feeds.write(server, "told", "Told", [
            Episode("Delta", sound, season=2), Episode("Extra", sound, kind="bonus"), Episode("Charlie", sound, season=2),
            Episode("Bravo", sound, season=(1, "The Lamp")), Episode("Teaser", sound, kind="trailer")], "serial")
        with Profile(address) as profile, App(profile) as app:
            app.wait_for_rows(5)
            first = app.wait_for("heading", pattern("Season 1.*The Lamp"))
            second = app.wait_for("heading", pattern("Season 2"))

            def tops(*nodes):
                return [app.settled_place(node)[1] for node in nodes]

            def row(title):
                return app.wait_for("list item", pattern(f"^{title}, "))

            order = tops(first, row("Teaser"), row("Bravo"), second, row("Charlie"), row("Extra"), row("Delta"))
            assert order == sorted(order), order
            app.press("toggle button", "Sort Order")
            app.press(MENU_ITEMS, "Newest First")
            wait_for_titles(app, "Delta", "Extra", "Charlie", "Bravo", "Teaser")
            order = tops(app.wait_for("heading", pattern("Season 2")), row("Delta"), app.wait_for("heading", pattern("Season 1")), row("Bravo"))
            assert order == sorted(order), order
            app.press("toggle button", "Sort Order")
            app.press(MENU_ITEMS, "By Title")
            wait_for_titles(app, "Bravo", "Charlie", "Delta", "Extra", "Teaser")
            app.wait_until_gone("heading", pattern("Season"))


harness.main()
