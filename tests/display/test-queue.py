#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Up Next and lists of the listener's own: what is put there, in which order, and what is played by it; smart lists, and series."""

import contextlib

import feeds
import harness
from feeds import Episode
from harness import case, pattern, wait_until

TITLES = ("Alpha", "Bravo", "Charlie", "Delta")


def app_with_four(**settings):
    return feeds.one_podcast("Four", TITLES, **settings)


def show_queue(app):
    app.key("alt+u")
    app.wait_for("grouping", "Up Next")


@case
def ways():
    """One click on a row, its menu, a key and buttons add to and remove from Up Next, each undoable; the sidebar counts its episodes, and the page its length"""
    with app_with_four() as app:
        show_queue(app)
        app.wait_for("label", "Up Next Is Empty")
        app.show_podcast(app.address)
        app.wait_for_rows(4)
        app.choose_episode("Alpha")
        left, top, width, height = app.settled_place(app.row_of("Charlie"))
        # Beside Play, with its center 63 px from the end of the row
        for x in (left + 60, left + width - 63):
            app.xdotool("mousemove", x, top + height // 2)
            app.let_it_act()
        app.xdotool("click", 1)
        app.wait_for_toast("Added to Up Next")
        app.wait_for("list item", "Up Next, 1 episode")
        app.wait_for("heading", "Alpha", harness.on_page)
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
        app.press("button", "Add to Up Next")
        app.wait_for("list item", "Up Next, 4 episodes")
        show_queue(app)
        app.wait_for_titles(*TITLES)
        app.choose_episode("Charlie")
        for key, titles in (("alt+Up", ["Alpha", "Charlie", "Bravo", "Delta"]), ("alt+Up", ["Charlie", "Alpha", "Bravo", "Delta"]),
                            ("alt+Down", ["Alpha", "Charlie", "Bravo", "Delta"])):
            app.key(key)
            app.wait_for_titles(*titles)
            app.wait_for_focus(pattern("^Charlie, "), "Episodes")
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
SERIES = [Episode("Delta", "minute.cbr.mp3", season=2), Episode("Extra", "minute.cbr.mp3", kind="bonus"),
          Episode("Charlie", "minute.cbr.mp3", season=2), Episode("Bravo", "minute.cbr.mp3", season=(1, "The Lamp")),
          Episode("Teaser", "minute.cbr.mp3", kind="trailer")]


def app_with(kind):
    return feeds.one_podcast("Told", SERIES, kind=kind)


def wait_for_playing(app, title):
    app.wait_for_status("Playing")
    wait_until(f"{title} plays", lambda: app.mpris_get("Metadata").get("xesam:title") == title)


@case
def goes_on():
    """A series plays oldest first, without trailer and bonus episode; Continue plays its next episode.
    Headings name its seasons, whichever end its list begins with, and nothing else does."""
    def top(role, name):
        return app.settled_place(app.wait_for(role, pattern(name)))[1]

    with app_with("serial") as app:
        app.wait_for_titles("Teaser", "Bravo", "Charlie", "Extra", "Delta")
        order = [top("heading", "Season 1.*The Lamp"), top("list item", "^Teaser, "), top("list item", "^Bravo, "), top("heading", "Season 2"),
                 top("list item", "^Charlie, ")]
        assert order == sorted(order), order
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
        app.from_menu("Sort Order", "Newest First")
        app.wait_for_titles("Delta", "Extra", "Charlie", "Bravo", "Teaser")
        order = [top("heading", "Season 2"), top("list item", "^Delta, "), top("heading", "Season 1"), top("list item", "^Bravo, ")]
        assert order == sorted(order), order
        app.from_menu("Sort Order", "By Title")
        app.wait_for_titles("Bravo", "Charlie", "Delta", "Extra", "Teaser")
        app.wait_until_gone("heading", pattern("Season"))


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
def own_lists():
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
def smart_lists():
    """A list that fills itself is made, and changed by words, switches and numbers, which screen readers set, too; Undo brings it back.
    Its words find no podcasts, also after a search everywhere."""
    with feeds.one_podcast("Bravo Show", TITLES) as app:
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
        edit()
        app.key("alt+w")
        app.type("bravo")
        app.key("alt+s")
        app.wait_for_titles("Bravo")
        app.key("ctrl+shift+f")
        app.wait_for_entry()
        app.type("alpha")
        app.wait_for_titles("Alpha")
        app.key(*["BackSpace"] * 5)
        app.wait_for_titles("Bravo")
        assert not app.names("Found Podcasts"), app.names("Found Podcasts")


@case
def lists_in_the_sidebar():
    """Episodes are dragged onto a list: the one under the pointer, or all that are selected.
    Its name is changed, and that is taken back; Escape leaves it as it is. A name of two lines has room."""
    with app_with_four() as app:
        new_list(app, "Walks")
        app.wait_for("list item", "Walks")

        def drag(title):
            n_before = len(read_lists(app))
            app.drag(lambda: app.row_of(title), lambda: app.place_in(app.wait_for("list item", pattern("^Walks")), 0.5),
                     lambda: len(read_lists(app)) > n_before)
        drag("Charlie")
        app.go_to_list("Episodes")
        app.key("ctrl+a")
        drag("Bravo")
        app.key("ctrl+z")
        show(app, "Walks")
        wait_until("the last two are gone", lambda: len(app.rows()) == 2)
        for name, key, result in (("Runs", "Return", "Runs"), ("Nothing", "Escape", "Runs")):
            app.from_menu_of(app.wait_for("list item", pattern("^(Walks|Runs)$")), "Edit…")
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


harness.main()
