#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The first start: the welcome podcast is followed, and its episodes appear as they come."""

import contextlib
import pathlib
import re
import sqlite3

import feeds
import harness
from harness import App, Profile, Server, case, wait_until


def is_finished(server, path):
    return any(request["path"].endswith(path) for request in server.requests())


def check_streaming(server, path, whole):
    """The first rows are there long before the last byte."""
    with Profile(server.url(path)) as profile, App(profile) as app:
        rows = app.wait_for_rows(5)
        first = wait_until("they are counted", app.episode_count)
        assert not is_finished(server, path.rsplit("/", 1)[-1]), "the feed had come whole before its first row"
        assert 0 < first < whole, first
        # An episode that came can be read while the others are still on their way.
        app.wait_for("heading", harness.title_of(rows[0]), harness.on_page)
        wait_until("more come", lambda: app.episode_count() > first)
        assert app.find("label", harness.pattern("Checked")) is None, "it is still being fetched"


@case
def drawn_without_card():
    """Where nothing is drawn by a graphics card, what stands in for one is not even read"""
    with Profile(None) as profile, App(profile) as app:
        read = pathlib.Path(f"/proc/{app.tree.pid}/maps").read_text()
        assert "/libgtk-4." in read, read
        found = {line.rsplit("/", 1)[-1] for line in read.splitlines() if re.search(r"/lib(gallium|LLVM)", line)}
        assert not found, f"read for nothing: {' '.join(sorted(found))}"


@case
def made_up_feed_streams():
    """The first rows of a slow feed (20 kB/s) are there while it is still coming"""
    with Server() as server:
        # Compressed, these are 1 MB: most of a minute.
        check_streaming(server, "/~slow=20000/generated/slow-8000.xml", 8000)


@case
def seed_feed_streams():
    """The same with the PyTorch Developer Podcast, slower, because it is short"""
    with Server(seed=harness.shared("seeds/pytorch-developer-podcast.rss.xml")) as server:
        check_streaming(server, "/~slow=2000/seed/feed.xml", 83)


@case
def demo():
    """The demo podcast is there with its cover, and so is what its feed says"""
    with Server(demo=True) as server, Profile(server.url("/demo/feed.xml")) as profile, App(profile) as app:
        app.wait_for("heading", "Quiet Main Loop")
        wait_until("all of it has come", lambda: app.episode_count() == 7)
        wait_until("its cover is kept", lambda: list((profile.folder / "cache").rglob("covers/*")))


@case
def unfollowed_for_good():
    """The welcome podcast stays unfollowed once it was unfollowed"""
    with Server() as server, Profile(server.url("/generated/small-5.xml")) as profile:
        with App(profile) as app:
            app.wait_for_rows(5)
            app.window_action("unfollow")
            app.wait_for("label", "No Podcasts")
        with App(profile) as app:
            app.wait_for("label", "No Podcasts")
            harness.stays("there is no podcast", lambda: not app.podcasts(), 1)


FIRST_STEPS = {"first_steps": "true"}


def wait_for_first_steps(app):
    app.wait_for("label", "Welcome to Earmark")
    return app.wait_for("button", "Find Podcasts")


def wait_until_gone(app, profile):
    """They are gone, and stay so."""
    app.wait_until_gone("label", "Welcome to Earmark")
    app.quit()
    app.restart()
    app.wait_for_rows(3)
    assert app.find("label", "Welcome to Earmark") is None


@case
def first_steps():
    """Above the welcome podcast are ways to more, until one was chosen"""
    with Server() as server, Profile(server.url("/generated/small-5.xml"), FIRST_STEPS) as profile, App(profile) as app:
        app.wait_for_rows(5)
        wait_for_first_steps(app)
        assert app.find("button", harness.pattern("^Import From")) is None
        # What is looked for has all the room.
        app.key("ctrl+f")
        app.wait_for_entry()
        app.type("e")
        app.wait_until_gone("label", "Welcome to Earmark")
        app.key("Escape")
        wait_for_first_steps(app)
        app.press("button", "Find Podcasts")
        app.wait_for("dialog", "Add Podcast")
        app.key("Escape")
        app.wait_until_gone("dialog", "Add Podcast")
        wait_until_gone(app, profile)


@case
def first_steps_hidden():
    """They can be put away by keys alone, and the rows have the focus then"""
    with Server() as server, Profile(server.url("/generated/small-5.xml"), FIRST_STEPS) as profile, App(profile) as app:
        app.wait_for_rows(5)
        wait_for_first_steps(app)
        app.focus()
        wait_until("the focus is on the button that hides them",
                   lambda: app.has_focus("Hide") or (app.key("shift+Tab") and False))
        app.key("Return")
        app.wait_until_gone("label", "Welcome to Earmark")
        wait_until("something has the focus", lambda: app.focused() is not None)
        wait_until_gone(app, profile)


@case
def first_steps_import():
    """What another program has is offered, and taken over"""
    with Server() as server, Profile(server.url("/generated/small-5.xml"), FIRST_STEPS) as profile:
        feeds.write_gnome_podcasts(profile, server)
        with App(profile) as app:
            app.wait_for_rows(5)
            wait_for_first_steps(app)
            app.press("button", "Import From GNOME Podcasts (1)")
            wait_until("both are listed", lambda: len(app.podcasts()) == 2)
            wait_until_gone(app, profile)


@case
def first_steps_followed():
    """Who follows another podcast in any other way has chosen, too"""
    with Server() as server, Profile(server.url("/generated/small-5.xml"), FIRST_STEPS) as profile:
        with App(profile) as app:
            app.wait_for_rows(5)
            wait_for_first_steps(app)
            app.action("add", harness.GLib.Variant("s", server.url("/generated/Alpha-3.xml")))
            app.press("button", harness.pattern("^Follow"))
            wait_until("both are listed", lambda: len(app.podcasts()) == 2)
            wait_until_gone(app, profile)


@case
def first_steps_offline():
    """Where nothing can be fetched they are there all the same"""
    with Profile("http://127.0.0.1:1/feed.xml", FIRST_STEPS) as profile, App(profile) as app:
        wait_for_first_steps(app)
        app.wait_for("button", "Retry")


@case
def second_instance():
    """A second start shows the window of the first, and ends"""
    with Server() as server, Profile(server.url("/generated/small-5.xml")) as profile, App(profile) as app:
        app.wait_for_rows(5)
        other = App(profile)
        try:
            other.start(wait=False)
            other.wait_for_end()
        finally:
            other.clean_up()
        wait_until("one window", lambda: len(app.windows()) == 1)


@case
def earlier_version():
    """What an earlier version has left is updated off the main thread, before anything else looks at it"""
    script = pathlib.Path(__file__).parent.parent / "catalogue" / "catalogue-version-1.sql"
    with Server() as server, Profile(server.url("/generated/small-5.xml")) as profile:
        path = profile.folder / "data" / "earmark" / "catalogue.db"
        path.parent.mkdir()
        old = sqlite3.connect(path)
        old.executescript(script.read_text())
        old.close()
        with App(profile) as app:
            seen = set()

            def has_rows():
                seen.update(node.name for node in app.find_all("label", "Updating the Library…"))
                return len(app.podcasts()) == 3
            wait_until("the window is there, with the podcasts", has_rows)
            harness.say(f"it was seen to be at work: {bool(seen)}")
            app.wait_until_gone("label", "Updating the Library…")
            wait_until("there is one window", lambda: len(app.windows()) == 1)
            assert path.with_name("catalogue.db.version-1").exists()


@case
def asked_of_an_earlier_version():
    """What is asked for by the desktop of a library of an earlier version is done when that is updated"""
    script = pathlib.Path(__file__).parent.parent / "catalogue" / "catalogue-version-1.sql"
    with Server() as server, Profile(server.url("/generated/small-5.xml")) as profile:
        path = profile.folder / "data" / "earmark" / "catalogue.db"
        path.parent.mkdir()
        with contextlib.closing(sqlite3.connect(path)) as old:
            old.executescript(script.read_text())
        app = App(profile)
        app.arguments = ["--gapplication-service"]
        try:
            app.start(wait=False)
            wait_until("it is on the bus", lambda: app.has_name(harness.APP_ID))
            app.action("show-new")
            app.action("show-new")
            app.wait_for_window()
            app.wait_for("list item", harness.pattern("^New"), lambda node: "selected" in node.states)
            assert path.with_name("catalogue.db.version-1").exists()
            app.quit()
        finally:
            app.clean_up()


harness.main()
