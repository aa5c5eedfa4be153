#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Speed and sound in the player's own menu, for all podcasts and for one, and what is skipped of its episodes."""

import contextlib

import feeds
import harness
from feeds import Episode
from gi.repository import GLib
from harness import App, Profile, Server, case, pattern, wait_until

EPISODES = [Episode("Alpha", "minute.cbr.mp3", 60), Episode("Bravo", "minute.cbr.mp3", 60)]
SETTINGS = "Podcast Settings"
SPEED = pattern("\u2066[0-9.]+×\u2069")


@contextlib.contextmanager
def listed_app():
    with Server() as server:
        feeds.sound(server, "minute.cbr.mp3")
        with Profile(feeds.write(server, "plain", "Plain", EPISODES)) as profile, App(profile) as app:
            app.wait_for_rows(2)
            yield app, profile


def play(app):
    app.press("button", "Play", harness.in_row)
    app.wait_for_status("Playing")


def kept(profile, name):
    text = (profile.folder / "config" / "glib-2.0" / "settings" / "keyfile").read_text()
    return next((line.split("=", 1)[1] for line in text.splitlines() if line.startswith(name + "=")), None)


def podcast_settings(profile):
    """What the one state file of a podcast says."""
    settings = next((file["settings"] for file in profile.read_states() if file.get("kind") == "podcast" and "settings" in file), {})
    return {name: member["value"] for name, member in settings.items()}


def set_value(node, value):
    """As a screen reader does."""
    node.ask("org.freedesktop.DBus.Properties", "Set",
             GLib.Variant("(ssv)", ("org.a11y.atspi.Value", "CurrentValue", GLib.Variant("d", value))))


def is_checked(app, name):
    return "checked" in app.wait_for("check box", name).states


def turn(app, name, on):
    """By a click, as a listener does."""
    app.click(app.wait_for("check box", name), across=0.1, happened=lambda: is_checked(app, name) == on)


@case
def menu_of_the_speed():
    """Slower, faster, trimmed and levelled, for all podcasts, or for the one that plays and no other"""
    with listed_app() as (app, profile):
        play(app)
        app.press("toggle button", SPEED)
        app.press("button", "Faster")
        wait_until("it is faster", lambda: app.mpris_get("Rate") == 1.05)
        turn(app, "Trim Silence", True)
        turn(app, "Level Volume", True)
        wait_until("that is kept for all", lambda: [kept(profile, name) for name in ("rate", "trim-silence", "level-volume")] ==
                   ["1.05", "true", "true"])

        app.wait_for("label", "All podcasts play like this")
        app.key("Escape")
        app.wait_until_gone("check box", "Trim Silence")
        app.press("toggle button", SPEED)
        turn(app, "Only for This Podcast", True)
        app.wait_for("label", pattern("^Other podcasts play at .*1.05×"))
        app.press("button", "Faster")
        turn(app, "Trim Silence", False)
        wait_until("it is kept for the podcast", lambda: podcast_settings(profile) ==
                   {"speed": 110, "trim-silence": 0, "level-volume": 1})
        assert [kept(profile, name) for name in ("rate", "trim-silence")] == ["1.05", "true"]

        turn(app, "Only for This Podcast", False)
        wait_until("it plays as all do", lambda: app.mpris_get("Rate") == 1.05 and is_checked(app, "Trim Silence"))
        wait_until("it is kept that it does", lambda: podcast_settings(profile)["speed"] == -1)


@case
def whole_steps():
    """Wherever the slider is clicked, the speed is a whole number of the steps of its buttons and of the keys"""
    with listed_app() as (app, _profile):
        play(app)
        app.press("toggle button", SPEED)
        scale = app.wait_for("slider", "Speed")
        for across in (0.31, 0.43, 0.61):
            before = app.mpris_get("Rate")
            app.click(scale, across=across)
            wait_until("it is another speed", lambda: app.mpris_get("Rate") != before)
            assert abs(app.mpris_get("Rate") * 20 % 1 - 0.5) > 0.499, app.mpris_get("Rate")
        before = app.mpris_get("Rate")
        app.action("speed-up")
        wait_until("a step faster", lambda: abs(app.mpris_get("Rate") - before - 0.05) < 0.001)


@case
def only_what_was_just_set():
    """What is set first and then said to be for one podcast only leaves the others as they were"""
    with listed_app() as (app, profile):
        play(app)
        app.press("toggle button", SPEED)
        app.press("button", "Faster")
        wait_until("it is kept for all", lambda: kept(profile, "rate") == "1.05")
        turn(app, "Only for This Podcast", True)
        app.wait_for("label", pattern("^Other podcasts play at \\W*1×"))
        wait_until("it is kept for the podcast alone", lambda: podcast_settings(profile).get("speed") == 105 and kept(profile, "rate") in (None, "1.0"))
        assert app.mpris_get("Rate") == 1.05


@case
def settings_of_the_podcast():
    """The dialog of the podcast sets what its episodes are played with, and where they begin"""
    with listed_app() as (app, profile):
        app.key("alt+comma")
        app.wait_for("dialog", SETTINGS)
        set_value(app.wait_for("spin button", "Skip at the Beginning"), 20)
        set_value(app.wait_for("spin button", "Skip at the End"), 10)
        wait_until("both are kept", lambda: podcast_settings(profile) == {"skip-start": 20, "skip-end": 10})
        app.press("button", "Close", lambda node: node.is_in("dialog", SETTINGS))
        app.wait_until_gone("dialog", SETTINGS)
        play(app)
        wait_until("it begins after that", lambda: 20 <= app.position() < 30)


@case
def time_left():
    """What is left is told in the listener's own time"""
    with listed_app() as (app, _profile):
        play(app)
        app.action("play-pause")
        app.wait_for_status("Paused")
        app.action("speed", GLib.Variant("d", 2.0))
        app.wait_for("button", pattern("(2[0-9]|30) seconds left"))


harness.main()
