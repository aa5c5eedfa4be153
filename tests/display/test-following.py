#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Following by address, unfollowing, and changing one's mind."""

import contextlib

from gi.repository import GLib

import accessible
import feeds
import harness
from harness import App, Profile, Server, case, wait_until

@contextlib.contextmanager
def followed_app():
    with Server() as server, Profile(feeds.write_tones(server)) as profile, App(profile) as app:
        feeds.write(server, "second", "Second Podcast", [feeds.Episode("One & <only>", notes="<p>Read me.</p>")])
        app.wait_for_rows(3)
        yield server, app


def open_dialog(app):
    app.key("ctrl+n")
    app.wait_for("dialog", "Add Podcast")
    app.wait_for_entry()


def close_dialog(app):
    app.key("Escape")
    app.wait_until_gone("dialog", "Add Podcast")


def look_for(app, address):
    """Enter does not wait until typing pauses."""
    open_dialog(app)
    app.type(address)
    app.key("Return")


def in_results(node):
    return node.is_in("list", "Podcasts Found")


@case
def by_keys():
    """Ctrl+N, an address, Enter until the podcast is followed and shown"""
    with followed_app() as (server, app):
        look_for(app, server.url("second.xml"))
        app.wait_for("list item", harness.pattern("^Second Podcast"), in_results)
        app.key("Return")
        app.wait_for("heading", "Second Podcast", lambda node: node.is_in("dialog"))
        app.wait_for("list item", harness.pattern("One & <only>"), lambda node: node.is_in("dialog"))
        app.wait_for_focus("Follow")
        app.key("Return")
        app.wait_until_gone("dialog", "Add Podcast")
        app.wait_for("heading", "Second Podcast")
        # Markup in a title is text.
        app.wait_for("heading", "One & <only>")
        wait_until("both are listed", lambda: len(app.podcasts()) == 2)
        # And go on with what was followed, not where they were before.
        wait_until("the keys are at its first episode", lambda: (node := app.focused()) and node.is_in("list", "Episodes") and
                   node.name.startswith("One & <only>"))


@case
def by_pointer():
    """The button of the header, an address that nothing answers at, the button Follow Anyway"""
    with followed_app() as (server, app):
        app.click(app.wait_for("button", "Add Podcast"))
        app.wait_for("dialog", "Add Podcast")
        app.wait_for_entry()
        app.type("127.0.0.1:1/feed.xml")
        app.click(app.wait_for("button", "Follow Anyway"))
        app.wait_until_gone("dialog", "Add Podcast")
        wait_until("both are listed", lambda: len(app.podcasts()) == 2)


@case
def bad_addresses():
    """What is no web address is said to be none; nothing is followed"""
    with followed_app() as (server, app):
        open_dialog(app)
        for text in ("javascript:alert(1)", "ftp://example.org/feed.xml"):
            app.key("ctrl+a")
            app.type(text)
            app.wait_for("label", harness.pattern("This is not a web address"))
        app.key("ctrl+a")
        app.type("file:///etc/passwd")
        app.wait_for("label", harness.pattern("neither a podcast feed nor a list"))
        close_dialog(app)
        harness.stays("one podcast", lambda: len(app.podcasts()) == 1, 0.5)


@case
def cancel():
    """Escape adds nothing"""
    with followed_app() as (server, app):
        look_for(app, server.url("second.xml"))
        app.wait_for("list item", harness.pattern("^Second Podcast"), in_results)
        close_dialog(app)
        harness.stays("one podcast", lambda: len(app.podcasts()) == 1, 0.5)


@case
def followed_twice():
    """A podcast that is followed already says so, and is shown"""
    with followed_app() as (server, app):
        look_for(app, server.url("tones.xml"))
        app.wait_for("list item", harness.pattern("^Time Tones.*, followed$"), in_results)
        app.key("Return")
        app.wait_until_gone("dialog", "Add Podcast")
        harness.stays("one podcast", lambda: len(app.podcasts()) == 1, 0.5)
        wait_until("its three rows are listed", lambda: len(app.rows()) == 3)


def hand_over(app, address):
    """As the desktop does with a link"""
    app.call(harness.APP_PATH, "org.freedesktop.Application", "Open", GLib.Variant("(asa{sv})", ([address], {})))


@case
def handed_over_twice():
    """The address of what is followed is handed over: the listener is told, and sees it; also where nobody answers now"""
    with followed_app() as (server, app):
        hand_over(app, server.url("second.xml"))
        app.wait_for_focus("Follow")
        app.key("Return")
        app.wait_until_gone("dialog", "Add Podcast")
        app.wait_for("heading", "Second Podcast")
        hand_over(app, server.url("tones.xml"))
        app.wait_for_toast("You already follow “Time Tones”")
        app.wait_until_gone("dialog", "Add Podcast")
        app.wait_for("heading", "Time Tones")
        address = server.url("second.xml")
        server.stop()
        hand_over(app, address)
        app.press("button", "Follow Anyway")
        app.wait_for_toast("You already follow “Second Podcast”")
        app.wait_for("heading", "Second Podcast")
        wait_until("there are two podcasts", lambda: len(app.podcasts()) == 2)


@case
def unfollow_and_undo():
    """Unfollow from the menu, Undo from the toast: everything is as it was"""
    with followed_app() as (server, app):
        app.wait_for("list item", "Time Tones, 1 new episode")
        app.press("toggle button", "Played")
        app.wait_for("list item", harness.pattern("cbr.mp3.*, played$"))
        app.wait_for("list item", "Time Tones")
        app.press("toggle button", "Podcast Menu")
        app.wait_for("menu item", "Unfollow")
        with accessible.Announcements(app.tree) as announcements:
            app.press("menu item", "Unfollow")
            app.wait_for("label", "Welcome to Earmark")
            app.wait_for_toast("Unfollowed “Time Tones”")
            said = wait_until("it is said", lambda: [text for text in announcements.read() if "Unfollowed “Time Tones”" in text])
            assert "Undo" in said[0] and "_" not in said[0], said
        app.press_undo()
        app.wait_for_rows(3)
        app.wait_for("list item", harness.pattern("cbr.mp3.*, played$"))
        wait_until("the other two are not played", lambda: [
            row.name.endswith(", played") for row in app.rows()] == [True, False, False])
        app.wait_for("list item", "Time Tones")


@case
def unfollow_while_playing():
    """Unfollowing what plays ends the sound, and the player is empty"""
    with followed_app() as (server, app), harness.Listener() as listener:
        app.action("play-pause")
        listener.wait_for_sound(0, 20)
        app.window_action("unfollow")
        listener.wait_for_silence()
        app.wait_for("label", "Welcome to Earmark")
        wait_until("the player is empty", lambda: not app.mpris_get("Metadata"))


harness.main()
