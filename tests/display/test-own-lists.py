#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists of the listener's own: making them, what is put there, in which order, and smart ones."""

import contextlib

import feeds
import harness
from harness import MENU_ITEMS, case, pattern, wait_until

TITLES = ("Alpha", "Bravo", "Charlie", "Delta")


def app_with_four():
    return feeds.one_podcast("Four", TITLES)


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
    """Episodes go into a list by key and out by Delete and menu, each step undoable; the list outlives kill -9"""
    with app_with_four() as app:
        app.go_to_list("Episodes")
        app.key("ctrl+a")
        new_list(app, "Walks")
        app.wait_for("list item", "Walks")
        app.key("Escape")
        show(app, "Walks")
        app.wait_for_titles(*TITLES)
        app.choose_episode("Charlie")
        app.key("alt+Up")
        app.wait_for_titles("Alpha", "Charlie", "Bravo", "Delta")
        app.choose_episode("Bravo")
        app.key("Delete")
        app.wait_for_titles("Alpha", "Charlie", "Delta")
        app.wait_for("list item", "Walks")
        app.press_undo()
        app.wait_for_titles("Alpha", "Charlie", "Bravo", "Delta")
        app.from_row_menu("Alpha", "Remove From List")
        app.wait_for_titles("Charlie", "Bravo", "Delta")
        app.key("ctrl+z")
        app.wait_for_titles("Alpha", "Charlie", "Bravo", "Delta")
        app.from_menu("Menu", "Remove List")
        app.wait_until_gone("list item", "Walks")
        app.key("ctrl+z")
        show(app, "Walks")
        app.wait_for_titles("Alpha", "Charlie", "Bravo", "Delta")
        wait_until("it is kept", lambda: "Walks" in read_lists(app))
        app.kill()
        app.start()
        show(app, "Walks")
        app.wait_for_titles("Alpha", "Charlie", "Bravo", "Delta")


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
    app.wait_for_titles(*TITLES)


@case
def smart():
    """A list that fills itself is made, and changed by words, switches and numbers, which screen readers set, too; Undo brings it back"""
    with app_with_four() as app:
        new_smart_list(app)
        app.click(app.row_of("Bravo"))
        app.key("ctrl+d")

        def edit():
            app.from_menu("Menu", "Edit…")
            app.wait_for("dialog", "Edit List")

        def number(name):
            return app.wait_for("spin button", name)
        edit()
        app.retype("Best")
        app.click(app.wait_for("check box", "Only Liked"))
        app.press("button", "Save")
        app.wait_for("list item", "Best")
        app.wait_for_titles("Bravo")
        app.key("ctrl+z")
        app.wait_for("list item", "Everything")
        app.wait_for_titles(*TITLES)
        edit()
        number("Published Within (Days)").write_value(3650)
        number("Longer Than (Minutes)").write_value(2)
        app.press("button", "Save")
        app.wait_until_gone("dialog", "Edit List")
        edit()
        assert number("Published Within (Days)").read_value() == 3650
        number("Shorter Than (Minutes)").write_value(1)
        app.wait_for("label", "Shorter Than is below Longer Than")
        app.wait_for("button", "Save", lambda node: not node.sensitive)
        number("Shorter Than (Minutes)").write_value(0)
        app.wait_for("button", "Save", lambda node: node.sensitive)
        app.go_with("Tab", "the number", lambda node: number("Longer Than (Minutes)").path in (node.path, *(above.path for above in node.ancestors())))
        # No number, and so not taken
        app.retype("1x")
        app.key("alt+s")
        app.wait_until_gone("dialog", "Edit List")
        app.wait_for_titles(*TITLES)


@case
def renamed():
    """A list gets another name, which is taken back; Escape leaves it as it is; a name of two lines has room in the sidebar"""
    with app_with_four() as app:
        new_list(app, "Walks")
        for name, key, result in (("Runs", "Return", "Runs"), ("Nothing", "Escape", "Runs")):
            app.click(app.wait_for("list item", pattern("^(Walks|Runs)$")), button=3)
            app.press(MENU_ITEMS, "Edit…")
            app.wait_for("dialog", "Edit List")
            app.retype(name)
            app.key(key)
            app.wait_until_gone("dialog", "Edit List")
            app.wait_for("list item", result)
        app.key("ctrl+z")
        app.wait_for("list item", "Walks")
        new_list(app, "For the long way " * 5)
        short, tall = (app.settled_place(app.wait_for("list item", pattern(f"^{name}")))[3] for name in ("Walks", "For the long"))
        assert tall >= short + 10, (short, tall)


@case
def dropped():
    """Episodes are dragged onto a list: the one under the pointer, or all that are selected"""
    with app_with_four() as app:
        new_list(app, "Walks")
        app.wait_for("list item", "Walks")
        n_before = len(read_lists(app))
        app.drag(lambda: app.row_of("Charlie"), lambda: app.place_in(app.wait_for("list item", pattern("^Walks")), 0.5),
                 lambda: len(read_lists(app)) > n_before)
        n_one = len(read_lists(app))
        app.go_to_list("Episodes")
        app.key("ctrl+a")
        app.drag(lambda: app.row_of("Bravo"), lambda: app.place_in(app.wait_for("list item", pattern("^Walks")), 0.5),
                 lambda: len(read_lists(app)) > n_one)
        app.key("ctrl+z")
        show(app, "Walks")
        wait_until("the last two are gone", lambda: len(app.rows()) == 2)


harness.main()
