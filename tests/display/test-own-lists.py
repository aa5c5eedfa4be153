#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists of the listener's own: making them, what is put there, in which order, and smart ones."""

import contextlib

import feeds
import harness
from feeds import Episode
from harness import App, Profile, Server, case, pattern, title_of, wait_until

MENU_ITEMS = ("menu item", "radio menu item", "check menu item")
TITLES = ("Alpha", "Bravo", "Charlie", "Delta")


@contextlib.contextmanager
def app_with_four():
    with Server() as server:
        sound = feeds.sound(server, "minute.cbr.mp3")
        address = feeds.write(server, "four", "Four", [Episode(title, sound, 60) for title in TITLES])
        with Profile(address) as profile, App(profile) as app:
            app.wait_for_rows(4)
            yield app


def titles(app):
    return tuple(title_of(row) for row in app.rows())


def wait_for_titles(app, *wanted):
    wait_until(f"the rows are {wanted}", lambda: titles(app) == wanted)


def row_of(app, title):
    return wait_until(f"there is a row {title}", lambda: next((row for row in app.rows() if title_of(row) == title), None))


def new_list(app, name):
    """With all episodes that are selected, or the one that is shown."""
    app.key("ctrl+shift+l")
    app.wait_for("dialog", "Add to List")
    app.go_with("Tab", "the entry", lambda node: node.name == "New List")
    app.type(name)
    app.key("Return")
    app.wait_until_gone("dialog", "Add to List")


def show(app, name):
    app.click(app.wait_for("list item", name))


@case
def ways():
    """Several at once by a key, one more by its menu, one out by Delete; each is taken back; it outlives kill -9"""
    with app_with_four() as app:
        app.go_to_list("Episodes")
        app.key("ctrl+a")
        new_list(app, "Walks")
        app.wait_for("list item", "Walks")
        app.key("Escape")
        show(app, "Walks")
        wait_for_titles(app, *TITLES)
        app.click(row_of(app, "Charlie"))
        app.wait_for("heading", "Charlie", harness.on_page)
        app.key("alt+Up")
        wait_for_titles(app, "Alpha", "Charlie", "Bravo", "Delta")
        app.click(row_of(app, "Bravo"))
        app.wait_for("heading", "Bravo", harness.on_page)
        app.key("Delete")
        wait_for_titles(app, "Alpha", "Charlie", "Delta")
        app.wait_for("list item", "Walks")
        app.press_undo()
        wait_for_titles(app, "Alpha", "Charlie", "Bravo", "Delta")
        app.click(row_of(app, "Alpha"), button=3)
        app.press(MENU_ITEMS, "Remove From List")
        wait_for_titles(app, "Charlie", "Bravo", "Delta")
        app.key("ctrl+z")
        wait_for_titles(app, "Alpha", "Charlie", "Bravo", "Delta")
        app.press("toggle button", "Menu")
        app.press(MENU_ITEMS, "Remove List")
        app.wait_until_gone("list item", "Walks")
        app.key("ctrl+z")
        show(app, "Walks")
        wait_for_titles(app, "Alpha", "Charlie", "Bravo", "Delta")
        wait_until("it is kept", lambda: "Walks" in read_lists(app))
        app.kill()
        app.start()
        show(app, "Walks")
        wait_for_titles(app, "Alpha", "Charlie", "Bravo", "Delta")


def read_lists(app):
    with contextlib.suppress(OSError):
        return (app.profile.state / "lists.json").read_text()
    return ""


def new_smart_list(app):
    """Of all that there is"""
    app.window_action("new-list")
    app.wait_for("dialog", "New List")
    app.type("Everything")
    app.click(app.wait_for("check box", "Fill Automatically"))
    app.press("button", "Save")
    app.wait_for("list item", "Everything")
    wait_for_titles(app, *TITLES)


@case
def smart():
    """A smart list is made from the menu, and shown"""
    with app_with_four() as app:
        new_smart_list(app)


@case
def edited():
    """What a smart list asks for is changed, and another name is taken back"""
    with app_with_four() as app:
        new_smart_list(app)
        app.click(row_of(app, "Bravo"))
        app.key("ctrl+d")
        app.press("toggle button", "Menu")
        app.press(MENU_ITEMS, "Edit…")
        app.wait_for("dialog", "Edit List")
        app.key("ctrl+a")
        app.type("Best")
        app.click(app.wait_for("check box", "Only Liked"))
        app.press("button", "Save")
        app.wait_for("list item", "Best")
        wait_for_titles(app, "Bravo")
        app.key("ctrl+z")
        app.wait_for("list item", "Everything")
        wait_for_titles(app, *TITLES)


@case
def by_numbers():
    """Lengths and days are set as a screen reader does, and by keys; what is no number is not taken"""
    with app_with_four() as app:
        new_smart_list(app)

        def edit():
            app.press("toggle button", "Menu")
            app.press(MENU_ITEMS, "Edit…")
            app.wait_for("dialog", "Edit List")

        def number(name):
            return app.wait_for("spin button", name)
        edit()
        number("Published Within (Days)").write_value(3650)
        number("Longer Than (Minutes)").write_value(2)
        app.press("button", "Save")
        app.wait_for("list item", "Everything")
        edit()
        assert number("Published Within (Days)").read_value() == 3650
        number("Shorter Than (Minutes)").write_value(1)
        app.wait_for("label", "Shorter Than is below Longer Than")
        app.wait_for("button", "Save", lambda node: not node.sensitive)
        number("Shorter Than (Minutes)").write_value(0)
        app.wait_for("button", "Save", lambda node: node.sensitive)
        app.go_with("Tab", "the number", lambda node: number("Longer Than (Minutes)").path in (node.path, *(above.path for above in node.ancestors())))
        app.key("ctrl+a")
        app.type("1x")
        app.key("alt+s")
        app.wait_until_gone("dialog", "Edit List")
        app.wait_for("list item", "Everything")
        wait_for_titles(app, *TITLES)


@case
def renamed():
    """A list gets another name, which is taken back; Escape leaves it as it is"""
    with app_with_four() as app:
        new_list(app, "Walks")
        app.click(app.wait_for("list item", "Walks"), button=3)
        app.press(MENU_ITEMS, "Edit…")
        app.wait_for("dialog", "Edit List")
        app.key("ctrl+a")
        app.type("Runs")
        app.key("Return")
        app.wait_for("list item", "Runs")
        app.click(app.wait_for("list item", "Runs"), button=3)
        app.press(MENU_ITEMS, "Edit…")
        app.wait_for("dialog", "Edit List")
        app.type("Nothing")
        app.key("Escape")
        app.wait_until_gone("dialog", "Edit List")
        app.wait_for("list item", "Runs")
        app.key("ctrl+z")
        app.wait_for("list item", "Walks")


@case
def dropped():
    """Episodes are drawn onto a list: the one that the pointer is on, or all that are selected"""
    with app_with_four() as app:
        new_list(app, "Walks")
        app.wait_for("list item", "Walks")
        n_before = len(read_lists(app))
        app.drag(lambda: row_of(app, "Charlie"), lambda: app.place_in(app.wait_for("list item", pattern("^Walks")), 0.5),
                 lambda: len(read_lists(app)) > n_before)
        n_one = len(read_lists(app))
        app.go_to_list("Episodes")
        app.key("ctrl+a")
        app.drag(lambda: row_of(app, "Bravo"), lambda: app.place_in(app.wait_for("list item", pattern("^Walks")), 0.5),
                 lambda: len(read_lists(app)) > n_one)
        app.key("ctrl+z")
        show(app, "Walks")
        wait_until("the last two are gone", lambda: len(app.rows()) == 2)


@case
def liked():
    """Many are liked at once, and not one more; that is taken back as one"""
    with app_with_four() as app:
        app.click(row_of(app, "Alpha"))
        app.key("shift+Down")
        app.key("shift+Down")
        app.key("ctrl+d")
        wait_until("three are liked", lambda: [title_of(row) for row in app.rows() if ", liked" in row.name] == list(TITLES[:3]))
        app.wait_for_toast("3 episodes liked")
        app.key("ctrl+z")
        wait_until("none is", lambda: not [row for row in app.rows() if ", liked" in row.name])


@case
def long_name():
    """A name of two lines has room above and below it in the sidebar"""
    with app_with_four() as app:
        for name in ("Walks", "For the long way " * 5):
            app.window_action("select-episode", harness.GLib.Variant("u", 0))
            new_list(app, name)
        short, tall = (app.settled_place(app.wait_for("list item", pattern(f"^{name}")))[3] for name in ("Walks", "For the long"))
        assert tall >= short + 10, (short, tall)


harness.main()
