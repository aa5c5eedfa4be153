#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of episodes: filters, order, search, marks and menus."""

import feeds
import harness
from feeds import Episode
from harness import case, pattern, title_of, wait_until

EPISODES = [
    Episode("Alpha", "minute.cbr.mp3", 60, "<p>About <b>giraffes</b> and their necks.</p>"),
    Episode("Delta & Co", "minute.cbr.mp3", 600, "<p>About trains.</p>"),
    Episode("Bravo", "minute.cbr.mp3", 300, "<p>Nothing much.</p>"),
    Episode("Charlie", None, 0),
]


def listed_app():
    return feeds.one_podcast("Mixed", EPISODES)


def wait_for_unplayed(app, *wanted):
    wait_until(f"{wanted} are not played", lambda: [title_of(row) for row in app.rows() if not row.name.endswith(", played")] == list(wanted))


@case
def filters_and_orders():
    """Filters leave out what was played, or keep what was begun; the menu sorts; Next goes on in the order that is listed"""
    with listed_app() as app:
        app.wait_for("list item", "Mixed, 1 new episode")
        app.press("toggle button", "Played")
        app.wait_for("list item", pattern("^Alpha.*, played$"))
        app.wait_for("list item", "Mixed")
        app.choose_filter("Unplayed")
        app.wait_for_titles("Delta & Co", "Bravo", "Charlie")
        app.choose_episode("Bravo")
        app.play()
        app.start_episode()
        app.action("play-pause")
        app.choose_filter("In Progress")
        app.wait_for_titles("Bravo")
        app.key("ctrl+l")
        app.wait_for("label", "No Episodes in Progress")
        app.press("button", "Show All Episodes")
        app.wait_for_titles("Alpha", "Delta & Co", "Bravo", "Charlie")
        wait_for_unplayed(app, "Delta & Co", "Charlie")
        app.window_action("undo")
        wait_for_unplayed(app, "Delta & Co", "Bravo", "Charlie")
        for name, wanted in (("By Title", ("Alpha", "Bravo", "Charlie", "Delta & Co")),
                             ("Longest First", ("Delta & Co", "Bravo", "Alpha", "Charlie")),
                             ("Oldest First", ("Charlie", "Bravo", "Delta & Co", "Alpha"))):
            app.from_menu("Sort Order", name)
            app.wait_for_titles(*wanted)
        app.choose_episode("Bravo")
        app.play()
        app.key("ctrl+Next")
        wait_until("the next plays", lambda: app.mpris_get("Metadata").get("xesam:title") == "Delta & Co")


@case
def without_media():
    """An episode without media has no button to play or download it, in its row or on its page; to choose it leaves what plays alone"""
    buttons = ("Play", "Download")
    with listed_app() as app:
        for title, there in (("Charlie", False), ("Bravo", True), ("Charlie", False), ("Alpha", True)):
            app.choose_episode(title)
            # These come with the same page.
            app.wait_for("toggle button", "Played", harness.on_page)
            wait_until(f"{title} has {'both buttons' if there else 'neither'}", lambda: [
                name for name in buttons if app.find("button", name, harness.on_page)] == (list(buttons) if there else []))
            if not there:
                harness.stays("it has neither", lambda: not app.find("button", pattern("^(Play|Download)$"), harness.on_page), 0.5)
        wait_until("others have the button", lambda: has_play(app, "Alpha"))
        app.press_play(lambda node: any(above.name.startswith("Bravo, ") for above in node.ancestors()))
        app.choose_episode("Charlie")
        assert not has_play(app, "Charlie")
        app.key("Return", "ctrl+Return")
        app.wait_for_toast("“Charlie” has nothing to play")
        harness.stays("Bravo plays", lambda: app.status() == "Playing" and app.mpris_get("Metadata").get("xesam:title") == "Bravo", 0.5)


def has_play(app, title):
    """Whether the row of that episode has a button to play it."""
    return any(any(above.role == "list item" and above.name.startswith(title) for above in node.ancestors())
               for node in app.find_all("button", "Play", harness.in_row))


@case
def rows():
    """A row has a mark where its episode is new or in Up Next, and room for excerpts where a search finds its notes; its menu shows nothing else"""
    with listed_app() as app:
        def n_icons(title):
            return len([node for node in app.row_of(title).walk() if node.role in ("image", "icon")])

        def height(title):
            return app.settled_place(app.row_of(title))[3]
        app.wait_for("list item", pattern("^Alpha, .*, new$"))
        wait_until("only that one has a mark", lambda: [n_icons(title) for title in ("Alpha", "Bravo")] == [1, 0])
        app.from_row_menu("Bravo", "Add to Up Next")
        app.wait_for("list item", pattern("^Bravo, .*, in Up Next$"))
        wait_until("it has a mark, too", lambda: n_icons("Bravo") == 1)
        app.wait_for("heading", "Alpha", harness.on_page)
        app.from_row_menu("Alpha", "Mark as Played")
        app.wait_until_gone("list item", pattern("^Alpha, .*new"))
        before = height("Delta & Co")
        app.search("delta")
        app.wait_for_titles("Delta & Co")
        assert height("Delta & Co") == before, (height("Delta & Co"), before)
        app.retype("giraffe")
        app.wait_for_titles("Alpha")
        app.wait_for("label", pattern("^Notes.*giraffe"), harness.in_row)
        assert height("Alpha") > before, (height("Alpha"), before)


def publish(server, title):
    """Puts an episode before those that the feed of the long podcast has."""
    path = server.root / "long.xml"
    text = path.read_text()
    days = text.count("<item>")
    new = feeds.item(-days, Episode(title))
    path.write_text(text.replace("<item>", f"{new}<item>", 1))


@case
def new_at_the_top():
    """An episode that arrives is in sight where the list is at its top; further down nothing moves; rows that keys select are above the bar"""
    with feeds.following(lambda server: feeds.write(server, "long", "Long", [Episode(f"Number {number}") for number in range(40)]), n_rows=5) as app:
        for title in ("First News", "Second News"):
            publish(app.server, title)
            # A check that is still under way, as the one before may be, takes no second request.
            wait_until(f"{title} is in sight", lambda: app.titles()[:1] == [title] or app.window_action("refresh"))
        app.go_to_list("Episodes")
        app.key("End")
        wait_until("the last one is in sight", lambda: app.titles()[-1:] == ["Number 39"])
        before = harness.settled("the rows stand still", lambda: app.titles())
        publish(app.server, "Third News")
        wait_until("it has come", lambda: app.episode_count() == 43 or app.window_action("refresh"))
        harness.stays("the same rows are in sight", lambda: app.titles() == before, 0.5)
        app.key("Home")
        app.click(app.row_of("Number 0"))
        for number in range(1, 21):
            app.key("shift+Down")
            app.wait_for("label", f"{number + 1} selected")
        bar = app.settled_place(app.wait_for("button", "Clear Selection"))[1]
        _, y, _, height = app.settled_place(app.wait_for("list item", pattern("^Number 20,")))
        assert y + height <= bar, f"the row at {y}, {height} high, is under the bar at {bar}"


@case
def another_list_from_its_top():
    """Another podcast's list begins with its first row, though the one before was scrolled"""
    titles = [f"{name} {number:02}" for name in ("Alpha", "Bravo") for number in range(40)]
    with feeds.two_podcasts(titles[:40], titles[40:]) as app:
        for podcast, first in (("First", "Alpha 00"), ("Second", "Bravo 00"), ("First", "Alpha 00")):
            app.click(app.wait_for("list item", pattern(f"^{podcast} Podcast")))
            wait_until(f"{first} is the first row in sight", lambda: (titles := app.titles()) and titles[0] == first)
            x, y = app.place_in(app.row(3), 0.5)
            app.xdotool("mousemove", round(x), round(y), "click", "--repeat", 3, 5)
            wait_until("it is scrolled", lambda: (titles := app.titles()) and titles[0] != first)


harness.main()
