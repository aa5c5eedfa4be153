#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Searching: in one podcast or everywhere, where the words are, the order, and the way back."""

import contextlib

import feeds
import harness
from feeds import Episode
from harness import case, pattern, wait_until

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
    with feeds.two_podcasts(FIRST, SECOND) as app:
        app.click(app.wait_for("list item", "First Podcast, 1 new episode"))
        app.wait_for_titles("Alpha", "Bravo", "The Giraffe")
        app.choose_episode("Bravo")
        yield app


def search(app, words, *found, keys="ctrl+f"):
    """Types WORDS in place of what was searched for; these are found."""
    begin(app, keys)
    app.retype(words)
    app.wait_for_titles(*found)


def begin(app, keys="ctrl+f"):
    app.key(keys)
    app.wait_for_entry()


def marked(app):
    """The words that are marked in the notes, which stand in labels of their own."""
    labels = app.find_all("label", None, lambda node: harness.on_page(node) and node.is_in("grouping"))
    return [piece for label in labels for piece, attributes in label.read_runs() if "bg-color" in attributes]


@case
def best_first():
    """The best match comes first, and each row has an excerpt; an episode that is read stays chosen, also when more matches come.
    Its notes mark the words until the search ends."""
    with two_podcasts() as app:
        app.play()
        app.pause()
        app.choose_episode("Alpha")
        search(app, "giraffe", "The Giraffe", "Alpha")
        app.wait_for("label", pattern("a giraffe went to the sea"))
        app.wait_for("label", pattern("giraffe upon giraffe"))
        wait_until("it is selected", lambda: "selected" in app.row_of("Alpha").states)
        harness.stays("the page and the row", lambda: app.titles() == ["The Giraffe", "Alpha"] and "selected" in app.row_of("Alpha").states and
                      app.find("heading", "Alpha", harness.on_page) is not None, 0.5)
        app.profile.run("--bookmark=Of giraffes")
        app.wait_for_titles("The Giraffe", "Alpha", "Bravo")
        app.wait_for("label", pattern("^Bookmark.*Of giraffes"))
        harness.stays("the chosen row", lambda: "selected" in app.row_of("Alpha").states, 0.5)
        wait_until("the word is marked", lambda: marked(app) == ["giraffe"])
        app.choose_episode("The Giraffe")
        wait_until("all are marked", lambda: marked(app) == ["giraffe"] * 4)
        begin(app)
        app.retype("giraffe upon")
        wait_until("the other one is, too", lambda: sorted(marked(app)) == ["giraffe"] * 4 + ["upon"])
        app.key("Escape")
        app.wait_for_titles("Alpha", "Bravo", "The Giraffe")
        app.wait_until_gone("label", pattern("a giraffe went to the sea"), harness.in_row)
        app.wait_for("heading", "The Giraffe", harness.on_page)
        wait_until("none is marked", lambda: not marked(app))
        # Words typed behind words that came from outside extend them.
        app.window_action("search-for", harness.GLib.Variant("s", "gira"))
        app.wait_for_entry()
        app.type("ffe")
        wait_until("all are listed", lambda: sorted(app.titles()) == ["Alpha", "Bravo", "The Giraffe", "Two"])


@case
def filters():
    """Filters among the words, in one podcast and everywhere; one that is not understood is told and announced"""
    with two_podcasts() as app:
        app.choose_episode("Alpha")
        app.window_action("toggle-listened")
        begin(app)
        app.type("is:unplayed ")
        app.wait_for_titles("Bravo", "The Giraffe")
        app.type("giraffe")
        app.wait_for_titles("The Giraffe")
        app.wait_for("label", pattern("giraffe upon giraffe"))
        app.retype("giraffe after:2023-1")
        app.wait_for_titles("The Giraffe", "Alpha")
        app.type("3")
        trouble = "“2023-13” is not a valid date. Try “after:2023” or “after:2023-05-17”."
        app.wait_for("label", trouble)
        app.wait_to_hear(trouble)
        assert not app.find("button", "Search Everywhere")
        app.key("BackSpace", "BackSpace")
        app.wait_for_titles("The Giraffe", "Alpha")
        # Escape ends the proposals first.
        app.retype("is:unpl")
        app.wait_for_rows(3)
        app.key("Escape")
        app.type(" ")
        app.wait_for("label", pattern("^“unpl” isn’t valid after “is:”. Try: unplayed, "))
        search(app, "giraffe podcast:second ", "Two", keys="ctrl+shift+f")
        app.retype("podcast:<nobody>")
        app.wait_for("label", "No followed podcast has “<nobody>” in its title.")
        # Words with underscores are found whole.
        search(app, "__torch_function__", "One", keys="ctrl+shift+f")
        app.wait_for("label", pattern("Overriding __torch_function__ with care"), harness.in_row)


@case
def completion():
    """Filters and their values are proposed as they are typed, and taken by keys or a click; Enter and Escape are theirs only then"""
    with two_podcasts() as app:
        begin(app, "ctrl+shift+f")
        app.type("giraffe po")
        wait_until("the filter is proposed", lambda: app.names("Filters") == ["podcast:"])
        app.key("Tab")
        wait_until("podcasts are proposed", lambda: app.names("Filters") == ['podcast:"First Podcast"', 'podcast:"Second Podcast"'])
        app.key("Down", "Down", "Up", "Down")
        app.wait_to_hear('podcast:"Second Podcast"')
        app.key("Return")
        app.wait_for_titles("Two")
        assert app.typed() == 'giraffe podcast:"Second Podcast" ', app.typed()
        wait_until("nothing is proposed", lambda: not app.names("Filters"))
        app.type("is:")
        wait_until("states are proposed", lambda: "is:liked" in app.names("Filters"))
        app.key("Escape")
        wait_until("nothing is proposed", lambda: not app.names("Filters"))
        assert app.typed().endswith("is:")
        app.retype("is:unp")
        app.click(app.wait_for("list item", "is:unplayed", lambda node: node.is_in("list", "Filters")))
        app.wait_for_rows(5)
        app.retype("giraffe in")
        wait_until("the filter is proposed", lambda: app.names("Filters") == ["in:"])
        app.retype("giraffe")
        wait_until("nothing is proposed", lambda: not app.names("Filters"))
        # Nothing is chosen: Enter leads to what was found.
        app.key("Return")
        app.wait_for_focus(pattern("^The Giraffe, "), "Episodes")


@case
def from_words_to_matches_and_back():
    """Enter and Down lead to the best match; closing the search lists all again and keeps the episode that was chosen, and the focus"""
    with two_podcasts() as app:
        for key in ("Return", "Down"):
            search(app, "giraffe", "The Giraffe", "Alpha")
            app.key(key)
            app.wait_for("heading", "The Giraffe", harness.on_page)
            app.wait_for_focus(pattern("^The Giraffe, "), "Episodes")
        app.key("Down")
        app.wait_for("heading", "Alpha", harness.on_page)
        app.wait_for_focus(pattern("^Alpha, "), "Episodes")
        app.key("Escape")
        app.wait_for_titles("Alpha", "Bravo", "The Giraffe")
        app.wait_for("toggle button", "Search Episodes", lambda node: "pressed" not in node.states and "checked" not in node.states)
        app.wait_for_focus(pattern("^Alpha, "), "Episodes")
        search(app, "giraffe", "The Giraffe", "Alpha")
        app.choose_episode("The Giraffe")
        app.click(app.wait_for("toggle button", "Search Episodes"))
        app.wait_for_titles("Alpha", "Bravo", "The Giraffe")
        app.wait_for("list item", pattern("^The Giraffe, "), lambda node: "selected" in node.states)
        harness.stays("it is shown", lambda: app.find("heading", "The Giraffe", harness.on_page), 0.5)
        # Where nothing was chosen among the matches, the episode that was shown before stays.
        search(app, "alpha", "Alpha")
        app.key("Escape")
        app.wait_for_titles("Alpha", "Bravo", "The Giraffe")
        app.wait_for("list item", pattern("^The Giraffe, "), lambda node: "selected" in node.states)
        app.wait_for("heading", "The Giraffe", harness.on_page)
        # Keys that begin a search select the words that are there.
        begin(app)
        app.type("alpha")
        app.wait_for_titles("Alpha")
        app.key("Down")
        app.wait_for_focus(pattern("^Alpha, "), "Episodes")
        begin(app, "ctrl+shift+f")
        app.type("giraffe")
        wait_until("all are listed", lambda: sorted(app.titles()) == ["Alpha", "The Giraffe", "Two"])


@case
def the_way_back_to_far_away():
    """Escape from a hit that is far from what was shown before leads to it in the whole list; the keys go on from there"""
    titles = [f"Episode {number}" for number in range(140)]
    episodes = [Episode(title, "minute.cbr.mp3", 60, SECOND[0].notes if title in HITS else None) for title in titles]
    with feeds.following(lambda server: feeds.write_minutes(server, "long", "Long Podcast", episodes), n_rows=4) as app:
        app.wait_for("list item", "Long Podcast, 1 new episode")
        app.click(app.row_of("Episode 0"))
        app.key(*["Down"] * 15)
        app.wait_for("heading", "Episode 15", harness.on_page)
        begin(app)
        app.type("__torch")
        wait_until("hits are listed", lambda: len(found := app.titles()) > 3 and set(found) <= HITS)
        hits = app.titles()
        found = hits[-2]
        after = f"Episode {int(found.split()[1]) + 1}"
        app.choose_episode(found)
        app.key("Escape")
        app.wait_for_focus(pattern(f"^{found}, "), "Episodes")
        wait_until("it is in sight", lambda: app.is_in_sight(app.row_of(found)))
        app.wait_for("heading", found, harness.on_page)
        app.key("Down")
        app.wait_for("heading", after, harness.on_page)
        app.wait_for_focus(pattern(f"^{after}, "), "Episodes")
        wait_until("it is in sight", lambda: app.is_in_sight(app.row_of(after)))
        # The best hits come first, but all are counted.
        begin(app)
        app.retype("episode")
        app.wait_to_hear("140 episodes found")
        counts = {text for text in app.announcements.read() if text.endswith("episodes found")}
        assert counts <= {f"{len(HITS)} episodes found", "140 episodes found"}, counts


@case
def everywhere():
    """A switch, a key and a button search all podcasts; rows name their podcast, and podcasts that are found stand above the episodes"""
    with two_podcasts() as app:
        search(app, "giraffe", "The Giraffe", "Alpha")
        app.click(app.wait_for("radio button", "Everywhere"))
        wait_until("all are listed", lambda: sorted(app.titles()) == ["Alpha", "The Giraffe", "Two"])
        app.wait_for("list item", pattern("^Two, Second Podcast, "))
        # Typing continues, spaces included.
        app.type(" neck")
        app.wait_for_titles("Two")
        app.key(*["BackSpace"] * 5)
        app.click(app.wait_for("radio button", "This Podcast"))
        app.wait_for_titles("The Giraffe", "Alpha")
        app.retype("second torch")
        app.wait_for("label", "No Episodes Found")
        assert not app.names("Found Podcasts"), app.names("Found Podcasts")
        app.press("button", "Search Everywhere")
        search(app, "torch", "One")
        app.retype("podcast")
        wait_until("both are found", lambda: app.names("Found Podcasts") == ["First Podcast", "Second Podcast"])
        app.retype("second")
        wait_until("one is found", lambda: app.names("Found Podcasts") == ["Second Podcast"])
        app.key("Return")
        app.wait_for_focus("Second Podcast")
        app.key("Return")
        app.wait_for_titles("One", "Two")
        wait_until("the search is over", lambda: not app.names("Found Podcasts"))
        begin(app, "ctrl+shift+f")
        app.type("first giraffe")
        wait_until("none is found", lambda: not app.names("Found Podcasts"))
        app.retype("first")
        app.click(app.wait_for("list item", "First Podcast", lambda node: node.is_in("list", "Found Podcasts")))
        app.wait_for_titles("Alpha", "Bravo", "The Giraffe")


harness.main()
