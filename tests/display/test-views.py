#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The views over all podcasts, marks on one and on many episodes, and taking them back."""

import contextlib
import datetime
import hashlib
import json
import sqlite3

import feeds
import harness
from harness import MENU_ITEMS, App, Profile, Server, case, pattern, title_of, wait_until

FIRST = ("Alpha", "Bravo", "Charlie", "Delta")
SECOND = ("One", "Two")
# How far across a row its button is
BUTTON = 0.92
CHECKING = pattern(r"^Checking \d of \d$")


def two_podcasts(**where):
    return feeds.two_podcasts(FIRST, SECOND, **where)


def count_unplayed(app):
    return len(app.rows()) - len(marked(app))


def wait_for_unplayed(app, wanted):
    wait_until(f"{wanted} are not played", lambda: count_unplayed(app) == wanted)


def show(app, name):
    app.click(app.wait_for("list item", pattern(f"^{name}(, |$)"), lambda node: node.is_in("list", "Podcasts")))


def try_until(what, act, happened):
    """The menu's item is activated without the pointer, and so a click may only let go of the row
    that was pressed to open it (GTK on X11): act again then, as a listener would."""
    for _ in range(4):
        act()
        with contextlib.suppress(AssertionError):
            return wait_until(what, happened, harness.DEADLINE / 10)
    raise AssertionError(f"never happened: {what}")


def choose(app, title):
    """Shows an episode of the list that is shown."""
    try_until(f"{title} is shown", lambda: app.click(app.row_of(title)), lambda: app.find("heading", title, harness.on_page))


@case
def views():
    """New lists what came, of all podcasts; keys lead to each view, which says that it is empty; the last one is shown again after a restart"""
    with two_podcasts(environment={"GSETTINGS_BACKEND": "keyfile"}) as app:
        for name, there in (("Up Next", False), ("First Podcast", True), ("New", True)):
            show(app, name)
            wait_until("only a podcast has the button", lambda: bool(app.find("button", "Check for New Episodes")) == there)
        wait_until("the newest of both are listed", lambda: sorted(app.titles()) == ["Alpha", "One"])
        app.wait_for("list item", pattern("^Alpha, First Podcast, "))
        app.wait_for("list item", pattern("^One, Second Podcast, "))
        choose(app, "One")
        app.key("ctrl+l")
        app.wait_for_titles("Alpha")
        app.wait_for("list item", "New, 1 new episode")
        app.wait_for("list item", "Second Podcast")
        for key, words in (("alt+2", "No Episodes in Progress"), ("alt+3", "No Downloads"), ("alt+4", "No Liked Episodes"), ("alt+5", "No History Yet")):
            app.key(key)
            app.wait_for("label", words)
            app.wait_until_gone("label", "No Episode Selected")
            app.wait_until_gone("button", "Check for New Episodes")
        app.key("alt+1")
        app.wait_for_titles("Alpha")
        app.start_again()
        app.wait_for_titles("Alpha")
        app.wait_for("list item", pattern("^New, "), lambda node: "selected" in node.states)
        app.from_menu("Menu", "Mark All as Played")
        app.wait_for("label", "You Are Up to Date")
        app.wait_for("list item", "New")


def hear_elsewhere(app, days_ago):
    """What another machine says: when episodes of the first podcast were heard, by their numbers."""
    address = next(iter(json.loads((app.profile.state / "subscriptions.json").read_text())["podcasts"]))
    noon = datetime.datetime.now(datetime.timezone.utc).replace(hour=0, minute=0, second=1)
    heard = {f"episode-{number}": {"position": {"value": 12.0, "updated": (noon - datetime.timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%SZ")}}
             for number, days in days_ago.items()}
    path = app.profile.state / (hashlib.sha256(address.encode()).hexdigest()[:32] + ".json")
    path.write_text(json.dumps({"version": 1, "kind": "podcast", "address": address, "addresses": [address], "episodes": heard}))


def headings(app):
    return [node.name for node in app.find_all("heading") if node.is_in("list", "Episodes")]


@case
def history():
    """An episode that is begun goes from New to In Progress, and into the history, which has a heading for each day"""
    with two_podcasts() as app:
        show(app, "New")
        choose(app, "One")
        app.play()
        app.start_episode()
        app.action("play-pause")
        app.wait_for("list item", "New, 1 new episode")
        app.key("alt+2")
        app.wait_for_titles("One")
        app.key("alt+5")
        app.wait_for("list item", pattern("^One, Second Podcast, .*left"))
        wait_until("there is its day", lambda: headings(app) == ["Today"])
        hear_elsewhere(app, {0: 0, 1: 1, 2: 1, 3: 400})
        wait_until("all are listed", lambda: sorted(app.titles()) == sorted([*FIRST, "One"]))
        long_ago = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=400)
        wanted = ["Today", "Yesterday", f"{long_ago:%A, %B} {long_ago.day}, {long_ago.year}"]
        wait_until(f"the headings are {wanted}", lambda: headings(app) == wanted)
        wait_until("the rows say when they came out", lambda: "Nov" in app.rows()[0].name)
        choose(app, "Delta")
        app.key("ctrl+Return")
        wait_until("some of it was heard", lambda: app.position() > 13)
        app.action("play-pause")
        wait_until("it is the first", lambda: app.titles()[0] == "Delta")
        wait_until("nothing of that day is left", lambda: headings(app) == ["Today", "Yesterday"])
        app.key("ctrl+f")
        app.type("Bravo")
        app.wait_for_titles("Bravo")
        wait_until("there is no heading", lambda: not headings(app))


@case
def like():
    """A heart by key, by the row's menu, by the button of the page; the view and the filter list it; it can be taken back.
    The name of the podcast on an episode's page leads from there to the podcast's list, with the episode chosen."""
    with two_podcasts() as app:
        show(app, "First Podcast")
        choose(app, "Bravo")
        app.key("ctrl+d")
        app.wait_for("list item", pattern("^Bravo, .*, liked"))
        harness.stays("there is no toast", lambda: not app.find("button", "Undo"), 0.5)
        app.choose_filter("Liked")
        app.wait_for_titles("Bravo")
        app.choose_filter("All")
        app.wait_for_titles(*FIRST)
        app.from_row_menu("Delta", "Like")
        app.wait_for("list item", pattern("^Delta, .*, liked"))
        app.key("alt+4")
        app.wait_for_titles("Bravo", "Delta")
        choose(app, "Delta")
        app.press("toggle button", "Liked")
        app.wait_for_titles("Bravo")
        app.key("ctrl+z")
        app.wait_for_titles("Bravo", "Delta")
        app.from_row_menu("Bravo", "Unlike")
        app.wait_for_titles("Delta")
        choose(app, "Delta")
        app.press("button", "First Podcast", harness.on_page)
        app.wait_for_titles(*FIRST)
        app.wait_for_focus(pattern("^Delta, "), "Episodes")
        app.wait_for("heading", "Delta", harness.on_page)
        # What a search has found there makes way, too.
        app.window_action("search-for", harness.GLib.Variant("s", "Alpha"))
        app.wait_for_titles("Alpha")
        choose(app, "Alpha")
        app.press("button", "First Podcast", harness.on_page)
        app.wait_for_titles(*FIRST)
        app.wait_for("heading", "Alpha", harness.on_page)


def is_liked(app, title):
    return ", liked" in app.row_of(title).name


@case
def select_by_pointer():
    """Shift, Ctrl, the row's menu and check boxes select rows; the page says how many, and verbs are about them alone"""
    with two_podcasts() as app:
        show(app, "First Podcast")
        choose(app, "Alpha")
        assert n_boxes(app) == 0, "there are check boxes"
        for key, title, count in (("shift", "Charlie", 3), ("ctrl", "Bravo", 2)):
            app.xdotool("keydown", key)
            try:
                app.click(app.row_of(title))
            finally:
                app.xdotool("keyup", key)
            app.wait_for("label", f"{count} selected")
        app.wait_for("label", "2 Episodes Selected", harness.on_page)
        wait_for_ticked(app, "Alpha", "Charlie")
        app.wait_until_gone("button", "Play", harness.in_row)
        app.click(app.wait_for("button", "Mark as Played"))
        wait_until("both are marked", lambda: marked(app) == ["Alpha", "Charlie"])
        app.wait_until_gone("label", "2 selected")
        app.wait_for("heading", "Alpha", harness.on_page)
        app.key("ctrl+z")
        wait_for_unplayed(app, 4)
        # Each click is a tick, as fingers need it.
        try_until("the mode begins", lambda: app.from_row_menu("Bravo", "Select"), lambda: app.find("label", "1 selected"))
        try_until("a click ticks", lambda: app.click(app.row_of("Delta")), lambda: app.find("label", "2 selected"))
        app.click(app.row_of("Alpha"), across=BUTTON)
        app.wait_for("label", "3 Episodes Selected", harness.on_page)
        wait_for_ticked(app, "Alpha", "Bravo", "Delta")
        # As a screen reader does
        for left, title in ((2, "Alpha"), (1, "Delta")):
            next(node for node in app.row_of(title).walk() if node.role == "label").do("row.tick")
            app.wait_for("label", f"{left} selected")
        app.wait_for("label", "1 Episode Selected", harness.on_page)
        try_until("a click unticks", lambda: app.click(app.row_of("Bravo")), lambda: app.find("label", "Select episodes"))
        app.key("ctrl+l")
        harness.stays("nothing is marked", lambda: count_unplayed(app) == 4, 0.5)
        app.press("button", "Clear Selection")
        app.wait_for("heading", "Alpha", harness.on_page)
        wait_until("the play buttons are back", lambda: n_boxes(app) == 0 and app.find("button", "Play", harness.in_row))


def marked(app):
    return [title_of(row) for row in app.rows() if row.name.endswith(", played")]


def are_marked(app, wanted):
    rows = app.rows()
    return len(rows) == len(FIRST) and all((", played" in row.name) == wanted for row in rows)


def mark_several(app, wanted):
    app.key("ctrl+a")
    app.wait_for("label", "4 selected")
    app.key("ctrl+l")
    wait_until("all are marked" if wanted else "none is marked", lambda: are_marked(app, wanted))


@case
def undo_while_storing():
    """Undo takes back what its toast says, and only that, though what came before or after is not stored yet"""
    with two_podcasts() as app, contextlib.closing(
            sqlite3.connect(app.profile.folder / "data" / "earmark" / "catalogue.db", isolation_level=None)) as other:
        show(app, "First Podcast")
        choose(app, "Bravo")
        other.execute("BEGIN IMMEDIATE")
        mark_several(app, True)
        app.key("ctrl+d")
        wait_until("it is liked", lambda: is_liked(app, "Bravo"))
        app.key("ctrl+z")
        wait_until("it is not liked any more", lambda: not is_liked(app, "Bravo"))
        other.execute("ROLLBACK")
        app.wait_for_toast("4 episodes marked as played")
        app.wait_for("list item", "First Podcast")
        harness.stays("all are marked", lambda: are_marked(app, True), 0.5)

        def marked_with_toast():
            mark_several(app, False)
            mark_several(app, True)
            return app.hold_toast("4 episodes marked as played")
        wait_until("all are marked, and the toast stays", marked_with_toast)
        other.execute("BEGIN IMMEDIATE")
        mark_several(app, False)
        app.wait_for("button", "Undo").press()
        other.execute("ROLLBACK")
        app.wait_for_toast("4 episodes marked as unplayed")
        harness.stays("none is marked", lambda: are_marked(app, False), 0.5)


def wait_for_ticked(app, *wanted):
    def is_ticked(title):
        box = app.find("check box", "Select", lambda node: any(each.name.startswith(f"{title}, ") for each in node.ancestors()))
        return box is not None and "checked" in box.states
    wait_until(f"{wanted} of {FIRST} are ticked", lambda: n_boxes(app) == len(FIRST) and tuple(filter(is_ticked, FIRST)) == wanted)


def n_boxes(app):
    return len(app.find_all("check box", "Select"))


def is_selected(app, title):
    return "selected" in app.row_of(title).states


@case
def select_by_keys():
    """Ctrl+A selects all, Escape none; Ctrl+L and Ctrl+D are about the selected ones, or the one that is shown; Ctrl+Z takes them back"""
    with two_podcasts() as app:
        show(app, "First Podcast")
        choose(app, "Alpha")
        app.key("shift+Down")
        app.wait_for("label", "2 Episodes Selected", harness.on_page)
        app.escape_from("label", "2 selected")
        app.key("Down")
        app.wait_for("heading", "Bravo", harness.on_page)
        mark_several(app, True)
        app.wait_until_gone("label", "4 selected")
        app.key("ctrl+z")
        wait_for_unplayed(app, 4)
        try_until("the mode begins", lambda: app.from_row_menu("Delta", "Select"), lambda: app.find("label", "1 selected"))
        app.key("ctrl+l")
        wait_until("Delta is marked", lambda: marked(app) == ["Delta"])
        app.wait_until_gone("label", "1 selected")
        app.key("ctrl+l")
        wait_until("Bravo is, too", lambda: marked(app) == ["Bravo", "Delta"])
        # Those that have it not get it; then all have.
        for wanted in (True, False):
            mark_several(app, wanted)
            app.wait_until_gone("label", "4 selected")
        app.key("ctrl+a")
        app.wait_for("label", "4 selected")
        app.press("button", "Like")
        wait_until("all are liked", lambda: all(is_liked(app, title) for title in FIRST))
        app.key("ctrl+z")
        wait_until("none is liked", lambda: not any(is_liked(app, title) for title in FIRST))
        app.key("ctrl+d")
        wait_until("the one that is shown is", lambda: [title for title in FIRST if is_liked(app, title)] == ["Bravo"])
        app.key("ctrl+a", "ctrl+d")
        wait_until("all are liked", lambda: all(is_liked(app, title) for title in FIRST))
        app.wait_for_toast("3 episodes liked")
        app.wait_until_gone("label", "4 selected")
        app.key("ctrl+a", "ctrl+d")
        wait_until("none is liked", lambda: not any(is_liked(app, title) for title in FIRST))


@case
def through_new():
    """Ctrl+L in New goes on to the next one; the play button of a row shows its episode, which stays when its row has left"""
    with two_podcasts() as app:
        show(app, "New")
        wait_until("New is listed", lambda: len(app.rows()) == 2)
        first, second = app.titles()
        choose(app, first)
        app.key("ctrl+l")
        app.wait_for_titles(second)
        app.wait_for("heading", second, harness.on_page)
        app.wait_for_focus(pattern(f"^{second}, "), "Episodes")
        wait_until("it is selected", lambda: is_selected(app, second))
        app.press("button", "Play", harness.in_row)
        app.wait_for("list item", pattern(f"^{second}, .*, playing$"))
        app.key("ctrl+l")
        wait_until("New is empty", lambda: app.rows() == [])
        app.wait_for("heading", second, harness.on_page)
        show(app, "First Podcast")
        choose(app, "Alpha")
        app.click(app.row_of("Charlie"), across=BUTTON)
        app.wait_for("list item", pattern("^Charlie, .*, playing$"))
        app.wait_for("heading", "Charlie", harness.on_page)
        wait_until("it is selected", lambda: is_selected(app, "Charlie") and not is_selected(app, "Alpha"))
        choose(app, "Alpha")
        app.press("button", "Pause", harness.in_row)
        app.wait_until_gone("list item", pattern("^Charlie, .*, playing$"))
        app.wait_for("heading", "Alpha", harness.on_page)


@case
def checking():
    """A check says how far it is, and can be stopped; the sidebar says which podcast failed, and tells namesakes apart"""
    with Server() as server:
        addresses = [feeds.write_minutes(server, name, title, titles) for name, title, titles in (
            ("first", "First Podcast", FIRST), ("twin", "First Podcast", ["Twin"]), ("second", "Second Podcast", SECOND))]
        addresses[1] = addresses[1].replace("127.0.0.1", "localhost")
        with Profile([*addresses, server.url("~mute/second.xml")]) as profile, App(profile) as app:
            app.wait_for("list item", "First Podcast, 1 new episode, 127.0.0.1")
            app.wait_for("list item", "First Podcast, 1 new episode, localhost")
            app.wait_for("list item", "Second Podcast, 1 new episode")
            show(app, "Second Podcast")
            (server.root / "second.xml").rename(server.root / "away.xml")
            app.action("refresh-all")
            app.wait_for("progress bar", CHECKING)
            # The sidebar tells of it, and nothing else.
            wait_until("it is told once", lambda: len(app.find_all("label", pattern("^Checking"))) == 1)
            app.wait_for("list item", pattern("^Second Podcast, 1 new episode, ."))
            app.click(app.wait_for("button", "Stop"))
            app.wait_until_gone("label", pattern("^Checking"))
            (server.root / "away.xml").rename(server.root / "second.xml")
            app.action("refresh-all")
            app.wait_for("list item", "Second Podcast, 1 new episode")


@case
def filtered_while_fetching():
    """A podcast keeps its filter, and says why it shows nothing, while another one that has nothing is being fetched"""
    with Server() as server:
        feeds.write(server, "empty", "Empty Podcast", [])
        feeds.write_minutes(server, "first", "First Podcast", FIRST)
        server.hold(False)
        with Profile([server.url("~hold/empty.xml"), server.url("~hold/first.xml")]) as profile, App(profile) as app:
            app.wait_for("list item", "First Podcast, 1 new episode")
            show(app, "First Podcast")
            app.wait_for_titles(*FIRST)
            app.choose_filter("Downloaded")
            app.wait_for("button", "Show All Episodes")
            show(app, "Empty Podcast")
            app.wait_for("label", "No Episodes Yet")
            server.hold(True)

            def checked():
                app.action("refresh-all")
                return app.find("label", "Fetching Episodes…")
            wait_until("it is checked", checked)
            show(app, "First Podcast")
            # Before the check gives up.
            wait_until("it says why it shows nothing", lambda: app.find("button", "Show All Episodes"), harness.DEADLINE / 3)
            app.wait_until_gone("label", "Fetching Episodes…")
            app.press("button", "Show All Episodes")
            app.wait_for_titles(*FIRST)


NAMES = ("Alpha", "Bravo", "Charlie")


@contextlib.contextmanager
def app_with_three():
    """The newest episode of each is new."""
    def write(server):
        addresses = [feeds.write_minutes(server, name.lower(), f"The {name}", [name, f"{name} before"]) for name in NAMES]
        # The first one of the list is the newest one.
        for number, name in enumerate(NAMES):
            path = server.root / f"{name.lower()}.xml"
            path.write_text(path.read_text().replace("14 Nov 2023", f"{24 - number} Nov 2023"))
        return addresses
    with feeds.following(write) as app:
        app.key("alt+1")
        app.wait_for("grouping", "New")
        app.wait_for_titles(*NAMES)
        yield app


@case
def remove_from_new():
    """Episodes leave New by key, row menu, selection or all at once, each step undoable; their podcasts keep them, unplayed"""
    with app_with_three() as app:
        app.choose_episode("Bravo")
        app.key("Delete")
        app.wait_for_titles("Alpha", "Charlie")
        app.wait_for("list item", "New, 2 new episodes")
        # The next one is chosen, as after Mark as Played.
        app.wait_for("heading", "Charlie", harness.on_page)
        app.press_undo()
        app.wait_for_titles(*NAMES)
        app.click(app.row_of("Bravo"), button=3)
        app.wait_for(MENU_ITEMS, "Remove From New")
        names = [node.name for node in app.find_all(MENU_ITEMS)]
        assert len(names) == 8 and "Like" in names and "Add to List…" not in names, f"a menu of more than eight entries: {names}"
        app.press(MENU_ITEMS, "Remove From New")
        app.wait_for_toast("Removed from New")
        app.wait_for_titles("Alpha", "Charlie")
        app.show_podcast(app.address[1])
        app.wait_for_rows(2)
        app.choose_filter("Unplayed")
        app.wait_for_titles("Bravo", "Bravo before")
        app.click(app.row_of("Bravo"), button=3)
        app.wait_for(MENU_ITEMS, "Mark as Played")
        assert not app.find(MENU_ITEMS, "Remove From New")
        app.key("Escape", "Delete", "ctrl+z")
        app.key("alt+1")
        app.wait_for_titles(*NAMES)
        app.go_to_list("Episodes")
        app.key("ctrl+a", "Delete")
        app.wait_for("label", "You Are Up to Date")
        app.wait_for_toast("3 episodes removed from New")
        app.key("ctrl+z")
        app.wait_for_titles(*NAMES)
        app.from_row_menu("Bravo", "Select")
        app.wait_for("label", "1 selected")
        for item in ("Select All Below", "Remove From New"):
            app.from_menu("More", item)
        app.wait_for_titles("Alpha")
        app.wait_for_toast("2 episodes removed from New")
        app.key("ctrl+z")
        app.wait_for_titles(*NAMES)


@case
def removed_for_good():
    """A started episode is removed from In Progress, and comes back when it is played; New stays empty over a restart"""
    with app_with_three() as app:
        app.choose_episode("Bravo")
        app.play()
        app.start_episode()
        app.pause()
        app.key("alt+2")
        app.wait_for_titles("Bravo")
        app.from_row_menu("Bravo", "Remove From In Progress")
        app.wait_for_toast("Removed from In Progress")
        app.wait_for("label", "No Episodes in Progress")
        # Not paused again: MPRIS says "Playing" before there is sound, and what is paused by then was not played.
        app.action("play-pause")
        app.wait_for_titles("Bravo")
        app.key("alt+1")
        app.wait_for_titles("Alpha", "Charlie")
        app.from_menu("Menu", "Remove All")
        app.wait_for("label", "You Are Up to Date")
        app.restart()
        app.key("alt+1")
        app.wait_for("label", "You Are Up to Date")


harness.main()
