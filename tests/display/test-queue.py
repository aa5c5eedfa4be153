#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Up Next: what the listener puts there, in which order, and what is played by it."""

import contextlib

import feeds
import harness
from feeds import Episode
from harness import App, Profile, Server, case, pattern, title_of, wait_until

MENU_ITEMS = ("menu item", "radio menu item", "check menu item")
TITLES = ("Alpha", "Bravo", "Charlie", "Delta")


@contextlib.contextmanager
def app_with_four(settings=None):
    with Server() as server:
        sound = feeds.sound(server, "minute.cbr.mp3")
        address = feeds.write(server, "four", "Four", [Episode(title, sound, 60) for title in TITLES])
        with Profile(address, settings or {}) as profile, App(profile) as app:
            app.wait_for_rows(4)
            yield app, address


def titles(app):
    return tuple(title_of(row) for row in app.rows())


def wait_for_titles(app, *wanted):
    wait_until(f"the rows are {wanted}", lambda: titles(app) == wanted)


def row_of(app, title):
    return wait_until(f"there is a row {title}", lambda: next((row for row in app.rows() if title_of(row) == title), None))


def from_row_menu(app, title, item):
    app.click(row_of(app, title), button=3)
    app.press(MENU_ITEMS, item)


def wait_for_focus(app, title):
    wait_until(f"{title} has the focus", lambda: (node := app.focused()) and node.name.startswith(f"{title}, "))


def show_queue(app):
    app.key("alt+u")
    app.wait_for("grouping", "Up Next")


@case
def ways():
    """From a row's menu, by key, by the button of the page and of several, each taken back; the sidebar counts it, the page says how long it lasts"""
    with app_with_four() as (app, address):
        show_queue(app)
        app.wait_for("label", "Up Next Is Empty")
        app.window_action("select-podcast", harness.GLib.Variant("s", address))
        app.wait_for_rows(4)
        from_row_menu(app, "Charlie", "Play Last")
        app.wait_for_toast("Added to Up Next")
        app.wait_for("list item", "Up Next, 1 episode")
        from_row_menu(app, "Alpha", "Play Next")
        app.wait_for("list item", "Up Next, 2 episodes")
        app.click(row_of(app, "Delta"))
        app.wait_for("heading", "Delta", harness.on_page)
        app.key("ctrl+u")
        app.wait_for("list item", "Up Next, 3 episodes")
        show_queue(app)
        wait_for_titles(app, "Alpha", "Charlie", "Delta")
        app.wait_for("label", pattern("^.3 episodes.{1,3}·.{1,3}3.min.$"))
        app.press("toggle button", "Up Next", harness.on_page)
        app.wait_for("list item", "Up Next, 2 episodes")
        app.key("ctrl+z")
        wait_for_titles(app, "Alpha", "Charlie", "Delta")
        app.go_to_list("Episodes")
        app.key("ctrl+a")
        app.press("button", "Remove From Up Next")
        app.wait_for("label", "Up Next Is Empty")
        app.press_undo()
        wait_for_titles(app, "Alpha", "Charlie", "Delta")
        app.press("toggle button", "Menu")
        app.press(MENU_ITEMS, "Clear Up Next")
        app.wait_for("label", "Up Next Is Empty")
        app.key("ctrl+z")
        wait_for_titles(app, "Alpha", "Charlie", "Delta")


@case
def order():
    """Alt and an arrow move the row that has the focus, which keeps it; that outlives the application"""
    with app_with_four() as (app, _):
        app.go_to_list("Episodes")
        app.key("ctrl+a")
        app.press("button", "Play Last")
        app.wait_for("list item", "Up Next, 4 episodes")
        show_queue(app)
        wait_for_titles(app, *TITLES)
        app.click(row_of(app, "Charlie"))
        app.wait_for("heading", "Charlie", harness.on_page)
        app.key("alt+Up")
        wait_for_titles(app, "Alpha", "Charlie", "Bravo", "Delta")
        wait_for_focus(app, "Charlie")
        app.key("alt+Up")
        wait_for_titles(app, "Charlie", "Alpha", "Bravo", "Delta")
        wait_for_focus(app, "Charlie")
        app.key("alt+Down")
        wait_for_titles(app, "Alpha", "Charlie", "Bravo", "Delta")
        wait_for_focus(app, "Charlie")
        app.key("alt+Down")
        wait_for_titles(app, "Alpha", "Bravo", "Charlie", "Delta")
        wait_for_focus(app, "Charlie")
        app.restart()
        show_queue(app)
        wait_for_titles(app, "Alpha", "Bravo", "Charlie", "Delta")


def drag(app, title, where, happened):
    app.drag(lambda: row_of(app, title), where, happened)


@case
def by_hand():
    """A row is drawn onto Up Next, and there to another place"""
    with app_with_four() as (app, _):
        drag(app, "Charlie", lambda: app.place_in(app.wait_for("list item", "Up Next"), 0.5),
             lambda: app.find("list item", "Up Next, 1 episode"))
        app.go_to_list("Episodes")
        app.key("ctrl+a")
        app.press("button", "Play Last")
        app.wait_for("list item", "Up Next, 4 episodes")
        show_queue(app)
        wait_for_titles(app, *TITLES)
        drag(app, "Delta", lambda: app.place_in(row_of(app, "Bravo"), 0.4), lambda: titles(app) == ("Alpha", "Delta", "Bravo", "Charlie"))
        drag(app, "Alpha", lambda: app.place_in(row_of(app, "Charlie"), 2), lambda: titles(app) == ("Delta", "Bravo", "Charlie", "Alpha"))


@case
def plays():
    """What is up next follows what plays, though nothing else would; MPRIS can go there"""
    with app_with_four({"continuous": "false"}) as (app, _), harness.Listener() as listener:
        from_row_menu(app, "Delta", "Play Next")
        app.wait_for("list item", "Up Next, 1 episode")
        app.press("button", "Play", harness.in_row)
        listener.wait_for_sound(0, 20)
        wait_until("the next can be had", lambda: app.mpris_get("CanGoNext"))
        app.mpris("Next")
        wait_until("it plays", lambda: app.mpris_get("Metadata")["xesam:title"] == "Delta")
        listener.wait_for_sound(0, 20)
        # The button in the bar plays one of it.
        app.press("toggle button", "Up Next", harness.in_player)
        app.press("button", "Show All")
        app.wait_for("grouping", "Up Next")
        wait_for_titles(app, "Delta")
        app.press("toggle button", "Up Next", harness.in_player)
        app.click(app.wait_for("list item", pattern("^Delta, "), harness.in_player))
        app.mpris("Seek", harness.GLib.Variant("(x)", (58_000_000,)))
        app.wait_for("list item", "Up Next")


@case
def chosen_late():
    """The popover of the bar follows changes of Up Next, removes an episode, and plays one"""
    with app_with_four() as (app, _):
        for n, title in enumerate(("Bravo", "Charlie", "Alpha"), 1):
            app.click(row_of(app, title))
            app.wait_for("heading", title, harness.on_page)
            app.key("ctrl+u")
            app.wait_for("list item", pattern(f"^Up Next, {n} episode"))
        app.press("button", "Play", harness.in_row)
        app.wait_for_status("Playing")
        app.click(row_of(app, "Bravo"))
        app.wait_for("heading", "Bravo", harness.on_page)
        app.press("toggle button", "Up Next", harness.in_player)
        app.wait_for("list item", pattern("^Charlie, .*min"), harness.in_player)
        app.window_action("toggle-queued")
        app.wait_for("list item", "Up Next, 2 episodes")
        app.press("button", "Remove From Up Next", lambda node: harness.in_player(node) and
                  any(row.role == "list item" and row.name.startswith("Alpha, ") for row in node.ancestors()))
        app.wait_for("list item", "Up Next, 1 episode")
        app.click(app.wait_for("list item", pattern("^Charlie, "), harness.in_player))
        wait_until("it plays", lambda: app.mpris_get("Metadata")["xesam:title"] == "Charlie")


@case
def outlives_all():
    """What is up next, in a list and bookmarked is there after kill -9, with a catalogue that is made from nothing"""
    with app_with_four() as (app, _address):
        app.click(row_of(app, "Bravo"), happened=lambda: app.find("heading", "Bravo", harness.on_page))
        app.key("ctrl+u")
        from_row_menu(app, "Delta", "Play Last")
        app.key("ctrl+shift+l")
        app.wait_for("dialog", "Add to List")
        app.go_with("Tab", "the entry", lambda node: node.name == "New List")
        app.type("Walks")
        app.key("Return")
        app.wait_for("list item", "Walks")
        app.key("ctrl+Return")
        app.wait_for_status("Playing")
        app.action("play-pause")
        app.wait_for_status("Paused")
        app.key("ctrl+k")
        app.wait_for_toast("Bookmark added")
        wait_until("all of it is kept", lambda: all(text in "".join(path.read_text() for path in app.profile.state.glob("*.json"))
                                                    for text in ("queued", "Walks", '"bookmarks"')))
        app.kill()
        for path in (app.profile.folder / "data" / "earmark").glob("catalogue*"):
            path.unlink()
        app.start()
        app.wait_for("list item", "Walks")
        show_queue(app)
        wait_for_titles(app, "Bravo", "Delta")
        app.key("alt+4")
        app.press(("radio button", "toggle button"), "Bookmarks")
        app.wait_for("list item", pattern("^.*Bravo"))


@case
def passed_over():
    """What came by itself and cannot be played is told of, stays in Up Next, and what follows plays"""
    with Server() as server:
        short, minute = feeds.sound(server, "short.mp3"), feeds.sound(server, "minute.cbr.mp3")
        address = feeds.write(server, "gone", "Some Gone", [Episode("Alpha", short, 3), Episode("Gone", f"~status=404/{minute}", 60),
                                                            Episode("Charlie", minute, 60)])
        with Profile(address, {}) as profile, App(profile) as app:
            app.wait_for_rows(3)
            for title, count in (("Gone", "1 episode"), ("Charlie", "2 episodes")):
                app.click(row_of(app, title))
                app.wait_for("heading", title, harness.on_page)
                app.key("ctrl+u")
                app.wait_for("list item", f"Up Next, {count}")
            app.click(row_of(app, "Alpha"))
            app.wait_for("heading", "Alpha", harness.on_page)
            app.key("ctrl+Return")
            app.wait_for_toast("“Gone” could not be played")
            app.wait_for_status("Playing")
            wait_until("what follows plays", lambda: app.mpris_get("Metadata").get("xesam:title") == "Charlie")
            show_queue(app)
            wait_until("what is gone has stayed", lambda: "Gone" in titles(app))


harness.main()
