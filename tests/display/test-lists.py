#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of episodes: filters, order, search, marks and menus."""

import contextlib

import feeds
import harness
from feeds import Episode
from harness import App, Profile, Server, case, title_of, wait_until

EPISODES = [
    Episode("Alpha", "minute.cbr.mp3", 60, "<p>About <b>giraffes</b> and their necks.</p>"),
    Episode("Delta & Co", "minute.cbr.mp3", 600, "<p>About trains.</p>", explicit=True),
    Episode("Bravo", "minute.cbr.mp3", 300, "<p>Nothing much.</p>"),
    Episode("Charlie", None, 0),
]


@contextlib.contextmanager
def listed_app(**settings):
    with Server() as server:
        feeds.sound(server, "minute.cbr.mp3")
        with Profile(feeds.write(server, "mixed", "Mixed", EPISODES), settings) as profile, App(profile) as app:
            app.wait_for_rows(4)
            yield app


def titles(app):
    return [title_of(row) for row in app.rows()]


def wait_for_titles(app, *wanted):
    wait_until(f"the rows are {wanted}", lambda: titles(app) == list(wanted))


def wait_for_unplayed(app, *wanted):
    wait_until(f"{wanted} are not played", lambda: [title_of(row) for row in app.rows() if not row.name.endswith(", played")] == list(wanted))


@case
def search_by_keys():
    """Ctrl+F, words: only what holds them, in the title or in the notes, is listed; Escape lists all"""
    with listed_app() as app:
        app.wait_for("heading", "Alpha")
        app.key("ctrl+f")
        app.wait_for_entry()
        app.type("brav")
        wait_for_titles(app, "Bravo")
        app.key("ctrl+a", "BackSpace")
        wait_for_titles(app, "Alpha", "Delta & Co", "Bravo", "Charlie")
        app.type("giraffe")
        wait_for_titles(app, "Alpha")
        # What would be an operator to the database is a word to the listener.
        app.key("ctrl+a")
        app.type('delta & co" OR *')
        app.wait_for("label", "No Episodes Found")
        app.key("Escape")
        wait_for_titles(app, "Alpha", "Delta & Co", "Bravo", "Charlie")


@case
def search_finds_nothing():
    """Where nothing is found that is said, and a button looks everywhere; Escape shows all again"""
    with listed_app() as app:
        app.click(app.wait_for("toggle button", "Search Episodes"))
        app.wait_for_entry()
        app.type("zebra")
        app.wait_for("label", "No Episodes Found")
        app.press("button", "Search Everywhere")
        app.wait_until_gone("button", "Search Everywhere")
        app.wait_for("label", "No Episodes Found")
        app.key("Escape")
        wait_for_titles(app, "Alpha", "Delta & Co", "Bravo", "Charlie")


@case
def filters():
    """Unplayed leaves out what was listened to, In Progress keeps what was begun"""
    with listed_app() as app, harness.Listener() as listener:
        # What has just been followed has its newest episode for news.
        app.wait_for("list item", "Mixed, 1 new episode")
        app.press("toggle button", "Played")
        app.wait_for("list item", harness.pattern("^Alpha.*, played$"))
        app.wait_for("list item", "Mixed")
        wait_for_unplayed(app, "Delta & Co", "Bravo", "Charlie")
        app.choose_filter("Unplayed")
        wait_for_titles(app, "Delta & Co", "Bravo", "Charlie")
        app.click(app.row(1))
        app.wait_for("heading", "Bravo", harness.on_page)
        app.key("ctrl+Return")
        listener.wait_for_sound(1, 30)
        app.start_episode()
        app.action("play-pause")
        listener.wait_for_silence()
        app.choose_filter("In Progress")
        wait_for_titles(app, "Bravo")
        app.key("ctrl+l")
        app.wait_for("label", "No Episodes in Progress")
        app.press("button", "Show All Episodes")
        wait_for_titles(app, "Alpha", "Delta & Co", "Bravo", "Charlie")
        wait_for_unplayed(app, "Delta & Co", "Charlie")
        app.wait_for("list item", "Mixed")


@case
def without_media():
    """Where there is nothing to play an episode's page has no button to play or download it, and where there is it has both"""
    buttons = ("Play", "Download")
    with listed_app() as app:
        for title, there in (("Charlie", False), ("Bravo", True), ("Charlie", False), ("Alpha", True)):
            app.click(app.wait_for("list item", harness.pattern(f"^{title}, ")))
            app.wait_for("heading", title, harness.on_page)
            # These come with the same page.
            app.wait_for("toggle button", "Played", harness.on_page)
            wait_until(f"{title} has {'both buttons' if there else 'neither'}", lambda: [
                name for name in buttons if app.find("button", name, harness.on_page)] == (list(buttons) if there else []))
            if not there:
                harness.stays("it has neither", lambda: not app.find("button", harness.pattern("^(Play|Download)$"), harness.on_page), 0.5)


def has_play(app, title):
    """Whether the row of that episode has a button to play it."""
    return any(any(above.role == "list item" and above.name.startswith(title) for above in node.ancestors())
               for node in app.find_all("button", "Play", harness.in_row))


@case
def without_media_beside_what_plays():
    """Where there is nothing to play a row has no Play; to choose it, by Enter and Ctrl+Return too, leaves alone what plays"""
    with listed_app() as app:
        wait_until("others have the button", lambda: has_play(app, "Alpha"))
        app.press("button", "Play", lambda node: any(above.name.startswith("Bravo, ") for above in node.ancestors()))
        app.wait_for_status("Playing")
        app.click(app.wait_for("list item", harness.pattern("^Charlie, ")))
        app.wait_for("heading", "Charlie", harness.on_page)
        assert not has_play(app, "Charlie")
        app.key("Return", "ctrl+Return")
        app.wait_for_toast("“Charlie” has nothing to play")
        harness.stays("Bravo plays", lambda: app.status() == "Playing" and app.mpris_get("Metadata").get("xesam:title") == "Bravo", 0.5)


def publish(server, title):
    """Puts an episode before those that the feed of the long podcast has."""
    path = server.root / "long.xml"
    text = path.read_text()
    days = text.count("<item>")
    new = feeds.item(-days, Episode(title))
    path.write_text(text.replace("<item>", f"{new}<item>", 1))


@case
def new_at_the_top():
    """An episode that arrives is in sight where the list is at its top; further down nothing moves"""
    with Server() as server:
        address = feeds.write(server, "long", "Long", [Episode(f"Number {number}") for number in range(40)])
        with Profile(address) as profile, App(profile) as app:
            app.wait_for_rows(5)
            for title in ("First News", "Second News"):
                publish(server, title)
                app.window_action("refresh")
                wait_until(f"{title} is in sight", lambda: titles(app)[:1] == [title])
            app.go_to_list("Episodes")
            app.key("End")
            wait_until("the last one is in sight", lambda: titles(app)[-1:] == ["Number 39"])
            before = harness.settled("the rows stand still", lambda: titles(app))
            publish(server, "Third News")
            app.window_action("refresh")
            wait_until("it has come", lambda: app.episode_count() == 43)
            harness.stays("the same rows are in sight", lambda: titles(app) == before, 0.5)


@case
def marks():
    """A new episode, and one that is in Up Next, have a mark, which is heard with the row"""
    with listed_app() as app:
        def n_icons(title):
            return len([node for node in app.wait_for("list item", harness.pattern(f"^{title}, ")).walk() if node.role in ("image", "icon")])
        app.wait_for("list item", harness.pattern("^Alpha, .*, new$"))
        wait_until("only that one has a mark", lambda: [n_icons(title) for title in ("Alpha", "Bravo")] == [1, 0])
        app.window_action("select-episode", harness.GLib.Variant("u", 2))
        app.wait_for("heading", "Bravo", harness.on_page)
        app.window_action("toggle-queued")
        app.wait_for("list item", harness.pattern("^Bravo, .*, in Up Next$"))
        wait_until("it has a mark, too", lambda: n_icons("Bravo") == 1)
        app.window_action("toggle-queued")
        wait_until("it has none", lambda: n_icons("Bravo") == 0 and app.find("list item", harness.pattern("in Up Next")) is None)
        app.window_action("select-episode", harness.GLib.Variant("u", 0))
        app.window_action("toggle-listened")
        app.wait_until_gone("list item", harness.pattern("^Alpha, .*new"))


@case
def excerpts():
    """What a search has found by its title is as high as ever; only what was found in the notes has room for them"""
    with listed_app() as app:
        def height(title):
            return app.settled_place(app.wait_for("list item", harness.pattern(f"^{title}, ")))[3]
        before = height("Bravo")
        app.key("ctrl+f")
        app.wait_for_entry()
        app.type("bravo")
        wait_for_titles(app, "Bravo")
        assert height("Bravo") == before, (height("Bravo"), before)
        app.key("ctrl+a")
        app.type("giraffe")
        wait_for_titles(app, "Alpha")
        app.wait_for("label", harness.pattern("^Notes.*giraffe"), harness.in_row)
        assert height("Alpha") > before, (height("Alpha"), before)


@case
def orders():
    """Oldest, by title, longest: from the menu"""
    with listed_app() as app:
        for name, wanted in (("Oldest First", ("Charlie", "Bravo", "Delta & Co", "Alpha")),
                             ("By Title", ("Alpha", "Bravo", "Charlie", "Delta & Co")),
                             ("Longest First", ("Delta & Co", "Bravo", "Alpha", "Charlie")),
                             ("Newest First", ("Alpha", "Delta & Co", "Bravo", "Charlie"))):
            app.press("toggle button", "Sort Order")
            item = app.wait_for(("menu item", "radio menu item", "check menu item", "radio button"), name)
            item.press()
            wait_for_titles(app, *wanted)


@case
def row_menu():
    """A right click on a row, and the menu key, mark that row's episode"""
    items = ("menu item", "radio menu item")
    with listed_app() as app:
        app.click(app.row(2), button=3)
        app.press(items, "Mark as Played")
        app.wait_for("list item", harness.pattern("^Bravo.*, played$"))
        app.wait_for("heading", "Alpha", harness.on_page)
        app.click(app.row(2))
        app.wait_for("heading", "Bravo", harness.on_page)
        app.key("Menu")
        app.press(items, "Mark as Unplayed")
        app.wait_until_gone("list item", harness.pattern("^Bravo.*, played$"))


@case
def next_follows_the_list():
    """Next goes on in the order of the list that was played from"""
    with listed_app() as app, harness.Listener() as listener:
        app.press("toggle button", "Sort Order")
        app.press(("menu item", "radio menu item", "check menu item", "radio button"), "Oldest First")
        wait_for_titles(app, "Charlie", "Bravo", "Delta & Co", "Alpha")
        app.click(app.row(1))
        app.wait_for("heading", "Bravo", harness.on_page)
        app.key("ctrl+Return")
        listener.wait_for_sound(0, 30)
        app.key("ctrl+Next")
        wait_until("the next plays", lambda: app.mpris_get("Metadata").get("xesam:title") == "Delta & Co")
        app.key("ctrl+Next")
        wait_until("the last plays", lambda: app.mpris_get("Metadata").get("xesam:title") == "Alpha")
        wait_until("there is no further one", lambda: not app.mpris_get("CanGoNext"))
        listener.wait_for_sound(0, 30)


@case
def by_arrow_keys():
    """The arrow keys lead through the list, Enter plays"""
    with listed_app() as app, harness.Listener() as listener:
        app.click(app.row(0))
        app.key("Down")
        app.wait_for("heading", "Delta & Co", harness.on_page)
        app.key("Down")
        app.wait_for("heading", "Bravo", harness.on_page)
        app.key("Up")
        app.wait_for("heading", "Delta & Co", harness.on_page)
        app.key("Return")
        listener.wait_for_sound(0, 30)
        assert app.mpris_get("Metadata")["xesam:title"] == "Delta & Co"


NARROW = {"window_width": 360, "window_height": 640}
COUNT = 40


@contextlib.contextmanager
def long_list(settings=None):
    """More rows than have room, and where the list begins and ends on the screen."""
    with Server() as server:
        episodes = [Episode(f"Part {number}") for number in range(COUNT)]
        with Profile(feeds.write(server, "long", "Long", episodes), settings) as profile, App(profile) as app:
            app.wait_for("list item", harness.pattern("^Part 0,"))
            wait_until("all have come", lambda: app.find("label", harness.pattern(f"{COUNT} episodes"), harness.on_page))
            yield app, app.wait_for("list", "Episodes")


def place_of(app, number):
    """Where the row stands, and how high it is."""
    row = app.wait_for("list item", harness.pattern(f"^Part {number},"))
    _, y, _, height = app.settled_place(row)
    return y, height


def scroll(app, node, steps):
    x, y, width, height = app.settled_place(node)
    app.xdotool("mousemove", x + width // 2, y + height // 2, "click", "--repeat", steps, 5)
    app.let_it_act()
    app.settled_place(node)


def seen(app, episodes):
    """The numbers of the rows that are in sight as a whole."""
    _, top, _, height = app.place(episodes)
    places = {int(title_of(row).split()[1]): app.place(row) for row in app.rows()}
    return sorted(number for number, (_, y, _, high) in places.items() if top <= y and y + high <= top + height)


def held(app, key, row):
    app.xdotool("keydown", key)
    app.click(row)
    app.xdotool("keyup", key)


@case
def rows_stand_still():
    """As the bar of the selected ones comes and goes, rows stay where they are, under the pointer too"""
    with long_list() as (app, episodes):
        scroll(app, app.row(2), 4)
        numbers = seen(app, episodes)
        assert numbers[0] > 0, f"nothing has been scrolled: {numbers}"
        first, second, watched = numbers[1], numbers[-3], numbers[3]
        app.click(app.wait_for("list item", harness.pattern(f"^Part {first},")))
        before = {number: place_of(app, number) for number in (first, watched, second)}
        held(app, "ctrl", app.wait_for("list item", harness.pattern(f"^Part {second},")))
        app.wait_for("label", "2 selected")
        after = {number: place_of(app, number) for number in before}
        assert after == before, f"the rows were at {before}, and are at {after}"
        app.key("Escape")
        app.wait_until_gone("label", "2 selected")
        after = {number: place_of(app, number) for number in before}
        assert after == before, f"with the bar gone they were at {before}, and are at {after}"


@case
def rows_stand_still_by_keys():
    """So they do by keys, but that the row which has the focus is not under the bar"""
    with long_list() as (app, episodes):
        app.click(app.row(1))
        before = place_of(app, 3)
        app.key("shift+Down")
        app.wait_for("label", "2 selected")
        assert place_of(app, 3) == before, f"from {before} to {place_of(app, 3)}"
        app.key("Escape")
        app.wait_until_gone("label", "2 selected")
        assert place_of(app, 3) == before, f"back at {place_of(app, 3)}, and not at {before}"

        last = seen(app, episodes)[-1]
        app.click(app.wait_for("list item", harness.pattern(f"^Part {last},")))
        app.key("shift+Down")
        app.wait_for("label", "2 selected")
        for number in range(last + 1, last + 4):
            y, height = place_of(app, number)
            _, top, _, room = app.settled_place(episodes)
            bar = app.settled_place(app.wait_for("button", "Clear Selection"))[1]
            assert y + height <= min(top + room, bar), f"Part {number} at {y}, {height} high, is under the bar at {bar}"
            app.key("shift+Down")
            app.wait_for("label", f"{number - last + 2} selected")


@case
def rows_stand_still_narrow():
    """360 px: so they do as one is selected from its menu"""
    with long_list(NARROW) as (app, episodes):
        scroll(app, app.row(2), 4)
        number = seen(app, episodes)[3]
        before = place_of(app, number)
        app.click(app.wait_for("list item", harness.pattern(f"^Part {number},")), button=3)
        app.press("menu item", "Select")
        app.wait_for("label", "1 selected")
        assert place_of(app, number) == before, f"from {before} to {place_of(app, number)}"
        app.key("Escape")
        app.wait_until_gone("label", "1 selected")
        assert place_of(app, number) == before, f"back at {place_of(app, number)}, and not at {before}"


harness.main()
