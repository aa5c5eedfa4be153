#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The first start: the welcome page, and podcasts whose episodes appear as they come."""

import pathlib
import re

import feeds
import harness
from feeds import directories
from harness import App, Profile, Server, case, wait_until


@case
def streams():
    """The first rows of a slow feed (20 kB/s) are there while it is still coming; nothing that stands in for a graphics card is read"""
    path = "/~slow=20000/generated/slow-8000.xml"
    # Compressed, these are 1 MB: most of a minute.
    with Server() as server, Profile(server.url(path)) as profile, App(profile) as app:
        rows = app.wait_for_rows(5)
        first = wait_until("they are counted", app.episode_count)
        assert not any(request["path"].endswith("slow-8000.xml") for request in server.requests()), "the feed had come whole before its first row"
        assert 0 < first < 8000, first
        # An episode that came can be read while the others are still on their way.
        app.wait_for("heading", harness.title_of(rows[0]), harness.on_page)
        wait_until("more come", lambda: app.episode_count() > first)
        assert app.find("label", harness.pattern("Checked")) is None, "it is still being fetched"
        read = pathlib.Path(f"/proc/{app.tree.pid}/maps").read_text()
        assert "/libgtk-4." in read, read
        found = {line.rsplit("/", 1)[-1] for line in read.splitlines() if re.search(r"/lib(gallium|LLVM)", line)}
        assert not found, f"read for nothing: {' '.join(sorted(found))}"


@case
def second_start():
    """A second start shows the window of the first, and ends; a podcast that is unfollowed stays so over the next one"""
    with Server() as server, Profile(server.url("/generated/small-5.xml")) as profile:
        with App(profile) as app:
            app.wait_for_rows(5)
            other = App(profile)
            try:
                other.start(wait=False)
                other.wait_for_end()
            finally:
                other.clean_up()
            wait_until("one window", lambda: len(app.windows()) == 1)
            app.window_action("unfollow")
            app.wait_for("label", "Welcome to Earmark")
        with App(profile) as app:
            app.wait_for("label", "Welcome to Earmark")
            harness.stays("there is no podcast", lambda: not app.podcasts(), 1)


@case
def welcome():
    """Nothing is followed; the entry searches, popular podcasts open as a preview or are followed in their row, which ends the page"""
    with Server() as server, Profile() as profile, App(profile, directories(server)) as app:
        app.wait_for("label", "Welcome to Earmark")
        app.wait_for_focus("Search or paste a link")
        app.type("ask a ")
        app.wait_for("dialog", "Add Podcast")
        app.type("compiler")
        wait_until("the dialog has all that was typed", lambda: app.typed() == "ask a compiler")
        app.wait_for("list item", harness.pattern("^Kompilerfunk|^Ask a Compiler"), lambda node: node.is_in("dialog"))
        app.close_dialog("Add Podcast")
        wait_until("three are listed", lambda: len(app.items("Popular")) == 3)
        assert not app.podcasts()
        app.press("button", "Show More")
        wait_until("all are listed", lambda: len(app.items("Popular")) == 13)
        app.click(app.wait_for("list item", harness.pattern("^Compiler Weekly")))
        app.wait_for("button", "Follow", lambda node: node.is_in("dialog", "Add Podcast"))
        # The way back is to the chart.
        assert not app.find("button", "Back", lambda node: node.is_in("dialog", "Add Podcast"))
        app.press("button", "Follow", lambda node: node.is_in("dialog", "Add Podcast"))
        app.wait_until_gone("dialog", "Add Podcast")
        wait_until("it is followed", lambda: len(app.podcasts()) == 1)
        app.wait_until_gone("label", "Welcome to Earmark")
        app.wait_for_rows(5)
        app.window_action("unfollow")
        app.wait_for("label", "Welcome to Earmark")
        app.press("button", "Follow Compiler Weekly")
        wait_until("it is followed", lambda: len(app.podcasts()) == 1)
        app.wait_until_gone("label", "Welcome to Earmark")


@case
def welcome_offline():
    """Without a network the page says what it is needed for; Retry asks again"""
    with Server() as server, Profile() as profile:
        with App(profile, {"EARMARK_ITUNES": "http://directory.invalid", "EARMARK_FYYD": server.url("fyyd")}) as app:
            app.wait_for("label", "Welcome to Earmark")
            app.wait_for("label", "Connect to a network to find podcasts.")
            app.wait_for("list item", "Import From a File…")
        # The chart fails once, and then the lookup of its numbers.
        with App(profile, directories(server, "~500then=1/itunes")) as app:
            def answered():
                retry = app.find("button", "Retry")
                if retry is not None:
                    retry.press()
                return len(app.items("Popular")) == 3
            app.wait_for("button", "Retry")
            wait_until("three are listed", answered)


@case
def suggestions():
    """The chart is that of the locale's country, or of another one that was chosen, which is kept; the list of another program is offered"""
    with Server() as server, Profile() as profile:
        environment = directories(server) | {"GSETTINGS_BACKEND": "keyfile"}
        feeds.write_gnome_podcasts(profile, server)

        def asked(code):
            return any(f"/itunes/{code}/rss/" in request["path"] for request in server.requests())
        with App(profile, environment) as app:
            wait_until("the locale has none", lambda: asked("us"))
            app.wait_for("list item", harness.pattern("^PyTorch Developer Podcast"))
            app.press("toggle button", "United States")
            wait_until("its entry has the focus", lambda: (node := app.focused()) and node.role == "entry" and node.name == "")
            app.type("Icel")
            wait_until("only one fits", lambda: not app.find("label", "Albania"))
            app.wait_for("label", "Iceland")
            app.key("Down", "Return")
            wait_until("its chart is asked for", lambda: asked("is"))
        assert not asked("de")
        with App(profile, environment) as app:
            app.wait_for("label", "Iceland")
            app.wait_for("list item", "Import From GNOME Podcasts (1)")
            wait_until("the chart is there", lambda: len(app.items("Popular")) == 3)
            app.go_with("Tab", "the imports", lambda node: node.name == "Import From a File…")
            app.key("Down")
            app.wait_for_focus("Import From GNOME Podcasts (1)")
            app.key("Return")
            wait_until("it is followed", lambda: len(app.podcasts()) == 1)


harness.main()
