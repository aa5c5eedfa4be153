#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Searching: in one podcast or everywhere, where the words are, the order, and the way back."""

import contextlib
import os
import subprocess

import accessible
import feeds
import harness
from feeds import Episode
from harness import App, Profile, Server, case, pattern, title_of, wait_until

FIRST = [
    Episode("Alpha", "minute.cbr.mp3", 60, "<p>Long ago a giraffe went to the sea and found it wet.</p>"),
    Episode("Bravo", "minute.cbr.mp3", 60, "<p>Nothing of note.</p>"),
    Episode("The Giraffe", "minute.cbr.mp3", 60, "<p>A giraffe, another giraffe, giraffe upon giraffe.</p>"),
]
SECOND = [
    Episode("One", "minute.cbr.mp3", 60, "<p>Overriding <code>__torch_function__</code> with care.</p>"),
    Episode("Two", "minute.cbr.mp3", 60, "<p>How the giraffe got its neck.</p>"),
]

# The episodes of a long podcast in whose notes the words are
HITS = {f"Episode {number}" for number in range(0, 140, 7)}


@contextlib.contextmanager
def two_podcasts():
    with Server() as server:
        feeds.sound(server, "minute.cbr.mp3")
        addresses = [feeds.write(server, name, title, episodes) for name, title, episodes in
                     (("first", "First Podcast", FIRST), ("second", "Second Podcast", SECOND))]
        with Profile(addresses[0]) as profile:
            outlines = "".join(f'<outline type="rss" text="{address}" xmlUrl="{address}"/>' for address in addresses)
            profile.welcome.write_text(f'<?xml version="1.0"?><opml version="2.0"><head/><body>{outlines}</body></opml>')
            with App(profile) as app:
                app.wait_for("list item", "Second Podcast, 1 new episode")
                app.click(app.wait_for("list item", "First Podcast, 1 new episode"))
                wait_for_titles(app, "Alpha", "Bravo", "The Giraffe")
                app.click(row_of(app, "Bravo"))
                app.wait_for("heading", "Bravo", harness.on_page)
                yield app


def titles(app):
    return [title_of(row) for row in app.rows()]


def wait_for_titles(app, *wanted):
    wait_until(f"the rows are {wanted}", lambda: titles(app) == list(wanted))


def begin(app, keys="ctrl+f"):
    app.key(keys)
    wait_until("the words go into the entry", lambda: [node for node in app.read().walk() if "focused" in node.states and
                                                       node.role in ("entry", "text", "search box", "searchbox")])


def wait_for_list(app):
    wait_until("the focus is in the list", lambda: (node := app.focused()) and node.is_in("list", "Episodes"))


def wait_for_focus(app, title):
    wait_until(f"the focus is on {title}", lambda: (node := app.focused()) and node.role == "list item" and title_of(node) == title)


def row_of(app, title):
    return wait_until(f"there is a row {title}", lambda: next((row for row in app.rows() if title_of(row) == title), None))


@case
def best_first():
    """What fits best comes first, and each row shows where its words are"""
    with two_podcasts() as app:
        begin(app)
        app.type("giraffe")
        wait_for_titles(app, "The Giraffe", "Alpha")
        app.wait_for("label", pattern("a giraffe went to the sea"))
        app.wait_for("label", pattern("giraffe upon giraffe"))
        app.key("Escape")
        wait_for_titles(app, "Alpha", "Bravo", "The Giraffe")
        app.wait_until_gone("label", pattern("a giraffe went to the sea"), harness.in_row)


@case
def what_is_read_stays():
    """The episode that is shown stays the selected one when what was found is put in order, and so does its page"""
    with two_podcasts() as app:
        app.click(row_of(app, "Alpha"))
        app.wait_for("heading", "Alpha", harness.on_page)
        begin(app)
        app.type("giraffe")
        wait_for_titles(app, "The Giraffe", "Alpha")
        app.wait_for("label", pattern("giraffe upon giraffe"))
        wait_until("it is selected", lambda: "selected" in row_of(app, "Alpha").states)
        harness.stays("what is read", lambda: titles(app) == ["The Giraffe", "Alpha"] and "selected" in row_of(app, "Alpha").states and
                      app.find("heading", "Alpha", harness.on_page) is not None, 0.5)


@case
def found_while_on_screen():
    """What is kept of an episode while a search is on screen is found by it, and shown where it is; the row that was chosen stays so"""
    with two_podcasts() as app:
        app.key("ctrl+Return")
        app.wait_for_status("Playing")
        app.action("play-pause")
        app.wait_for_status("Paused")
        app.click(row_of(app, "Alpha"))
        app.wait_for("heading", "Alpha", harness.on_page)
        begin(app)
        app.type("giraffe")
        wait_for_titles(app, "The Giraffe", "Alpha")
        subprocess.run([os.environ["EARMARK_PROGRAM"], "--bookmark=Of giraffes"], check=True, env=os.environ | app.profile.environment(), timeout=60)
        wait_for_titles(app, "The Giraffe", "Alpha", "Bravo")
        app.wait_for("label", pattern("^Bookmark.*Of giraffes"))
        harness.stays("the chosen row", lambda: "selected" in row_of(app, "Alpha").states, 0.5)


@case
def filters():
    """Filters among the words, in one podcast and everywhere; without a word the newest come first; what is not understood is a word"""
    with two_podcasts() as app:
        app.click(row_of(app, "Alpha"))
        app.wait_for("heading", "Alpha", harness.on_page)
        app.window_action("toggle-listened")
        begin(app)
        app.type("is:unplayed ")
        wait_for_titles(app, "Bravo", "The Giraffe")
        app.type("giraffe")
        wait_for_titles(app, "The Giraffe")
        app.wait_for("label", pattern("giraffe upon giraffe"))
        app.key("ctrl+shift+f")
        app.type("giraffe podcast:second ")
        wait_for_titles(app, "Two")
        app.key("ctrl+a")
        app.type("giraffe is:played")
        wait_for_titles(app, "Alpha")
        app.key("ctrl+a")
        app.type("before:2000 ")
        app.wait_for("label", "No Episodes Found")
        app.key("ctrl+a")
        app.type("after:2000 shorter:2m ")
        app.wait_for_rows(5)
        app.key("ctrl+a")
        app.type("is:giraffe ")
        app.wait_for("label", "No Episodes Found")


@case
def not_understood():
    """A filter that is not understood is told, as soon as it can become nothing else, and said; so are two that contradict each other"""
    with two_podcasts() as app, accessible.Announcements(app.tree) as announcements:
        begin(app)
        app.type("giraffe after:2023-1")
        wait_for_titles(app, "The Giraffe", "Alpha")
        app.type("3")
        trouble = "“2023-13” is not a valid date. Try “after:2023” or “after:2023-05-17”."
        app.wait_for("label", trouble)
        wait_until("it is said", lambda: trouble in announcements.read())
        assert not app.find("button", "Search Everywhere")
        app.key("BackSpace", "BackSpace")
        wait_for_titles(app, "The Giraffe", "Alpha")
        app.type("12-5 ")
        app.wait_for("label", "No Episodes Found")
        app.wait_for("label", "Try other words, or search all podcasts.")
        app.key("ctrl+a")
        app.type("is:unpl")
        app.wait_for_rows(3)
        app.key("Escape")
        app.type(" ")
        app.wait_for("label", pattern("^“unpl” isn’t valid after “is:”. Try: unplayed, "))
        app.key("ctrl+a")
        app.type("longer:60m <b> shorter:20m")
        trouble = "No episode matches both “longer:60m” and “shorter:20m”."
        app.wait_for("label", trouble)
        wait_until("it is said", lambda: trouble in announcements.read())
        app.key("ctrl+a")
        app.type("podcast:<nobody>")
        app.wait_for("label", "No followed podcast has “<nobody>” in its title.")
        app.key("ctrl+a")
        app.type("giraffe")
        wait_for_titles(app, "The Giraffe", "Alpha")


def proposals(app):
    return [node.name for node in app.find_all("list item") if node.is_in("list", "Filters")]


@case
def completion():
    """Filters and their values are proposed as they are typed, and taken by keys or a click; Enter and Escape are theirs only then"""
    with two_podcasts() as app, accessible.Announcements(app.tree) as announcements:
        begin(app, "ctrl+shift+f")
        app.type("giraffe po")
        wait_until("the filter is proposed", lambda: proposals(app) == ["podcast:"])
        app.key("Tab")
        wait_until("podcasts are proposed", lambda: proposals(app) == ['podcast:"First Podcast"', 'podcast:"Second Podcast"'])
        app.key("Down", "Down", "Up", "Down")
        wait_until("what is chosen is said", lambda: 'podcast:"Second Podcast"' in announcements.read())
        app.key("Return")
        wait_for_titles(app, "Two")
        assert app.focused().read_text() == 'giraffe podcast:"Second Podcast" ', app.focused().read_text()
        wait_until("nothing is proposed", lambda: not proposals(app))
        app.type("is:")
        wait_until("states are proposed", lambda: "is:liked" in proposals(app))
        app.key("Escape")
        wait_until("nothing is proposed", lambda: not proposals(app))
        assert app.focused().read_text().endswith("is:")
        app.key("ctrl+a")
        app.type("is:unp")
        app.click(app.wait_for("list item", "is:unplayed", lambda node: node.is_in("list", "Filters")))
        app.wait_for_rows(5)
        app.key("ctrl+a")
        app.type("giraffe in")
        wait_until("the filter is proposed", lambda: proposals(app) == ["in:"])
        app.key("ctrl+a")
        app.type("giraffe")
        wait_until("nothing is proposed", lambda: not proposals(app))
        # Nothing is chosen: Enter leads to what was found.
        app.key("Return")
        wait_for_focus(app, "The Giraffe")


@case
def typing_on():
    """What is typed after words that came from outside comes behind them"""
    with two_podcasts() as app:
        app.wait_for_rows(1)
        app.window_action("search-for", harness.GLib.Variant("s", "gira"))
        app.wait_for_entry()
        app.type("ffe")
        wait_for_titles(app, "The Giraffe", "Alpha", "Two")


def marked(app):
    """The words that are marked in the notes, which stand in labels of their own."""
    labels = app.find_all("label", None, lambda node: harness.on_page(node) and node.is_in("grouping"))
    return [piece for label in labels for piece, attributes in label.read_runs() if "bg-color" in attributes]


@case
def words_in_the_notes():
    """They are marked while they are looked for, also further words and in another episode, and no longer"""
    with two_podcasts() as app:
        begin(app)
        app.type("giraf")
        wait_for_titles(app, "The Giraffe", "Alpha")
        app.click(row_of(app, "Alpha"))
        app.wait_for("heading", "Alpha", harness.on_page)
        wait_until("the word is marked", lambda: marked(app) == ["giraffe"])
        app.click(row_of(app, "The Giraffe"))
        app.wait_for("heading", "The Giraffe", harness.on_page)
        wait_until("all are marked", lambda: marked(app) == ["giraffe"] * 4)
        begin(app)
        app.type("giraffe upon")
        wait_until("the other one is, too", lambda: sorted(marked(app)) == ["giraffe"] * 4 + ["upon"])
        app.key("Escape")
        wait_for_titles(app, "Alpha", "Bravo", "The Giraffe")
        app.wait_for("heading", "The Giraffe", harness.on_page)
        wait_until("none is marked", lambda: not marked(app))


@case
def the_way_back():
    """Closing the search lists what was listed before; the episode that was found stays chosen"""
    with two_podcasts() as app:
        begin(app)
        app.type("giraffe")
        wait_for_titles(app, "The Giraffe", "Alpha")
        app.click(row_of(app, "Alpha"))
        app.wait_for("heading", "Alpha", harness.on_page)
        app.click(app.wait_for("toggle button", "Search Episodes"))
        wait_for_titles(app, "Alpha", "Bravo", "The Giraffe")
        app.wait_for("list item", pattern("^Alpha, "), lambda node: "selected" in node.states)
        app.wait_for("heading", "Alpha", harness.on_page)
        harness.stays("it is shown", lambda: app.find("heading", "Alpha", harness.on_page), 0.5)


@case
def the_way_back_without_a_hit():
    """Where nothing was chosen of what was found, what was shown before stays so"""
    with two_podcasts() as app:
        begin(app)
        app.type("alpha")
        wait_for_titles(app, "Alpha")
        app.key("Escape")
        wait_for_titles(app, "Alpha", "Bravo", "The Giraffe")
        app.wait_for("list item", pattern("^Bravo, "), lambda node: "selected" in node.states)
        app.wait_for("heading", "Bravo", harness.on_page)


@case
def the_way_back_from_a_row():
    """Escape in what was found leads out of the search, too; the focus stays in the list"""
    with two_podcasts() as app:
        begin(app)
        app.type("giraffe")
        wait_for_titles(app, "The Giraffe", "Alpha")
        app.key("Down")
        wait_for_list(app)
        app.key("Escape")
        wait_for_titles(app, "Alpha", "Bravo", "The Giraffe")
        app.wait_for("toggle button", "Search Episodes", lambda node: "pressed" not in node.states and "checked" not in node.states)
        wait_for_list(app)


@contextlib.contextmanager
def long_podcast():
    notes = SECOND[0].notes
    titles = [f"Episode {number}" for number in range(140)]
    episodes = [Episode(title, "minute.cbr.mp3", 60, notes if title in HITS else None) for title in titles]
    with Server() as server:
        feeds.sound(server, "minute.cbr.mp3")
        with Profile(feeds.write(server, "long", "Long Podcast", episodes)) as profile, App(profile) as app:
            app.wait_for("list item", "Long Podcast, 1 new episode")
            app.wait_for_rows(4)
            yield app


def is_in_sight(app, title):
    """Whether all of its row is seen."""
    row = next((row for row in app.rows() if title_of(row) == title), None)
    view = app.find("list", "Episodes")
    if row is None or view is None:
        return False
    _, top, _, height = app.place(row)
    _, view_top, _, view_height = app.place(view)
    return view_top <= top and top + height <= view_top + view_height


@case
def the_way_back_to_far_away():
    """Escape from a hit that is far from what was shown before leads to it in the whole list; the keys go on from there"""
    with long_podcast() as app:
        app.click(row_of(app, "Episode 0"))
        app.key(*["Down"] * 15)
        app.wait_for("heading", "Episode 15", harness.on_page)
        begin(app)
        app.type("__torch")
        wait_until("hits are listed", lambda: len(found := titles(app)) > 3 and set(found) <= HITS)
        hits = titles(app)
        found = hits[-2]
        after = f"Episode {int(found.split()[1]) + 1}"
        app.click(row_of(app, found))
        app.wait_for("heading", found, harness.on_page)
        app.key("Escape")
        wait_for_focus(app, found)
        wait_until("it is in sight", lambda: is_in_sight(app, found))
        app.wait_for("heading", found, harness.on_page)
        app.key("Down")
        app.wait_for("heading", after, harness.on_page)
        wait_for_focus(app, after)
        wait_until("it is in sight", lambda: is_in_sight(app, after))


@case
def everywhere_by_pointer():
    """A switch looks in all podcasts: rows say of which they are; back again it looks in this one"""
    with two_podcasts() as app:
        begin(app)
        app.type("giraffe")
        wait_for_titles(app, "The Giraffe", "Alpha")
        app.click(app.wait_for("radio button", "Everywhere"))
        wait_until("all are listed", lambda: sorted(titles(app)) == ["Alpha", "The Giraffe", "Two"])
        app.wait_for("list item", pattern("^Two, Second Podcast, "))
        app.click(app.wait_for("radio button", "This Podcast"))
        wait_for_titles(app, "The Giraffe", "Alpha")


@case
def podcasts_first():
    """A search everywhere lists podcasts above the episodes: Enter leads to the first one and opens it, as a click does"""
    with two_podcasts() as app:
        def found():
            return [node.name for node in app.find_all("list item") if node.is_in("list", "Found Podcasts")]

        begin(app)
        app.type("second")
        app.wait_for("label", "No Episodes Found")
        assert not found(), found()
        app.key("Escape")
        begin(app, "ctrl+shift+f")
        app.type("podcast")
        wait_until("both are found", lambda: found() == ["First Podcast", "Second Podcast"])
        app.key("ctrl+a")
        app.type("second")
        wait_until("one is found", lambda: found() == ["Second Podcast"])
        app.key("Return")
        wait_until("the focus is on it", lambda: (node := app.focused()) and node.name == "Second Podcast")
        app.key("Return")
        wait_for_titles(app, "One", "Two")
        wait_until("the search is over", lambda: not found())
        begin(app, "ctrl+shift+f")
        app.type("first giraffe")
        assert not found(), found()
        app.key("ctrl+a")
        app.type("first")
        app.click(app.wait_for("list item", "First Podcast", lambda node: node.is_in("list", "Found Podcasts")))
        wait_for_titles(app, "Alpha", "Bravo", "The Giraffe")


@case
def other_words():
    """Where words are already, the keys that begin a search select them: what is typed then is looked for instead"""
    with two_podcasts() as app:
        begin(app)
        app.type("alpha")
        wait_for_titles(app, "Alpha")
        app.key("Down")
        wait_for_list(app)
        begin(app, "ctrl+shift+f")
        app.type("giraffe")
        wait_until("all are listed", lambda: sorted(titles(app)) == ["Alpha", "The Giraffe", "Two"])


@case
def everywhere_by_keys():
    """Ctrl+Shift+F looks in all podcasts, and finds words with underscores whole"""
    with two_podcasts() as app:
        begin(app, "ctrl+shift+f")
        app.type("__torch_function__")
        wait_for_titles(app, "One")
        app.wait_for("label", pattern("Overriding __torch_function__ with care"), harness.in_row)
        app.key("Down")
        app.wait_for("heading", "One", harness.on_page)
        app.key("Escape")
        wait_for_titles(app, "Alpha", "Bravo", "The Giraffe")
        # It is in none of these rows, and still what was found.
        app.wait_for("heading", "One", harness.on_page)


@case
def from_nothing_to_everywhere():
    """Where this podcast has nothing, a button looks in all of them"""
    with two_podcasts() as app:
        begin(app)
        app.type("torch")
        app.wait_for("label", "No Episodes Found")
        app.press("button", "Search Everywhere")
        wait_for_titles(app, "One")
        app.key("ctrl+a")
        app.type("neck")
        wait_for_titles(app, "Two")


@case
def by_enter():
    """Enter leads from the words to the best of what they found, and the arrows go on from there"""
    with two_podcasts() as app:
        begin(app)
        app.type("giraffe")
        wait_for_titles(app, "The Giraffe", "Alpha")
        app.key("Return")
        app.wait_for("heading", "The Giraffe", harness.on_page)
        wait_for_focus(app, "The Giraffe")
        app.key("Down")
        app.wait_for("heading", "Alpha", harness.on_page)
        wait_for_focus(app, "Alpha")


@case
def by_arrow():
    """So does the arrow down"""
    with two_podcasts() as app:
        begin(app)
        app.type("giraffe")
        wait_for_titles(app, "The Giraffe", "Alpha")
        app.key("Down")
        app.wait_for("heading", "The Giraffe", harness.on_page)
        wait_for_focus(app, "The Giraffe")


harness.main()
