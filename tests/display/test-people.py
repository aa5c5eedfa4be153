#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Who is heard, and where a listener can give something."""

import contextlib

import harness
from harness import App, Profile, Server, case, wait_until

NARROW = {"window_width": 360, "window_height": 640}

FEED = """<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>Talking</title><language>en-gb</language><pubDate>Wed, 01 Jan 2025 00:00:00 +0000</pubDate>
<description>Made for a test.</description>
<podcast:person role="Host">Ann Lee</podcast:person>
<podcast:funding url="https://example.org/give">Keep us going</podcast:funding>
<podcast:funding url="https://other.example/tea"/>
<podcast:location>Kyoto</podcast:location>
<item><title>With a guest</title><guid>1</guid><pubDate>Tue, 14 Nov 2023 22:13:20 +0000</pubDate>
<podcast:person>Ann Lee</podcast:person><podcast:person role="guest">&lt;b&gt;Bob&lt;/b&gt; &amp;amp; co.</podcast:person></item>
<item><title>As always</title><guid>2</guid><pubDate>Mon, 13 Nov 2023 22:13:20 +0000</pubDate></item>
<item><title>A crowd</title><guid>3</guid><pubDate>Sun, 12 Nov 2023 22:13:20 +0000</pubDate>@CROWD@</item>
</channel></rss>
"""
CROWD = "".join(f"<podcast:person role='guest'>Somebody with a long name {number}</podcast:person>" for number in range(40))
QUIET = """<rss version="2.0"><channel><title>Quiet</title><item><title>Alone</title><guid>1</guid></item></channel></rss>"""


@contextlib.contextmanager
def running(feed=FEED, settings=None):
    with Server() as server:
        (server.root / "people.xml").write_text(feed.replace("@CROWD@", CROWD))
        with Profile(server.url("people.xml"), settings) as profile, App(profile) as app:
            yield app


def in_dialog(node):
    return node.is_in("dialog")


@case
def people_of_an_episode():
    """The page of an episode names its people with their roles, or else those of the podcast"""
    with running() as app:
        app.wait_for_rows(3)
        app.click(app.row(0))
        app.wait_for("label", "With Ann Lee (host), <b>Bob</b> & co. (guest)")
        app.click(app.row(1))
        app.wait_for("label", "With Ann Lee (host)")


@case
def nobody():
    """Where a feed names nobody and asks for nothing, nothing is shown of it"""
    with running(QUIET) as app:
        app.wait_for_rows(1)
        app.click(app.row(0))
        app.wait_for("heading", "Alone")
        assert app.find("label", harness.pattern("^With ")) is None
        app.window_action("podcast-details")
        app.wait_for("dialog", "About This Podcast")
        assert app.find("label", "Support This Podcast", in_dialog) is None


@case
def support():
    """About This Podcast lists where to give something; by keys, each opens in the browser"""
    with running() as app:
        app.wait_for_rows(3)
        # The date of the latest episode is known when the check is over.
        app.wait_for("label", harness.pattern("Checked"))
        app.key("alt+Return")
        app.wait_for("dialog", "About This Podcast")
        app.wait_for("label", "Support This Podcast", in_dialog)
        app.wait_for("label", "Ann Lee (host)", in_dialog)
        app.wait_for("label", "Kyoto", in_dialog)
        app.wait_for("label", "English", in_dialog)
        # That of the episode, and not the feed's own
        app.wait_for("label", "November 14, 2023", in_dialog)
        app.wait_for("list item", harness.pattern("^Keep us going"), in_dialog)
        app.wait_for("list item", harness.pattern("^Support"), in_dialog)

        def on_row():
            app.key("Tab")
            return app.find("list item", harness.pattern("^Keep us going"), lambda node: "focused" in node.states)
        wait_until("Tab comes to the row", on_row)
        app.key("Return")
        # No program opens a web page here.
        app.wait_for_toast(harness.pattern("The link could not be opened"))


@case
def narrow():
    """360 px: a crowd is named in lines, cut off after twenty, and makes nothing wider"""
    with running(settings=NARROW) as app:
        app.wait_for_rows(3)
        app.click(app.row(2))
        label = app.wait_for("label", harness.pattern("^With Somebody with a long name 0 .guest., .*, and 21 more$"))
        app.focus()
        assert app.geometry(app.window_id)[2] == 360
        left, _, width, height = app.settled_place(label)
        assert width <= 360 and height > 100, f"{width} x {height} at {left}"


harness.main()
