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
from feeds import Episode
from harness import App, Profile, Server, case, pattern, title_of, wait_until

MENU_ITEMS = ("menu item", "radio menu item", "check menu item")
FIRST = ("Alpha", "Bravo", "Charlie", "Delta")
SECOND = ("One", "Two")
# How far across a row its button is
BUTTON = 0.92
CHECKING = pattern(r"^Checking \d of \d$")


def write_feeds(server):
    feeds.sound(server, "minute.cbr.mp3")
    return [feeds.write(server, name, title, [Episode(each, "minute.cbr.mp3", 60) for each in titles])
            for name, title, titles in (("first", "First Podcast", FIRST), ("second", "Second Podcast", SECOND))]


@contextlib.contextmanager
def two_podcasts(**settings):
    with Server() as server:
        addresses = write_feeds(server)
        with Profile(addresses[0], settings) as profile:
            outlines = "".join(f'<outline type="rss" text="{address}" xmlUrl="{address}"/>' for address in addresses)
            profile.welcome.write_text(f'<?xml version="1.0"?><opml version="2.0"><head/><body>{outlines}</body></opml>')
            with App(profile) as app:
                app.wait_for("list item", "First Podcast, 1 new episode")
                app.wait_for("list item", "Second Podcast, 1 new episode")
                # The newest of each is news to whoever has just followed both.
                app.wait_for("list item", "New, 2 new episodes")
                yield app


def titles(app):
    return [title_of(row) for row in app.rows()]


def wait_for_titles(app, *wanted):
    wait_until(f"the rows are {wanted}", lambda: titles(app) == list(wanted))


def count_unplayed(app):
    return len(app.rows()) - len(marked(app))


def wait_for_unplayed(app, wanted):
    wait_until(f"{wanted} are not played", lambda: count_unplayed(app) == wanted)


def row_of(app, title):
    return wait_until(f"there is a row {title}", lambda: next((row for row in app.rows() if title_of(row) == title), None))


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
    try_until(f"{title} is shown", lambda: app.click(row_of(app, title)), lambda: app.find("heading", title, harness.on_page))


def from_row_menu(app, title, item):
    app.click(row_of(app, title), button=3)
    app.press(MENU_ITEMS, item)


@case
def new_by_click():
    """A click on New lists what came, of all podcasts: each row says of which, and shows its episode"""
    with two_podcasts() as app:
        show(app, "New")
        wait_until("the newest of both are listed", lambda: sorted(titles(app)) == ["Alpha", "One"])
        app.wait_for("list item", pattern("^Alpha, First Podcast, "))
        app.wait_for("list item", pattern("^One, Second Podcast, "))
        choose(app, "One")
        app.key("ctrl+l")
        wait_for_titles(app, "Alpha")
        app.wait_for("list item", "New, 1 new episode")
        app.wait_for("list item", "Second Podcast")


@case
def podcast_of_an_episode():
    """The name of the podcast on an episode's page leads from a view to the podcast's list, with the episode chosen there"""
    with two_podcasts() as app:
        show(app, "Second Podcast")
        choose(app, "Two")
        app.key("ctrl+d")
        show(app, "Saved")
        wait_for_titles(app, "Two")
        choose(app, "Two")
        app.press("button", "Second Podcast", harness.on_page)
        wait_for_titles(app, *SECOND)
        wait_until("its row has the focus", lambda: (node := app.focused()) and node.name.startswith("Two, "))
        app.wait_for("heading", "Two", harness.on_page)
        # What a search has found there makes way, too.
        app.window_action("search-for", harness.GLib.Variant("s", "One"))
        wait_for_titles(app, "One")
        choose(app, "One")
        app.press("button", "Second Podcast", harness.on_page)
        wait_for_titles(app, *SECOND)
        app.wait_for("heading", "One", harness.on_page)


@case
def by_keys():
    """Alt and a number shows each view, and each says in its own words that it is empty"""
    with two_podcasts() as app:
        app.key("alt+2")
        app.wait_for("label", "No Episodes in Progress")
        app.key("alt+3")
        app.wait_for("label", "No Downloads")
        app.key("alt+4")
        app.wait_for("label", "No Liked Episodes")
        app.wait_until_gone("label", "No Episode Selected")
        app.key("alt+5")
        app.wait_for("label", "No History Yet")
        app.key("alt+1")
        wait_until("New is listed", lambda: len(app.rows()) == 2)
        app.press("toggle button", "Menu")
        app.press(MENU_ITEMS, "Mark All as Played")
        app.wait_for("label", "You Are Up to Date")
        app.wait_for("list item", "New")


@case
def heard_and_begun():
    """What is begun goes from New to In Progress, and into the history"""
    with two_podcasts() as app, harness.Listener() as listener:
        show(app, "New")
        choose(app, "One")
        app.key("ctrl+Return")
        listener.wait_for_sound(1, 30)
        app.start_episode()
        app.action("play-pause")
        listener.wait_for_silence()
        app.wait_for("list item", "In Progress")
        app.wait_for("list item", "New, 1 new episode")
        app.key("alt+2")
        wait_for_titles(app, "One")
        app.key("alt+5")
        wait_for_titles(app, "One")
        app.wait_for("list item", pattern("^One, Second Podcast, .*left"))


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
def days():
    """The history is parted by days; what is played goes to today, and what is looked for has no headings"""
    with two_podcasts() as app:
        wait_until("it is kept", lambda: (app.profile.state / "subscriptions.json").exists())
        hear_elsewhere(app, {0: 0, 1: 1, 2: 1, 3: 400})
        app.key("alt+5")
        wait_until("all are listed", lambda: sorted(titles(app)) == sorted(FIRST))
        long_ago = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=400)
        wanted = ["Today", "Yesterday", f"{long_ago:%A, %B} {long_ago.day}, {long_ago.year}"]
        wait_until(f"the headings are {wanted}", lambda: headings(app) == wanted)
        wait_until("the rows say when they came out", lambda: "Nov" in app.rows()[0].name)
        choose(app, "Delta")
        app.key("ctrl+Return")
        app.wait_for_status("Playing")
        wait_until("some of it was heard", lambda: app.position() > 13)
        app.action("play-pause")
        wait_until("it is the first", lambda: titles(app)[0] == "Delta")
        wait_until("nothing of that day is left", lambda: headings(app) == ["Today", "Yesterday"])
        app.key("ctrl+f")
        app.type("Bravo")
        wait_until("it is found", lambda: titles(app) == ["Bravo"])
        wait_until("there is no heading", lambda: not headings(app))


@case
def like():
    """A heart by key, by the row's menu, by the button of the page; the view and the filter list it; it can be taken back"""
    with two_podcasts() as app:
        show(app, "First Podcast")
        choose(app, "Bravo")
        app.key("ctrl+d")
        app.wait_for("list item", pattern("^Bravo, .*, liked"))
        harness.stays("there is no toast", lambda: not app.find("button", "Undo"), 0.5)
        app.choose_filter("Liked")
        wait_for_titles(app, "Bravo")
        app.choose_filter("All")
        wait_for_titles(app, *FIRST)
        from_row_menu(app, "Delta", "Like")
        app.wait_for("list item", pattern("^Delta, .*, liked"))
        app.key("alt+4")
        wait_for_titles(app, "Bravo", "Delta")
        choose(app, "Delta")
        app.press("toggle button", "Liked")
        wait_for_titles(app, "Bravo")
        app.key("ctrl+z")
        wait_for_titles(app, "Bravo", "Delta")
        from_row_menu(app, "Bravo", "Unlike")
        wait_for_titles(app, "Delta")


@case
def mark_all():
    """All of a podcast, from its menu; Undo in the toast brings back what was not listened to, and only that"""
    with two_podcasts() as app:
        show(app, "First Podcast")
        choose(app, "Charlie")
        app.key("ctrl+l")
        wait_for_unplayed(app, 3)
        app.press("toggle button", "Podcast Menu")
        app.press(MENU_ITEMS, "Mark All as Played")
        app.wait_for("list item", "First Podcast")
        app.wait_for_toast("3 episodes marked as played")
        app.press_undo()
        wait_for_unplayed(app, 3)
        app.wait_for("list item", pattern("^Charlie, .*, played$"))
        app.wait_for("list item", "Second Podcast, 1 new episode")


@case
def mark_older():
    """Select All Below takes the older episodes, too; Ctrl+Z undoes what is done to them"""
    with two_podcasts() as app:
        show(app, "First Podcast")
        wait_for_titles(app, *FIRST)
        from_row_menu(app, "Charlie", "Select")
        app.wait_for("label", "1 selected")
        app.press("toggle button", "More")
        app.press(MENU_ITEMS, "Select All Below")
        app.wait_for("label", "2 selected")
        app.press("button", "Mark as Played")
        wait_for_unplayed(app, 2)
        for title in ("Charlie", "Delta"):
            app.wait_for("list item", pattern(f"^{title}, .*, played$"))
        app.key("ctrl+z")
        wait_for_unplayed(app, 4)


@case
def several_by_pointer():
    """Shift and Ctrl select several rows; a button marks them; what was shown beside them is there again after that"""
    with two_podcasts() as app:
        show(app, "First Podcast")
        choose(app, "Alpha")
        app.xdotool("keydown", "shift")
        try:
            app.click(row_of(app, "Charlie"))
        finally:
            app.xdotool("keyup", "shift")
        app.wait_for("label", "3 selected")
        app.xdotool("keydown", "ctrl")
        try:
            app.click(row_of(app, "Bravo"))
        finally:
            app.xdotool("keyup", "ctrl")
        app.wait_for("label", "2 selected")
        app.wait_for("label", "2 Episodes Selected", harness.on_page)
        app.click(app.wait_for("button", "Mark as Played"))
        wait_for_unplayed(app, 2)
        for title in ("Alpha", "Charlie"):
            app.wait_for("list item", pattern(f"^{title}, .*, played$"))
        app.wait_until_gone("label", "2 selected")
        app.wait_for("heading", "Alpha", harness.on_page)
        app.key("ctrl+z")
        wait_for_unplayed(app, 4)


@case
def several_by_keys():
    """Ctrl+A selects all, Escape lets go of them"""
    with two_podcasts() as app:
        show(app, "First Podcast")
        choose(app, "Bravo")
        app.key("ctrl+a")
        app.wait_for("label", "4 selected")
        app.key("Escape")
        app.wait_until_gone("label", "4 selected")
        app.key("Down")
        app.wait_for("heading", "Charlie", harness.on_page)


def open_catalogue(app):
    return sqlite3.connect(app.profile.folder / "data" / "earmark" / "catalogue.db", isolation_level=None)


def marked(app):
    return [title_of(row) for row in app.rows() if row.name.endswith(", played")]


@case
def taken_back_at_once():
    """Ctrl+Z right after Ctrl+L takes those marks back, which are not stored yet, and nothing that was done before"""
    with two_podcasts() as app, contextlib.closing(open_catalogue(app)) as other:
        show(app, "First Podcast")
        choose(app, "Bravo")
        app.key("ctrl+l")
        app.wait_for("list item", pattern("^Bravo, .*, played$"))
        app.key("ctrl+a")
        app.wait_for("label", "4 selected")
        # Nothing can be stored until this lets go.
        other.execute("BEGIN IMMEDIATE")
        app.key("ctrl+l")
        wait_until("all are marked", lambda: marked(app) == list(FIRST))
        app.key("ctrl+z")
        other.execute("ROLLBACK")
        wait_until("only Bravo is marked", lambda: marked(app) == ["Bravo"])
        wait_for_unplayed(app, 3)
        assert not app.find("label", "3 episodes marked as played"), "it is offered to be taken back"


def are_marked(app, wanted):
    rows = app.rows()
    return len(rows) == len(FIRST) and all((", played" in row.name) == wanted for row in rows)


def mark_several(app, wanted):
    app.key("ctrl+a")
    app.wait_for("label", "4 selected")
    app.key("ctrl+l")
    wait_until("all are marked" if wanted else "none is marked", lambda: are_marked(app, wanted))


def is_liked(app, title):
    return ", liked" in row_of(app, title).name


@case
def last_taken_back():
    """Ctrl+Z takes back what was done last, and only that, whatever was done before and is not stored yet"""
    with two_podcasts() as app, contextlib.closing(open_catalogue(app)) as other:
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

        other.execute("BEGIN IMMEDIATE")
        mark_several(app, False)
        app.key("ctrl+z", "ctrl+d")
        wait_until("it is liked", lambda: is_liked(app, "Bravo"))
        other.execute("ROLLBACK")
        wait_until("all are marked", lambda: are_marked(app, True))
        harness.stays("it is liked", lambda: is_liked(app, "Bravo"), 0.5)

        other.execute("BEGIN IMMEDIATE")
        mark_several(app, False)
        mark_several(app, True)
        app.key("ctrl+z")
        other.execute("ROLLBACK")
        wait_until("only the first is done", lambda: are_marked(app, False))
        wait_for_unplayed(app, 4)
        harness.stays("none is marked", lambda: are_marked(app, False), 0.5)


@case
def its_own_taken_back():
    """Undo in a toast takes back what that says, also where something else was done since and is not stored yet"""
    with two_podcasts() as app, contextlib.closing(open_catalogue(app)) as other:
        show(app, "First Podcast")
        choose(app, "Bravo")

        def marked_with_toast():
            mark_several(app, True)
            if app.hold_toast("4 episodes marked as played"):
                return True
            mark_several(app, False)
            return False
        wait_until("all are marked, and the toast stays", marked_with_toast)
        other.execute("BEGIN IMMEDIATE")
        mark_several(app, False)
        app.wait_for("button", "Undo").press()
        other.execute("ROLLBACK")
        app.wait_for_toast("4 episodes marked as unplayed")
        harness.stays("none is marked", lambda: are_marked(app, False), 0.5)


@case
def several_marked_by_key():
    """Ctrl+L is about the selected ones while several are, or while they are ticked; the one that is shown else"""
    with two_podcasts() as app:
        show(app, "First Podcast")
        choose(app, "Bravo")
        app.key("ctrl+a")
        app.wait_for("label", "4 selected")
        app.key("ctrl+l")
        for title in FIRST:
            app.wait_for("list item", pattern(f"^{title}, .*, played$"))
        app.wait_until_gone("label", "4 selected")
        app.key("ctrl+z")
        wait_for_unplayed(app, 4)

        try_until("the mode begins", lambda: from_row_menu(app, "Delta", "Select"), lambda: app.find("label", "1 selected"))
        app.key("ctrl+l")
        app.wait_for("list item", pattern("^Delta, .*, played$"))
        wait_for_unplayed(app, 3)
        app.wait_until_gone("label", "1 selected")
        app.key("ctrl+l")
        app.wait_for("list item", pattern("^Bravo, .*, played$"))
        wait_for_unplayed(app, 2)

        # Some have it: those that have not get it; then all have.
        app.key("ctrl+a")
        app.wait_for("label", "4 selected")
        app.key("ctrl+l")
        app.wait_for("list item", "First Podcast")
        app.wait_until_gone("label", "4 selected")
        app.key("ctrl+a")
        app.wait_for("label", "4 selected")
        app.key("ctrl+l")
        wait_for_unplayed(app, 4)


@case
def none_ticked():
    """While rows are ticked, keys are about them alone, also where there is none"""
    with two_podcasts() as app:
        show(app, "First Podcast")
        choose(app, "Alpha")
        try_until("the mode begins", lambda: from_row_menu(app, "Bravo", "Select"), lambda: app.find("label", "1 selected"))
        try_until("a click unticks", lambda: app.click(row_of(app, "Bravo")), lambda: app.find("label", "Select episodes"))
        app.key("ctrl+l")
        harness.stays("nothing is marked", lambda: count_unplayed(app) == 4, 0.5)


@case
def selecting():
    """Select, in the row's menu, makes each click a tick, as fingers need it"""
    with two_podcasts() as app:
        show(app, "First Podcast")
        choose(app, "Alpha")
        try_until("the mode begins", lambda: from_row_menu(app, "Bravo", "Select"), lambda: app.find("label", "1 selected"))
        try_until("a click ticks", lambda: app.click(row_of(app, "Delta")), lambda: app.find("label", "2 selected"))
        app.wait_for("label", "2 Episodes Selected", harness.on_page)
        try_until("a click unticks", lambda: app.click(row_of(app, "Delta")), lambda: app.find("label", "1 selected"))
        app.press("button", "Clear Selection")
        app.wait_until_gone("label", "1 selected")
        app.wait_for("heading", "Alpha", harness.on_page)
        choose(app, "Charlie")


def is_ticked(app, title):
    box = app.find("check box", "Select", lambda node: any(each.name.startswith(f"{title}, ") for each in node.ancestors()))
    return box is not None and "checked" in box.states


def n_boxes(app):
    return len(app.find_all("check box", "Select"))


@case
def boxes():
    """While several are selected a check box stands in the place of each play button, also beside the page, which says how many"""
    with two_podcasts() as app:
        show(app, "First Podcast")
        choose(app, "Alpha")
        assert n_boxes(app) == 0, "there are check boxes"
        app.key("shift+Down")
        app.wait_for("label", "2 Episodes Selected", harness.on_page)
        wait_until("there are check boxes", lambda: n_boxes(app) == len(FIRST))
        app.wait_until_gone("button", "Play", harness.in_row)
        wait_until("two are ticked", lambda: [title for title in FIRST if is_ticked(app, title)] == ["Alpha", "Bravo"])
        # A click on a box, and what a screen reader does with it, is about that row alone.
        app.click(row_of(app, "Delta"), across=BUTTON)
        app.wait_for("label", "3 Episodes Selected", harness.on_page)
        wait_until("three are ticked", lambda: [title for title in FIRST if is_ticked(app, title)] == ["Alpha", "Bravo", "Delta"])
        for left, title in ((2, "Alpha"), (1, "Bravo")):
            next(node for node in row_of(app, title).walk() if node.role == "label").do("row.tick")
            app.wait_for("label", f"{left} selected")
        app.wait_for("label", "1 Episode Selected", harness.on_page)
        app.key("Escape")
        app.wait_for("heading", "Alpha", harness.on_page)
        wait_until("the play buttons are back", lambda: n_boxes(app) == 0 and app.find("button", "Play", harness.in_row))


@case
def several_liked():
    """A button and Ctrl+D like all that are selected, Ctrl+D takes it from those that all have it, and Ctrl+Z takes that back"""
    with two_podcasts() as app:
        show(app, "First Podcast")
        choose(app, "Bravo")
        app.key("ctrl+a")
        app.wait_for("label", "4 selected")
        app.click(app.wait_for("button", "Like"))
        wait_until("all are liked", lambda: all(is_liked(app, title) for title in FIRST))
        app.wait_for_toast("4 episodes liked")
        app.key("ctrl+z")
        wait_until("none is liked", lambda: not any(is_liked(app, title) for title in FIRST))
        app.key("ctrl+d")
        wait_until("the one that is shown is", lambda: [title for title in FIRST if is_liked(app, title)] == ["Bravo"])
        app.key("ctrl+a", "ctrl+d")
        wait_until("all are liked", lambda: all(is_liked(app, title) for title in FIRST))
        app.wait_for_toast("3 episodes liked")
        app.key("ctrl+a", "ctrl+d")
        wait_until("none is liked", lambda: not any(is_liked(app, title) for title in FIRST))
        app.key("ctrl+z")
        wait_until("all are liked", lambda: all(is_liked(app, title) for title in FIRST))


def is_selected(app, title):
    return "selected" in row_of(app, title).states


@case
def through_new():
    """Ctrl+L in New goes on to the next one, with the focus, and what plays is still shown when it has left"""
    with two_podcasts() as app:
        show(app, "New")
        wait_until("New is listed", lambda: len(app.rows()) == 2)
        first, second = titles(app)
        choose(app, first)
        app.key("ctrl+l")
        wait_for_titles(app, second)
        app.wait_for("heading", second, harness.on_page)
        wait_until("the focus is on it", lambda: (node := app.focused()) and node.name.startswith(second))
        wait_until("it is selected", lambda: is_selected(app, second))
        app.press("button", "Play", harness.in_row)
        app.wait_for("list item", pattern(f"^{second}, .*, playing$"))
        app.key("ctrl+l")
        wait_until("New is empty", lambda: app.rows() == [])
        app.wait_for("heading", second, harness.on_page)


@case
def played_from_row():
    """The play button of a row shows its episode beside the list"""
    with two_podcasts() as app:
        show(app, "First Podcast")
        choose(app, "Alpha")
        app.click(row_of(app, "Charlie"), across=BUTTON)
        app.wait_for("list item", pattern("^Charlie, .*, playing$"))
        app.wait_for("heading", "Charlie", harness.on_page)
        wait_until("it is selected", lambda: is_selected(app, "Charlie") and not is_selected(app, "Alpha"))
        choose(app, "Alpha")
        app.press("button", "Pause", harness.in_row)
        wait_until("it is silent", lambda: not app.find("list item", pattern("^Charlie, .*, playing$")))
        app.wait_for("heading", "Alpha", harness.on_page)


@case
def progress():
    """Checking that takes its time says how far it is, and can be stopped"""
    with Server() as server, Profile(write_feeds(server)[0]) as profile:
        addresses = (server.url("first.xml"), server.url("~mute/second.xml"))
        outlines = "".join(f'<outline type="rss" text="{address}" xmlUrl="{address}"/>' for address in addresses)
        profile.welcome.write_text(f'<?xml version="1.0"?><opml version="2.0"><head/><body>{outlines}</body></opml>')
        with App(profile) as app:
            app.wait_for("list item", "First Podcast, 1 new episode")
            show(app, "First Podcast")
            app.action("refresh-all")
            app.wait_for("label", CHECKING)
            app.wait_for("progress bar", CHECKING)
            # The sidebar tells of it, and nothing else: then whom it waits for, when nothing comes.
            wait_until("it is told once", lambda: len(app.find_all("label", pattern("^Checking"))) == 1)
            app.wait_for("label", "Waiting for 127.0.0.1")
            app.click(app.wait_for("button", "Stop"))
            app.wait_until_gone("label", "Waiting for 127.0.0.1")


@case
def refresh_button():
    """It is where new episodes come, and not where it would check nothing of what is shown"""
    with two_podcasts() as app:
        for name, there in (("Up Next", False), ("New", True), ("First Podcast", True)):
            show(app, name)
            if there:
                app.wait_for("button", "Check for New Episodes")
            else:
                app.wait_until_gone("button", "Check for New Episodes")
        # Views without content are listed only while they are chosen.
        for name, there in (("history", False), ("new", True), ("saved", False), ("downloads", False), ("in-progress", False)):
            app.window_action(f"show-{name}")
            if there:
                app.wait_for("button", "Check for New Episodes")
            else:
                app.wait_until_gone("button", "Check for New Episodes")


@case
def failing():
    """A podcast that could not be checked says so in the sidebar, until it can be; one of the same name as another says where it is from"""
    with Server() as server:
        addresses = write_feeds(server)
        with Profile(addresses[0]) as profile:
            feeds.write(server, "twin", "First Podcast", [Episode("Twin", "minute.cbr.mp3", 60)])
            twin = server.url("twin.xml").replace("127.0.0.1", "localhost")
            outlines = "".join(f'<outline type="rss" text="{address}" xmlUrl="{address}"/>' for address in (*addresses, twin))
            profile.welcome.write_text(f'<?xml version="1.0"?><opml version="2.0"><head/><body>{outlines}</body></opml>')
            with App(profile) as app:
                app.wait_for("list item", "First Podcast, 1 new episode, 127.0.0.1")
                app.wait_for("list item", "First Podcast, 1 new episode, localhost")
                app.wait_for("list item", "Second Podcast, 1 new episode")
                (server.root / "second.xml").rename(server.root / "away.xml")
                app.action("refresh-all")
                app.wait_for("list item", pattern("^Second Podcast, 1 new episode, ."))
                (server.root / "away.xml").rename(server.root / "second.xml")
                app.action("refresh-all")
                app.wait_for("list item", "Second Podcast, 1 new episode")


@case
def arrangements():
    """Each podcast keeps its own filter, the other one is not changed by it"""
    with two_podcasts() as app:
        show(app, "First Podcast")
        wait_for_titles(app, *FIRST)
        app.choose_filter("Liked")
        app.wait_for("label", "No Liked Episodes")
        show(app, "Second Podcast")
        wait_for_titles(app, *SECOND)
        show(app, "First Podcast")
        app.wait_for("label", "No Liked Episodes")
        app.press("button", "Show All Episodes")
        wait_for_titles(app, *FIRST)


@case
def another_while_fetching():
    """A podcast that shows nothing, as nothing of it is downloaded, says so while it is checked, also after one that is being fetched"""
    with Server() as server, Profile(server.url("~hold/empty.xml")) as profile:
        feeds.sound(server, "minute.cbr.mp3")
        feeds.write(server, "empty", "Empty Podcast", [])
        feeds.write(server, "first", "First Podcast", [Episode(title, "minute.cbr.mp3", 60) for title in FIRST])
        addresses = [server.url("~hold/empty.xml"), server.url("~hold/first.xml")]
        outlines = "".join(f'<outline type="rss" text="{address}" xmlUrl="{address}"/>' for address in addresses)
        profile.welcome.write_text(f'<?xml version="1.0"?><opml version="2.0"><head/><body>{outlines}</body></opml>')
        server.hold(False)
        with App(profile) as app:
            app.wait_for("list item", "First Podcast, 1 new episode")
            show(app, "First Podcast")
            wait_for_titles(app, *FIRST)
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


@case
def kept_over_a_restart():
    """The view that was shown is shown again"""
    with Server() as server, Profile(write_feeds(server)[0]) as profile:
        environment = {"GSETTINGS_BACKEND": "keyfile"}
        with App(profile, environment) as app:
            app.wait_for("list item", "New, 1 new episode")
            show(app, "New")
            wait_for_titles(app, "Alpha")
        with App(profile, environment) as app:
            wait_for_titles(app, "Alpha")
            app.wait_for("list item", pattern("^New, "), lambda node: "selected" in node.states)


harness.main()
