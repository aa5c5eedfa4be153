#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Following by address, unfollowing, and changing one's mind."""

import contextlib

import feeds
import harness
from harness import App, Profile, Server, case, wait_until

ENTRY = ("text", "entry", "password text")


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


@case
def by_keys():
    """Ctrl+N, an address typed, Enter: the podcast is followed and shown"""
    with followed_app() as (server, app):
        open_dialog(app)
        app.type(server.url("second.xml"))
        app.key("Return")
        app.wait_until_gone("dialog", "Add Podcast")
        app.wait_for("heading", "Second Podcast")
        # Markup in a title is text.
        app.wait_for("heading", "One & <only>")
        wait_until("both are listed", lambda: len(app.podcasts()) == 2)


@case
def by_pointer():
    """The button of the header, an address without a scheme, the button Follow: by the pointer"""
    with followed_app() as (server, app):
        app.click(app.wait_for("button", "Add Podcast"))
        app.wait_for("dialog", "Add Podcast")
        app.wait_for_entry()
        follow = app.wait_for("button", "Follow", lambda node: node.is_in("dialog"))
        assert not follow.sensitive, "nothing was typed yet"
        app.type(server.url("second.xml").removeprefix("http://"))
        app.press("button", "Follow", lambda node: node.is_in("dialog") and node.sensitive)
        app.wait_until_gone("dialog", "Add Podcast")
        wait_until("both are listed", lambda: len(app.podcasts()) == 2)


@case
def bad_addresses():
    """What is no web address is said to be none, beside it; nothing is followed"""
    with followed_app() as (server, app):
        for text in ("file:///etc/passwd", "javascript:alert(1)", "not an address", "ftp://example.org/feed.xml"):
            open_dialog(app)
            app.type(text)
            app.key("Return")
            app.wait_for("label", harness.pattern("This is no web address"))
            # It goes as soon as something else is typed.
            app.type("x")
            app.wait_until_gone("label", harness.pattern("This is no web address"))
            close_dialog(app)
        wait_until("one podcast", lambda: len(app.podcasts()) == 1)


@case
def cancel():
    """Cancel adds nothing"""
    with followed_app() as (server, app):
        open_dialog(app)
        app.type(server.url("second.xml"))
        app.press("button", "Cancel", lambda node: node.is_in("dialog"))
        app.wait_until_gone("dialog", "Add Podcast")
        harness.stays("one podcast", lambda: len(app.podcasts()) == 1, 0.5)


@case
def followed_twice():
    """A podcast that is followed already is shown, not listed twice"""
    with followed_app() as (server, app):
        open_dialog(app)
        app.type(server.url("tones.xml"))
        app.key("Return")
        app.wait_until_gone("dialog", "Add Podcast")
        harness.stays("one podcast", lambda: len(app.podcasts()) == 1, 0.5)
        wait_until("three rows", lambda: len(app.rows()) == 3)


@case
def unfollow_and_undo():
    """Unfollow from the menu, Undo from the toast: everything is as it was"""
    with followed_app() as (server, app):
        app.press("toggle button", "Listened")
        app.wait_for("list item", harness.pattern("cbr.mp3.*, listened$"))
        app.press("toggle button", "Podcast Menu")
        app.wait_for("menu item", "Open Web Page")
        app.press("menu item", "Unfollow")
        app.wait_for("label", "No Podcasts")
        app.wait_for("label", "Unfollowed “Time Tones”")
        app.press("button", "Undo")
        app.wait_for_rows(3)
        app.wait_for("list item", harness.pattern("cbr.mp3.*, listened$"))
        app.wait_for("list item", "Time Tones, 2 unplayed episodes")


@case
def unfollow_while_playing():
    """Unfollowing what plays ends the sound, and the player is empty"""
    with followed_app() as (server, app), harness.Listener() as listener:
        app.action("play-pause")
        listener.wait_for_sound(0, 20)
        app.window_action("unfollow")
        listener.wait_for_silence()
        app.wait_for("label", "No Podcasts")
        wait_until("the player is empty", lambda: not app.mpris_get("Metadata"))


harness.main()
