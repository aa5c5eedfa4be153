#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the sound goes: unplugged headphones pause an episode, another output that the listener chooses does not."""

import contextlib
import subprocess

import feeds
import harness
from harness import App, Listener, Profile, Server, case, on_page, stays, wait_until

AWAY = "phones"


def pactl(*words):
    return subprocess.run(["pactl", *words], check=True, capture_output=True, text=True).stdout.strip()


def get_output():
    """The name of the output that the app plays to, or None."""
    outputs = {words[0]: words[1] for words in map(str.split, pactl("list", "short", "sinks").splitlines())}
    inputs = [line.split() for line in pactl("list", "short", "sink-inputs").splitlines()]
    return outputs.get(inputs[0][1]) if inputs else None


def get_input():
    return pactl("list", "short", "sink-inputs").split()[0]


@contextlib.contextmanager
def app_at_home():
    with Server() as server, Listener() as listener:
        with Profile(feeds.write_tones(server)) as profile, App(profile) as app:
            app.wait_for_rows(3)
            yield app, listener


def play_to_phones(app):
    """Gives the number of what is to be unloaded."""
    module = pactl("load-module", "module-null-sink", f"sink_name={AWAY}", "rate=48000")
    pactl("set-default-sink", AWAY)
    app.press_play(on_page)
    wait_until("it plays to the headphones", lambda: get_output() == AWAY)
    wait_until("it plays for a while", lambda: app.position() > 2)
    return module


def check_goes_on(app, listener, place):
    """When the listener wants that, from what is left."""
    app.action("play-pause")
    listener.wait_for_sound(place - 2, place + 4)
    app.wait_for_status("Playing")
    app.pause()


@case
def unplugged():
    """Unplugged headphones pause the episode, before much is heard on the loudspeakers"""
    with app_at_home() as (app, listener):
        module = play_to_phones(app)
        pactl("unload-module", module)
        place = app.position()
        app.wait_for_status("Paused")
        stays("it is paused", lambda: app.status() == "Paused", 1)
        assert app.position() - place < 1.5, (place, app.position())
        check_goes_on(app, listener, place)


@case
def moved():
    """Moved to another output, the episode plays on"""
    with app_at_home() as (app, listener):
        module = play_to_phones(app)
        # The sound server may drop a move on a busy machine.
        wait_until("it plays elsewhere", lambda: get_output() == "test" or pactl("move-sink-input", get_input(), "test"))
        listener.wait_for_sound(1, 30)
        stays("it plays", lambda: app.status() == "Playing", 2)
        pactl("unload-module", module)
        stays("it plays", lambda: app.status() == "Playing", 2)
        app.pause()


@case
def nothing_left():
    """Unplugged headphones pause it also where no other output is left, without an error until it is to go on"""
    with Server() as server, Profile(feeds.write_tones(server)) as profile, App(profile) as app:
        app.wait_for_rows(3)
        module = play_to_phones(app)
        for line in pactl("list", "short", "modules").splitlines():
            if "sink_name=test" in line:
                pactl("unload-module", line.split()[0])
        pactl("unload-module", module)
        app.wait_for_status("Paused")
        assert app.find("button", "Play", harness.in_player)
        pactl("load-module", "module-null-sink", "sink_name=test", "rate=48000")
        app.action("play-pause")
        app.wait_for_status("Playing")


harness.main()
