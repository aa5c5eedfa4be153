#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Up Next: what the listener puts there, in which order, and what is played by it."""

import feeds
import harness
from feeds import Episode
from harness import case, pattern, wait_until

TITLES = ("Alpha", "Bravo", "Charlie", "Delta")


def app_with_four(**settings):
    return feeds.one_podcast("Four", TITLES, **settings)


def wait_for_focus(app, title):
    wait_until(f"{title} has the focus", lambda: (node := app.focused()) and node.name.startswith(f"{title}, "))


def show_queue(app):
    app.key("alt+u")
    app.wait_for("grouping", "Up Next")


@case
def one_click():
    """One click on a row's Add to Up Next is enough, while another row is chosen"""
    with app_with_four() as app:
        app.wait_for_rows(4)
        app.click(app.row_of("Alpha"))
        app.wait_for("heading", "Alpha", harness.on_page)
        left, top, width, height = app.settled_place(app.row_of("Charlie"))
        # Beside Play, with its center 63 px from the end of the row
        for x in (left + 60, left + width - 63):
            app.xdotool("mousemove", x, top + height // 2)
            app.let_it_act()
        app.xdotool("click", 1)
        app.wait_for("list item", "Up Next, 1 episode")
        app.wait_for("heading", "Alpha", harness.on_page)


@case
def ways():
    """Menu, key and buttons add to and remove from Up Next, each undoable; the sidebar counts its episodes, and the page its length"""
    with app_with_four() as app:
        show_queue(app)
        app.wait_for("label", "Up Next Is Empty")
        app.show_podcast(app.address)
        app.wait_for_rows(4)
        app.from_row_menu("Charlie", "Play Last")
        app.wait_for_toast("Added to Up Next")
        app.wait_for("list item", "Up Next, 1 episode")
        app.from_row_menu("Alpha", "Play Next")
        app.wait_for("list item", "Up Next, 2 episodes")
        app.choose_episode("Delta")
        app.key("ctrl+u")
        app.wait_for("list item", "Up Next, 3 episodes")
        show_queue(app)
        app.wait_for_titles("Alpha", "Charlie", "Delta")
        app.wait_for("label", pattern("^.3 episodes.{1,3}·.{1,3}3.min.$"))
        app.press("toggle button", "Up Next", harness.on_page)
        app.wait_for("list item", "Up Next, 2 episodes")
        app.key("ctrl+z")
        app.wait_for_titles("Alpha", "Charlie", "Delta")
        app.go_to_list("Episodes")
        app.key("ctrl+a")
        app.press("button", "Remove From Up Next")
        app.wait_for("label", "Up Next Is Empty")
        app.press_undo()
        app.wait_for_titles("Alpha", "Charlie", "Delta")
        app.from_menu("Menu", "Clear Up Next")
        app.wait_for("label", "Up Next Is Empty")
        app.key("ctrl+z")
        app.wait_for_titles("Alpha", "Charlie", "Delta")


@case
def order():
    """Alt and an arrow move the row that has the focus, which keeps it; episodes are dragged onto Up Next, and there to another position"""
    with app_with_four() as app:
        app.drag(lambda: app.row_of("Charlie"), lambda: app.place_in(app.wait_for("list item", "Up Next"), 0.5),
                 lambda: app.find("list item", "Up Next, 1 episode"))
        app.go_to_list("Episodes")
        app.key("ctrl+a")
        app.press("button", "Play Last")
        app.wait_for("list item", "Up Next, 4 episodes")
        show_queue(app)
        app.wait_for_titles(*TITLES)
        app.choose_episode("Charlie")
        for key, titles in (("alt+Up", ["Alpha", "Charlie", "Bravo", "Delta"]), ("alt+Up", ["Charlie", "Alpha", "Bravo", "Delta"]),
                            ("alt+Down", ["Alpha", "Charlie", "Bravo", "Delta"])):
            app.key(key)
            app.wait_for_titles(*titles)
            wait_for_focus(app, "Charlie")
        app.restart()
        show_queue(app)
        app.wait_for_titles("Alpha", "Charlie", "Bravo", "Delta")
        app.drag(lambda: app.row_of("Delta"), lambda: app.place_in(app.row_of("Charlie"), 0.4),
                 lambda: app.titles() == ["Alpha", "Delta", "Charlie", "Bravo"])
        app.drag(lambda: app.row_of("Alpha"), lambda: app.place_in(app.row_of("Bravo"), 2),
                 lambda: app.titles() == ["Delta", "Charlie", "Bravo", "Alpha"])


@case
def popover():
    """Up Next follows what plays, though nothing else would; the popover of the bar follows its changes, removes an episode, and plays one"""
    with app_with_four(continuous="false") as app:
        def queue(title, count):
            app.choose_episode(title)
            app.key("ctrl+u")
            app.wait_for("list item", pattern(f"^Up Next, {count} episode"))
        for count, title in enumerate(("Delta", "Bravo", "Charlie"), 1):
            queue(title, count)
        app.press_play(harness.in_row)
        wait_until("the next can be had", lambda: app.mpris_get("CanGoNext"))
        app.mpris("Next")
        wait_until("it plays", lambda: app.mpris_get("Metadata")["xesam:title"] == "Delta")
        # Delta, which plays, is not counted.
        queue("Alpha", 3)
        app.choose_episode("Bravo")
        app.press("toggle button", "Up Next", harness.in_player)
        app.wait_for("list item", pattern("^Charlie, .*min"), harness.in_player)
        app.window_action("toggle-queued")
        app.wait_until_gone("list item", pattern("^Bravo, "), harness.in_player)
        app.press("button", "Remove From Up Next", lambda node: harness.in_player(node) and
                  any(row.role == "list item" and row.name.startswith("Alpha, ") for row in node.ancestors()))
        app.wait_until_gone("list item", pattern("^Alpha, "), harness.in_player)
        app.press("button", "Show All")
        app.wait_for("grouping", "Up Next")
        wait_until("Charlie is listed", lambda: "Charlie" in app.titles() and "Bravo" not in app.titles())
        app.press("toggle button", "Up Next", harness.in_player)
        app.click(app.wait_for("list item", pattern("^Charlie, "), harness.in_player))
        wait_until("it plays", lambda: app.mpris_get("Metadata")["xesam:title"] == "Charlie")


def played(n, of, rest=".*"):
    return pattern(f"^.?{n} of {of} played.?(.{{1,3}}·.?{rest}.?)?$")


# The newest one first
SERIES = ["Delta", Episode("Extra", "minute.cbr.mp3", kind="bonus"), "Charlie", "Bravo", Episode("Teaser", "minute.cbr.mp3", kind="trailer")]


def app_with(kind):
    return feeds.one_podcast("Told", SERIES, kind=kind)


def wait_for_playing(app, title):
    app.wait_for_status("Playing")
    wait_until(f"{title} plays", lambda: app.mpris_get("Metadata").get("xesam:title") == title)


@case
def goes_on():
    """A series plays oldest first, without trailer and bonus episode; Continue plays its next episode"""
    with app_with("serial") as app:
        app.wait_for_titles("Teaser", "Bravo", "Charlie", "Extra", "Delta")
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
        app.pause()
        app.click(app.wait_for("list item", pattern("^Bravo, ")))
        app.wait_for("heading", "Bravo", harness.on_page)
        app.key("ctrl+l")
        app.wait_for("label", played(1, 3))
        # He was in another one last.
        app.key("ctrl+shift+Return")
        wait_for_playing(app, "Delta")


@case
def series_by_hand():
    """The settings of a podcast make a series of it, also after a restart; where all was heard, the key to continue says so"""
    with app_with("episodic") as app:
        app.wait_for_titles("Delta", "Extra", "Charlie", "Bravo", "Teaser")
        assert not app.find("label", played(0, 3)), "it is no series"
        app.from_menu("Podcast Menu", "Settings…")
        switch = app.wait_for("check box", "Play Oldest First")
        app.click(switch, across=0.1, happened=lambda: "checked" in app.wait_for("check box", "Play Oldest First").states)
        app.key("Escape")
        app.wait_for_titles("Teaser", "Bravo", "Charlie", "Extra", "Delta")
        app.wait_for("label", played(0, 3))
        app.restart()
        app.wait_for_titles("Teaser", "Bravo", "Charlie", "Extra", "Delta")
        app.wait_for("label", played(0, 3))
        app.from_menu("Podcast Menu", "Mark All as Played")
        app.wait_for("label", "All 3 episodes played")
        app.wait_until_gone("button", "Continue")
        app.key("ctrl+shift+Return")
        app.wait_for_toast("You have finished this series")
        app.key("ctrl+z")
        app.wait_for("label", played(0, 3))
        app.key("ctrl+shift+Return")
        wait_for_playing(app, "Bravo")


@case
def seasons():
    """Headings name the seasons of a series, whichever end its list begins with, and nothing else does"""
    sound = "minute.cbr.mp3"
    with feeds.one_podcast("Told", [
            Episode("Delta", sound, season=2), Episode("Extra", sound, kind="bonus"), Episode("Charlie", sound, season=2),
            Episode("Bravo", sound, season=(1, "The Lamp")), Episode("Teaser", sound, kind="trailer")], kind="serial") as app:
        first = app.wait_for("heading", pattern("Season 1.*The Lamp"))
        second = app.wait_for("heading", pattern("Season 2"))

        def tops(*nodes):
            return [app.settled_place(node)[1] for node in nodes]

        def row(title):
            return app.wait_for("list item", pattern(f"^{title}, "))

        order = tops(first, row("Teaser"), row("Bravo"), second, row("Charlie"), row("Extra"), row("Delta"))
        assert order == sorted(order), order
        app.from_menu("Sort Order", "Newest First")
        app.wait_for_titles("Delta", "Extra", "Charlie", "Bravo", "Teaser")
        order = tops(app.wait_for("heading", pattern("Season 2")), row("Delta"), app.wait_for("heading", pattern("Season 1")), row("Bravo"))
        assert order == sorted(order), order
        app.from_menu("Sort Order", "By Title")
        app.wait_for_titles("Bravo", "Charlie", "Delta", "Extra", "Teaser")
        app.wait_until_gone("heading", pattern("Season"))


harness.main()
