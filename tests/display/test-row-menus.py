#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The menus of the rows in the sidebar: of the podcast that was meant, whichever one is shown."""

import contextlib

import feeds
import harness
from harness import MENU_ITEMS, case, on_page, pattern, wait_until

SECOND = pattern(r"^Second Podcast(, |$)")


@contextlib.contextmanager
def two_podcasts(**settings):
    """The first one is shown."""
    with feeds.two_podcasts(("Alpha", "Bravo", "Charlie"), ("One", "Two"), **settings) as app:
        app.show_podcast(app.addresses[0])
        app.wait_for("heading", "First Podcast", on_page)
        app.wait_for("list item", pattern("^Alpha, "))
        yield app


def in_sidebar(node):
    return node.is_in("list", "Podcasts")


def row_of(app, name):
    return app.wait_for("list item", name, in_sidebar)


def is_first_shown(app):
    return app.find("heading", "First Podcast", on_page) and app.find("list item", pattern("^Alpha, "))


@case
def by_pointer():
    """A right click opens the menu of the row under the pointer, and shows nothing else; let go of on another row it opens none"""
    with two_podcasts() as app:
        first = row_of(app, pattern("^First Podcast"))
        right_drag(app, first, row_of(app, SECOND))
        harness.stays("there is no menu", lambda: not app.find(MENU_ITEMS, "Unfollow"), 0.5)
        right_drag(app, app.row_of("Alpha"), app.row_of("Charlie"))
        harness.stays("there is no menu", lambda: not app.find(MENU_ITEMS, pattern("Played")), 0.5)
        # How long the button is held does not matter.
        x, y, width, height = app.settled_place(first)
        app.xdotool("mousemove", x + width // 2, y + height // 2, "mousedown", 3, "sleep", 1, "mouseup", 3)
        app.wait_for(MENU_ITEMS, "Unfollow")
        app.key("Escape")
        app.wait_until_gone(MENU_ITEMS, "Unfollow")
        app.click(row_of(app, SECOND), button=3)
        app.press(MENU_ITEMS, "Mark All as Played")
        app.wait_for("list item", "Second Podcast", in_sidebar)
        app.wait_for_toast("2 episodes marked as played")
        app.wait_for("list item", "First Podcast, 1 new episode", in_sidebar)
        wait_until("the first podcast is shown", lambda: is_first_shown(app))
        app.press_undo()
        app.wait_for("list item", "Second Podcast, 1 new episode", in_sidebar)
        # A view is listed as long as it has something; the history's row has no menu.
        app.press("button", "Play", lambda node: any(above.name.startswith("Bravo, ") for above in node.ancestors()))
        app.start_episode()
        app.action("play-pause")
        app.click(app.wait_for("list item", pattern("^History"), in_sidebar), button=3)
        harness.stays("there is no menu", lambda: not app.find(MENU_ITEMS, "Mark All as Played"), 0.5)
        app.click(app.wait_for("list item", "New, 2 new episodes", in_sidebar), button=3)
        app.wait_for(MENU_ITEMS, "Check All for New Episodes")
        app.press(MENU_ITEMS, "Mark All as Played")
        app.wait_for("list item", "New", in_sidebar)
        wait_until("the first podcast is shown", lambda: is_first_shown(app))


@case
def at_most_eight():
    """The menu of an episode has at most eight entries, also in New, which adds one of its own"""
    with two_podcasts() as app:
        app.window_action("show-new")
        app.click(app.wait_for("list item", pattern("^Alpha, ")), button=3)
        app.wait_for(MENU_ITEMS, "Remove From New")
        names = [node.name for node in app.find_all(MENU_ITEMS)]
        assert len(names) == 8 and "Like" in names and "Add to List…" not in names, names
        app.key("Escape")


@case
def looks():
    """The row whose menu is open is marked, and looks as before when it is closed, however that was done; the next click counts"""
    with two_podcasts() as app:
        for names, item in (("^Charlie, ", "^Bravo, "), "Play Next"), ((SECOND.pattern, "^First Podcast"), "Unfollow"):
            row, other = (app.wait_for("list item", pattern(name)) for name in names)
            places = [app.settled_place(node) for node in (row, other)]

            def look():
                return [app.pixels(x + width // 2, y + 3, 4, 4) for x, y, width, height in places]

            def leave():
                app.xdotool("mousemove", 5, 5)
            leave()
            before = harness.settled("no pointer is over them", look)
            app.click(row, across=0.2, button=3)
            app.wait_for(MENU_ITEMS, item)
            leave()
            wait_until("it is marked", lambda: look()[0] not in before and look()[1] == before[1])
            app.key("Escape")
            app.wait_until_gone(MENU_ITEMS, item)
            leave()
            wait_until("it looks as before", lambda: look() == before)
        app.click(row)
        app.wait_for("heading", "Second Podcast", on_page)
        app.click(other, button=3)
        app.press(MENU_ITEMS, "Copy Link")
        app.wait_until_gone(MENU_ITEMS, "Copy Link")
        app.click(other)
        app.wait_for("heading", "First Podcast", on_page)
        leave()
        wait_until("both look as before", lambda: look() == before)


def right_drag(app, start, end):
    """Presses the right button on one node, and lets go of it on another."""
    for node, act in ((start, "mousedown"), (end, "mouseup")):
        x, y, width, height = app.settled_place(node)
        app.xdotool("mousemove", "--sync", x + width // 2, y + height // 2)
        app.let_it_act()
        app.xdotool(act, 3)
        app.let_it_act()


def enter_sidebar(app):
    while not (node := app.focused()) or not node.is_in("list", "Podcasts"):
        app.key("F6")


@case
def by_keys():
    """Keys and assistive technologies open the menu; Escape gives the focus back to the row; what is chosen is about that row's podcast"""
    with two_podcasts() as app:
        enter_sidebar(app)
        app.type("sec")
        app.wait_for("heading", "Second Podcast", on_page)
        for key in ("Menu", "shift+F10"):
            app.key(key)
            app.wait_for(MENU_ITEMS, "Settings…")
            app.key("Escape")
            app.wait_until_gone(MENU_ITEMS, "Settings…")
            wait_until("the row has the focus", lambda: (node := app.focused()) and node.is_in("list", "Podcasts") and SECOND.search(node.name))
        app.key("Menu")
        app.wait_for(MENU_ITEMS, "Unfollow")
        app.key("u")
        wait_until("it is gone", lambda: len(app.podcasts()) == 1)
        wait_until("the focus is in the sidebar", lambda: (node := app.focused()) and node.is_in("list", "Podcasts"))
        app.key("ctrl+z")
        row_of(app, SECOND)
        app.wait_for("heading", "Second Podcast", on_page)
        app.show_podcast(app.addresses[0])
        wait_until("the first podcast is shown", lambda: is_first_shown(app))

        def act(name):
            for node in row_of(app, SECOND).walk():
                if name in node.actions():
                    node.do(name)
                    return True
            return False
        wait_until("the row has the action", lambda: act("row.menu"))
        app.press(MENU_ITEMS, "Settings…")
        app.wait_for("dialog", "Podcast Settings")
        app.go_down_to("Unfollow")
        app.key("Return")
        wait_until("it is gone", lambda: len(app.podcasts()) == 1)
        app.key("ctrl+z")
        row_of(app, SECOND)
        harness.stays("the first podcast is shown", lambda: is_first_shown(app), 0.5)


@case
def narrow():
    """Where the sidebar is alone, the keys move without choosing: the menu is of the row that has the focus"""
    with two_podcasts(window_width=360, window_height=640) as app:
        app.key("F6")
        wait_until("the focus is in the list", lambda: (node := app.focused()) and node.is_in("list", "Episodes"))
        app.key("Escape")
        row_of(app, SECOND)
        # Where it arrives, the sidebar takes the focus back to its last row.
        app.wait_until_gone("list", "Episodes")
        wait_until("the focus is in the sidebar", lambda: (node := app.focused()) and node.is_in("list", "Podcasts"))
        app.type("sec")
        wait_until("the row has the focus", lambda: (node := app.focused()) and SECOND.search(node.name))
        app.key("Menu")
        app.wait_for(MENU_ITEMS, "Mark All as Played")
        app.key("m")
        app.wait_for("list item", "Second Podcast", in_sidebar)
        app.wait_for("list item", "First Podcast, 1 new episode", in_sidebar)


harness.main()
