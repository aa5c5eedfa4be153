#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Removing from New and In Progress: the episode leaves them, is ordinary in its podcast, and comes back with Undo."""

import contextlib

import feeds
import harness
from feeds import Episode
from harness import App, Profile, Server, case, pattern, title_of, wait_until

MENU_ITEMS = ("menu item", "radio menu item", "check menu item")
NAMES = ("Alpha", "Bravo", "Charlie")


@contextlib.contextmanager
def app_with_three():
    """The newest episode of each is new."""
    with Server() as server:
        sound = feeds.sound(server, "minute.cbr.mp3")
        addresses = [feeds.write(server, name.lower(), f"The {name}", [Episode(name, sound, 60), Episode(f"{name} before", sound, 60)])
                     for name in NAMES]
        # The first one of the list is the newest one.
        for number, name in enumerate(NAMES):
            path = server.root / f"{name.lower()}.xml"
            path.write_text(path.read_text().replace("14 Nov 2023", f"{24 - number} Nov 2023"))
        with Profile(addresses) as profile, App(profile) as app:
            app.key("alt+1")
            app.wait_for("grouping", "New")
            wait_for_titles(app, *NAMES)
            yield app, addresses


def titles(app):
    return tuple(title_of(row) for row in app.rows())


def wait_for_titles(app, *wanted):
    wait_until(f"the rows are {wanted}", lambda: titles(app) == wanted)


def row_of(app, title):
    return wait_until(f"there is a row {title}", lambda: next((row for row in app.rows() if title_of(row) == title), None))


def from_row_menu(app, title, item):
    app.click(row_of(app, title), button=3)
    app.press(MENU_ITEMS, item)


def show_podcast(app, address, count=2):
    app.window_action("select-podcast", harness.GLib.Variant("s", address))
    app.wait_for_rows(count)


@case
def one():
    """By key and by the menu of its row; its podcast keeps it, unplayed, and offers no such verb"""
    with app_with_three() as (app, addresses):
        app.click(row_of(app, "Bravo"))
        app.wait_for("heading", "Bravo", harness.on_page)
        app.key("Delete")
        wait_for_titles(app, "Alpha", "Charlie")
        app.wait_for("list item", "New, 2 new episodes")
        # The next one is chosen, as after Mark as Played.
        app.wait_for("heading", "Charlie", harness.on_page)
        app.press_undo()
        wait_for_titles(app, *NAMES)
        from_row_menu(app, "Bravo", "Remove From New")
        app.wait_for_toast("Removed from the list")
        wait_for_titles(app, "Alpha", "Charlie")
        show_podcast(app, addresses[1])
        app.choose_filter("Unplayed")
        wait_for_titles(app, "Bravo", "Bravo before")
        app.click(row_of(app, "Bravo"), button=3)
        app.wait_for(MENU_ITEMS, "Mark as Played")
        assert not app.find(MENU_ITEMS, "Remove From New")
        app.key("Escape", "Delete")
        app.key("ctrl+z")
        app.key("alt+1")
        wait_for_titles(app, *NAMES)


@case
def many():
    """The selected ones, all below one, and all; each in one step that can be undone"""
    with app_with_three() as (app, _):
        app.go_to_list("Episodes")
        app.key("ctrl+a")
        app.key("Delete")
        app.wait_for("label", "You Are Up to Date")
        app.wait_for_toast("3 episodes removed from the list")
        app.key("ctrl+z")
        wait_for_titles(app, *NAMES)
        from_row_menu(app, "Bravo", "Select")
        app.wait_for("label", "1 selected")
        app.press("toggle button", "More")
        app.press(MENU_ITEMS, "Select All Below")
        app.wait_for("label", "2 selected")
        app.press("toggle button", "More")
        app.press(MENU_ITEMS, "Remove From New")
        wait_for_titles(app, "Alpha")
        app.wait_for_toast("2 episodes removed from the list")
        app.key("ctrl+z")
        wait_for_titles(app, *NAMES)
        app.press("toggle button", "Menu")
        app.press(MENU_ITEMS, "Remove All")
        app.wait_for("label", "You Are Up to Date")
        app.restart()
        app.key("alt+1")
        app.wait_for("label", "You Are Up to Date")


@case
def in_progress():
    """What was begun leaves In Progress with it, and comes back as soon as it is played again"""
    with app_with_three() as (app, addresses):
        app.click(row_of(app, "Bravo"))
        app.wait_for("heading", "Bravo", harness.on_page)
        app.key("ctrl+Return")
        app.wait_for_status("Playing")
        app.start_episode()
        app.action("play-pause")
        app.wait_for_status("Paused")
        app.key("alt+2")
        wait_for_titles(app, "Bravo")
        from_row_menu(app, "Bravo", "Remove From In Progress")
        app.wait_for("label", "No Episodes in Progress")
        # Not paused again: MPRIS says "Playing" before there is sound, and what is paused by then was not played.
        app.action("play-pause")
        wait_for_titles(app, "Bravo")


harness.main()
