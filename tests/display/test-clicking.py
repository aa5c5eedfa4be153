#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clicking through a podcast: each click shows that episode, and costs next to nothing."""

import email.utils
import statistics
import urllib.request
import xml.etree.ElementTree

from gi.repository import GLib

import feeds
import harness
from harness import App, Profile, Server, case, on_page, wait_until


def titles_of(address):
    """The titles of a feed, the newest first: asked of the server, not of the app."""
    with urllib.request.urlopen(address) as feed:
        items = xml.etree.ElementTree.parse(feed).getroot().iter("item")
    dated = [(email.utils.parsedate_to_datetime(item.findtext("pubDate")), item.findtext("title").strip()) for item in items]
    return [title for _, title in sorted(dated, key=lambda pair: pair[0], reverse=True)]


def step_through(app, titles, go):
    """Goes to each row and waits until the page shows it; tells what that cost the main thread."""
    heading = app.wait_for("heading", titles[0], on_page)
    costs, waits = [], []
    for number in range(1, len(titles)):
        before = app.main_thread_time()
        go(number)
        wait_until(f'the page shows "{titles[number]}"', lambda: heading.read_name() == titles[number])
        waits.append(app.ping() * 1000)
        costs.append((app.main_thread_time() - before) * 1000)
    harness.say(f"{len(costs)} clicks: {statistics.median(costs):.1f} ms of the main thread in the middle, "
                f"{max(costs):.1f} at most; then it answered after {max(waits):.1f} ms at most")


def click_through(address, count):
    with Profile(address) as profile, App(profile) as app:
        wait_until("all episodes have come", lambda: app.episode_count() == count)
        wait_until("the feed is whole", lambda: app.find("label", harness.pattern("Checked")))
        titles = titles_of(address)
        assert len(titles) == count, len(titles)
        app.wait_for("heading", titles[0], on_page)

        def select(number):
            app.window_action("select-episode", GLib.Variant("u", number))

        # Rows come a few in each frame, and what has none yet cannot be chosen: with the last one, all are there.
        wait_until("all rows have come", lambda: select(count - 1) or app.find("heading", titles[-1], on_page))
        select(0)
        harness.say("by the action of a click")
        step_through(app, titles, select)

        select(0)
        app.wait_for("heading", titles[0], on_page)
        app.click(app.row(0))
        harness.say("by the Down key")
        step_through(app, titles, lambda number: app.key("Down"))

        # And with the pointer, those that are in sight now.
        for row in app.rows()[2:5]:
            app.click(row)
            app.wait_for("heading", harness.title_of(row), on_page)


@case
def seed():
    """All 83 episodes of the PyTorch Developer Podcast, one after the other"""
    with Server(seed=harness.shared("seeds/pytorch-developer-podcast.rss.xml")) as server:
        click_through(server.url("/seed/feed.xml"), 83)


@case
def daily():
    """All 120 episodes of the demo's daily podcast, one after the other"""
    with Server(demo=True) as server:
        click_through(server.url("/demo/daily.xml"), 120)


@case
def copied_time():
    """The link of a time stamp that is copied leads to the sound from there"""
    with Server() as server:
        episode = feeds.Episode("One", feeds.sound(server, "minute.cbr.mp3"), notes="<p>0:20</p>")
        with Profile(feeds.write(server, "one", "One", [episode])) as profile, App(profile) as app:
            label = app.wait_for("label", "0:20")

            def offers_link():
                # Beside the link there is a menu, too.
                if app.find("menu item", "Copy as Markdown") and not app.find("menu item", "Copy Link"):
                    app.key("Escape")
                return app.find("menu item", "Copy Link")
            app.click(label, 14 / app.settled_place(label)[2], 3, offers_link)
            app.press("menu item", "Copy Link")
            app.wait_until_gone("menu item", "Copy Link")
            # What was copied is offered there.
            app.key("ctrl+n")
            app.wait_for_entry()
            wait_until("it is the sound's address and the time", lambda: (node := app.focused()) and node.role in ("entry", "text") and
                       node.read_text() == server.url("minute.cbr.mp3#t=20"))


harness.main()
