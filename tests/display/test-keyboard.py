#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything by keys: from pane to pane, through the rows, into the menus and back; the focus is never lost."""

import os
import time

import feeds
import harness
from harness import MENU_ITEMS, case, on_page, pattern, title_of, wait_until

FIRST = ("Alpha", "Bravo", "Charlie", "Delta", "Echo")
SECOND = ("One", "Two")


def two_podcasts(second=SECOND, **settings):
    return feeds.two_podcasts(FIRST, second, **settings)


def in_list(app, title):
    app.wait_for_focus(pattern(f"^{title}, "), "Episodes")


def show_first(app):
    """The first podcast, with the focus in its list."""
    app.show_podcast(app.addresses[0])
    app.wait_for_titles(*FIRST)
    app.wait_for("heading", "Alpha", on_page)


@case
def panes():
    """F6 goes from pane to pane and round, Shift+F6 the other way, each time to what is chosen there; Tab goes along the player as it is read"""
    with two_podcasts() as app:
        show_first(app)
        app.play()
        app.key("ctrl+space")
        app.wait_for_status("Paused")
        app.go_to_list("Podcasts")
        app.wait_for_focus(pattern("^First Podcast"), "Podcasts")
        app.key("F6")
        in_list(app, "Alpha")
        app.key("F6")
        app.wait_for_focus(pattern("^(Play|Resume)"), role="button")
        app.key("F6")
        app.wait_for_focus(pattern("^Alpha"), role="button")
        app.key("F6")
        app.wait_for_focus(pattern("^First Podcast"), "Podcasts")
        app.key("shift+F6")
        app.wait_for_focus(pattern("^Alpha"), role="button")
        app.key("shift+F6", "shift+F6")
        in_list(app, "Alpha")
        app.go_with("Tab", "the last of the buttons", lambda node: node.name == "Forward 30 Seconds")
        for key, role, name in (("Tab", "slider", "Position"), ("Tab", "button", pattern("left$")), ("shift+Tab", "slider", "Position"),
                                ("shift+Tab", "button", "Forward 30 Seconds")):
            app.key(key)
            app.wait_for_focus(name, role=role)


@case
def typing():
    """Words in the sidebar go to a podcast; in the list they begin a search; Space plays where nothing is typed"""
    with two_podcasts() as app:
        show_first(app)
        app.go_to_list("Podcasts")
        # After a pause it would be another word.
        with app.stopped():
            app.xdotool("type", "--clearmodifiers", "second p <")
        app.wait_for_focus(pattern("^Second Podcast"), "Podcasts")
        app.wait_for("heading", "Second Podcast")
        app.let_it_act()
        assert app.status() == "Stopped", "a space among the words plays"
        assert app.mpris_get("Rate") == 1, "a letter changes the speed"
        # After another key another word begins.
        app.key("Home", "Down", "space")
        app.wait_for_status("Playing")
        app.key("space")
        app.wait_for_status("Paused")
        app.type("fir")
        app.wait_for_focus(pattern("^First Podcast"), "Podcasts")
        app.wait_for("heading", "First Podcast")
        app.key("F6")
        in_list(app, "Alpha")
        app.key("space")
        app.wait_for_status("Playing")
        app.key("space")
        app.wait_for_status("Paused")
        app.type("cha ")
        app.wait_for_entry()
        wait_until("it is found", lambda: [title_of(row) for row in app.rows()] == ["Charlie"])
        assert app.status() == "Paused", "a space among the words plays"
        app.key("Escape")
        wait_until("all are back", lambda: len(app.rows()) == len(FIRST))
        wait_until("the focus is somewhere", app.focused)


@case
def rows():
    """Home, End, and the arrows with Shift; the Menu key and Shift+F10 open the row's menu, Escape gives the focus back"""
    with two_podcasts() as app:
        show_first(app)
        app.go_to_list("Episodes")
        app.key("End")
        in_list(app, "Echo")
        app.wait_for("heading", "Echo", on_page)
        app.key("Home")
        in_list(app, "Alpha")
        app.key("Down", "shift+Down", "shift+Down")
        app.wait_for("label", "3 selected")
        app.escape_from("label", "3 selected")
        for key in ("Menu", "shift+F10"):
            app.key("Home")
            in_list(app, "Alpha")
            app.key(key)
            app.wait_for(MENU_ITEMS, "Mark as Played")
            app.escape_from(MENU_ITEMS, "Mark as Played")
            in_list(app, "Alpha")
        app.key("Menu")
        app.wait_for(MENU_ITEMS, "Like")
        # The mnemonic of the item.
        app.key("l")
        app.wait_for("list item", pattern("^Alpha, .*, liked"))
        in_list(app, "Alpha")


@case
def behind_a_dialog():
    """Escape right behind the key of a dialog closes it; the window's keys do nothing behind one.
    A podcast that is chosen in one has the keys on its chosen row afterwards."""
    with two_podcasts([f"Part {number}" for number in range(140)]) as app:
        show_first(app)
        for key in ("alt+Return", "ctrl+i", "ctrl+n", "ctrl+comma"):
            # Before the dialog has the focus
            with app.stopped():
                app.xdotool("key", "--clearmodifiers", key, "Escape")
            app.let_it_act()
            app.wait_until_gone("dialog")
        app.key("ctrl+n")
        app.wait_for_entry()
        app.key("alt+1", "ctrl+d", "ctrl+Return", "ctrl+f", "F6", "alt+Return")
        # The keys of the entry itself still do their work.
        app.type("x")
        app.wait_until_gone("heading", "Categories")
        app.close_dialog("Add Podcast")
        assert not app.find("dialog"), "one dialog was opened above the other"
        app.wait_for("heading", "First Podcast", on_page)
        assert app.status() != "Playing"
        assert not app.find("list item", pattern("^Alpha, .*, liked"))
        app.key("alt+1")
        wait_until("New is listed", lambda: len(app.rows()) == 2)
        show_first(app)
        app.choose_episode("Echo")
        in_list(app, "Echo")
        app.key("ctrl+n")
        app.wait_for_entry()
        app.type(app.addresses[1])
        app.wait_for("list item", pattern("^Second Podcast"), lambda node: node.is_in("list", "Podcasts Found"))
        app.key("Return")
        app.wait_until_gone("dialog", "Add Podcast")
        app.wait_for("heading", "Part 0", on_page)
        in_list(app, "Part 0")
        app.key("Return")
        app.wait_for_status("Playing")
        assert app.mpris_get("Metadata")["xesam:title"] == "Part 0"


@case
def focus_is_kept():
    """After a mark that takes the row away, a filter, a dialog and an unfollowing the focus is where the work goes on"""
    with two_podcasts() as app:
        app.key("alt+1")
        wait_until("New is listed", lambda: len(app.rows()) == 2)
        app.go_to_list("Episodes")
        app.key("Home", "ctrl+l")
        wait_until("one is left", lambda: len(app.rows()) == 1)
        app.wait_for_focus(of="Episodes")
        show_first(app)
        app.choose_filter("Liked")
        app.wait_for("label", "No Liked Episodes")
        wait_until("the focus is somewhere", app.focused)
        app.choose_filter("All")
        app.go_to_list("Podcasts")
        app.key("ctrl+n")
        app.wait_for_entry()
        app.close_dialog("Add Podcast")
        app.wait_for_focus(pattern("^First Podcast"), "Podcasts")
        app.window_action("unfollow")
        wait_until("one is left", lambda: len(app.podcasts()) == 1)
        wait_until("the focus is somewhere", app.focused)


@case
def narrow():
    """360 px: Enter goes in, Escape goes back, pane by pane, to the row where it began.
    In the sidebar the keys move without choosing, and the menu is of the row that has the focus."""
    with two_podcasts(window_width=360, window_height=640) as app:
        app.wait_for_rows(5)
        app.key("F6")
        app.wait_for_focus(of="Episodes")
        app.key("Home", "Down")
        in_list(app, "Bravo")
        app.key("Return")
        app.wait_for("heading", "Bravo", on_page)
        app.key("Escape")
        in_list(app, "Bravo")
        app.search("bravo")
        app.wait_for_rows(1)
        app.key("Down")
        in_list(app, "Bravo")
        app.key("Escape")
        wait_until("all are back", lambda: len(app.rows()) == len(FIRST))
        app.key("Escape")
        # While the pages slide, the keys still go to the list of episodes.
        app.wait_for_focus(pattern("^First Podcast"), "Podcasts")
        app.type("sec")
        app.wait_for_focus(pattern("^Second Podcast"), "Podcasts")
        app.key("Menu")
        app.wait_for(MENU_ITEMS, "Mark All as Played")
        app.key("m")
        app.wait_for("list item", "Second Podcast")
        app.wait_for("list item", "First Podcast, 1 new episode")
        app.wait_for_focus(pattern("^Second Podcast"), "Podcasts")
        app.key("Return")
        wait_until("its rows are there", lambda: [title_of(row) for row in app.rows()] == list(SECOND))
        app.key("ctrl+n")
        app.wait_for_entry()
        app.type("word")
        app.wait_until_gone("heading", "Categories")


@case
def while_its_row_leaves():
    """A key that comes while the row with the focus leaves the list is not lost"""
    late = {"LD_PRELOAD": os.environ["EARMARK_SLOW_LIBRARY"], "EARMARK_SLOW": "100"}
    with feeds.following(lambda server: [feeds.write_minutes(server, title.lower(), f"The {title}", [title]) for title in FIRST[:3]], late) as app:
        for attempt in range(12):
            app.key("alt+1")
            wait_until("all are new", lambda: len(app.rows()) == 3)
            app.click(app.rows()[1])
            app.wait_for_focus(of="Episodes")
            app.window_action("toggle-listened")
            time.sleep(attempt * 0.005)
            app.xdotool("key", "--clearmodifiers", "alt+2")
            app.wait_for("grouping", "In Progress")
            app.window_action("undo")


harness.main()
