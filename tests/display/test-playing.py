#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Playing, pausing and seeking by every way there is; where playback is, the sound itself says. Where the sound goes: unplugged headphones pause
an episode, another output that the listener chooses does not."""

import contextlib
import subprocess

import feeds
import harness
from gi.repository import GLib
from harness import Listener, case, in_player, in_row, on_page, wait_until


@contextlib.contextmanager
def playing_app(clips=("minute.cbr.mp3", "minute.opus", "minute.m4a")):
    with feeds.following(lambda server: feeds.write_tones(server, clips=clips)) as app, Listener() as listener:
        app.wait_for_rows(len(clips))
        app.wait_for("heading", "Time Tones")
        yield app, listener


def title(app):
    return app.mpris_get("Metadata").get("xesam:title")


def wait_for_place(app, listener, low, high):
    """What is heard, and what the app says is heard."""
    listener.wait_for_sound(low, high)
    wait_until("the app says what is heard", lambda: (heard := listener.now()) is not None and abs(app.position() - heard) < 0.6)


@case
def buttons():
    """The button of the page, of the player and of a row, and Space, play and pause, and that is what is heard"""
    with playing_app() as (app, listener):
        app.click(app.wait_for("button", "Play", on_page), happened=lambda: app.status() == "Playing")
        listener.wait_for_sound(0, 20)
        assert title(app) == "Sound in minute.cbr.mp3"
        app.wait_for("list item", harness.pattern("cbr.mp3.*, playing$"))
        app.press("button", "Pause", in_player)
        listener.wait_for_silence()
        app.wait_for("list item", harness.pattern("cbr.mp3.*, paused$"))
        app.click(app.row(2))
        app.wait_for("heading", "Sound in minute.m4a")
        app.key("space")
        listener.wait_for_sound(0, 30)
        assert title(app) == "Sound in minute.cbr.mp3", "a row that was clicked does not take the player"
        # Where the focus is on a button, Space is that button's: Ctrl+Space is not.
        app.key("ctrl+space")
        listener.wait_for_silence()
        app.press("button", "Play", lambda node: in_row(node) and any("minute.opus" in above.name for above in node.ancestors()))
        wait_until("the second episode is in the player", lambda: title(app) == "Sound in minute.opus")
        listener.wait_for_sound(0, 20)
        app.press("button", "Pause", in_row)
        listener.wait_for_silence()


@case
def keys():
    """Keys go 30 s on and 10 s back, mute, and change the volume; at twice the speed the time runs twice as fast, and the pitch stays"""
    with playing_app() as (app, listener):
        app.press("button", "Play", on_page)
        listener.wait_for_sound(0, 15)
        app.key("ctrl+Right")
        wait_for_place(app, listener, 30, 50)
        before = listener.wait_for_sound(30, 50)
        app.key("ctrl+Left")
        wait_for_place(app, listener, before - 10.5, before - 3)
        app.key("ctrl+m")
        listener.wait_for_silence()
        app.key("ctrl+Down")
        wait_until("it is set to be quieter", lambda: abs(app.mpris_get("Volume") - 0.95) < 0.01)
        listener.wait_for_silence()
        app.key("ctrl+Up")
        listener.wait_for_sound(0, 60)
        assert abs(app.mpris_get("Volume") - 0.95) < 0.01, "it is louder than it was before it was muted"
        app.key("ctrl+Up")
        wait_until("it is louder", lambda: app.mpris_get("Volume") > 0.99)
        app.action("seek", GLib.Variant("x", 0))
        app.action("speed", GLib.Variant("d", 2.0))
        app.wait_for("toggle button", harness.pattern("2×"))
        wait_until("the speed is told", lambda: app.mpris_get("Rate") == 2.0)

        def runs_twice_as_fast():
            """By the recorder's clock: this program may be kept waiting."""
            last = [reading for reading in listener.readings[-40:] if reading[1] is not None]
            fast = len(last) == 40 and abs((last[-1][1] - last[0][1]) / (39 * harness.Listener.STEP) - 2) < 0.15
            return last if fast else None
        readings = wait_until("the time runs twice as fast", runs_twice_as_fast)
        pitches = sorted(reading[2] for reading in readings if reading[2] is not None)
        assert abs(pitches[len(pitches) // 2] - 1) < 0.05, pitches


@case
def seek_by_pointer():
    """A real click on the slider goes there, and so do its keys"""
    with playing_app(clips=("minute.vbr.mp3", "minute.opus", "minute.late.m4a")) as (app, listener):
        for row in (2, 1, 0):
            app.click(app.row(row))
            app.key("ctrl+Return")
            listener.wait_for_sound(0, 15)
            wait_until("the length is known", lambda: "mpris:length" in app.mpris_get("Metadata"))
            app.click(app.wait_for("slider", "Position"), 0.75)
            wait_for_place(app, listener, 42, 50)
            app.click(app.wait_for("slider", "Position"), 0.25)
            wait_for_place(app, listener, 12, 20)
        # The slider has the focus now: its page key goes a minute on, which is the end.
        app.key("Left")
        wait_for_place(app, listener, 2, 12)


def turn_wheel(app, node, button):
    x, y, width, height = app.settled_place(node)
    # GTK does not count the padding.
    app.xdotool("mousemove", x + width // 2 + 6, y + height // 2 + 6, "click", button)
    app.let_it_act()


@case
def way_back():
    """A toast and Ctrl+Z lead back from where clicks on the slider have led; a wheel over the slider moves nothing, over Volume the volume"""
    with playing_app() as (app, listener):
        app.press("button", "Play", on_page)
        listener.wait_for_sound(1, 15)
        app.pause()
        app.action("seek", GLib.Variant("x", 3_000_000))
        wait_until("it is there", lambda: app.position() == 3)
        slider = app.wait_for("slider", "Position")
        app.click(slider, 0.95)
        app.wait_for_toast(harness.pattern("^Jumped to 0:5"))
        app.press_undo()
        wait_until("it is back", lambda: app.position() == 3)
        for place in (0.5, 0.7, 0.9):
            app.click(slider, place)
            wait_until("it is there", lambda place=place: abs(app.position() - 60 * place) < 5)
        app.key("ctrl+z")
        wait_until("it is where it began", lambda: app.position() == 3)
        turn_wheel(app, slider, 4)
        turn_wheel(app, slider, 5)
        volume = app.wait_for("toggle button", "Volume", in_player)
        for button, wanted in ((5, 0.95), (4, 1)):
            turn_wheel(app, volume, button)
            wait_until(f"the volume is {wanted}", lambda wanted=wanted: abs(app.mpris_get("Volume") - wanted) < 0.01)
        assert app.position() == 3, app.position()


@case
def drag_into_the_next():
    """A drag of the slider that goes on when another episode is in the player moves that one nowhere"""
    # The slider can be moved from the start: the feed has told the length, and the sound takes its time.
    with feeds.one_podcast("Slow Tones", [feeds.Episode("Second", "~delay=4000/minute.cbr.mp3"), "First"]) as app, Listener() as listener:
        app.click(app.row(1))
        app.wait_for("heading", "First")
        app.action("play-pause")
        listener.wait_for_sound(0, 15)
        x, y, width, height = app.settled_place(app.wait_for("slider", "Position"))

        def drag(part):
            app.xdotool("mousemove", x + int(width * part), y + height // 2)
        drag(0.5)
        app.xdotool("mousedown", 1)
        try:
            drag(0.75)
            wait_until("the slider is dragged", lambda: (node := app.find("slider", "Position")) and node.read_value() > 40)
            app.action("next")
            wait_until("the next episode is in the player", lambda: title(app) == "Second")
            drag(0.7)
            drag(0.8)
        finally:
            app.xdotool("mouseup", 1)
        # What is heard then is the second one.
        listener.wait_for_silence()
        wait_for_place(app, listener, 0, 20)
        wait_until("the slider is where the sound is", lambda: (node := app.find("slider", "Position")) and
                   abs(node.read_value() - app.position()) < 1.5)


@case
def the_end():
    """At its end an episode is listened to, and the list says so"""
    with playing_app(clips=("short.mp3", "minute.opus")) as (app, listener):
        app.wait_for("list item", "Time Tones, 1 new episode")
        app.press("button", "Play", on_page)
        listener.wait_for_sound(0, 3)
        app.wait_for("list item", harness.pattern("short.mp3.*, played$"))
        app.wait_for("list item", "Time Tones")
        app.wait_for_status("Stopped")
        wait_until("it was heard to its end", lambda: listener.last_heard() > 2.5)
        # Once more from its beginning.
        before = len(listener.readings)
        app.press("button", harness.pattern("Play"), on_page)
        listener.wait_for_sound(0, 1.5, before)


@case
def links_in_notes():
    """Keys follow a time in the notes, and a link, whose address is copied where no program opens it"""
    with playing_app() as (app, listener):
        app.click(app.row(0))
        notes = harness.pattern("^Listen to minute.cbr.mp3")

        def in_notes():
            app.key("Tab")
            return app.find("label", notes, lambda node: "focused" in node.states)
        wait_until("Tab comes to the notes", in_notes)
        # From the text, which can be selected, to its first link.
        app.key("Tab", "Return")
        app.wait_for_toast(harness.pattern("The link could not be opened"))
        app.key("Tab", "Return")
        wait_for_place(app, listener, 20, 35)
        assert title(app) == "Sound in minute.cbr.mp3"


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


def play_to_phones(app):
    """Gives the number of what is to be unloaded."""
    module = pactl("load-module", "module-null-sink", f"sink_name={AWAY}", "rate=48000")
    pactl("set-default-sink", AWAY)
    app.play()
    wait_until("it plays to the headphones", lambda: get_output() == AWAY)
    wait_until("it plays for a while", lambda: app.position() > 2)
    return module


@case
def unplugged():
    """Unplugged headphones pause the episode, before much is heard on the loudspeakers"""
    with feeds.tones() as app, Listener() as listener:
        module = play_to_phones(app)
        pactl("unload-module", module)
        place = app.position()
        app.wait_for_status("Paused")
        harness.stays("it is paused", lambda: app.status() == "Paused", 1)
        assert app.position() - place < 1.5, (place, app.position())
        # When the listener wants that, it goes on from what is left.
        app.action("play-pause")
        listener.wait_for_sound(place - 2, place + 4)
        app.wait_for_status("Playing")
        app.pause()


@case
def moved():
    """Moved to another output, the episode plays on"""
    with feeds.tones() as app, Listener() as listener:
        module = play_to_phones(app)
        # The sound server may drop a move on a busy machine.
        wait_until("it plays elsewhere", lambda: get_output() == "test" or pactl("move-sink-input", get_input(), "test"))
        listener.wait_for_sound(1, 30)
        harness.stays("it plays", lambda: app.status() == "Playing", 2)
        pactl("unload-module", module)
        harness.stays("it plays", lambda: app.status() == "Playing", 2)
        app.pause()


@case
def nothing_left():
    """Unplugged headphones pause it also where no other output is left, without an error until it is to go on"""
    with feeds.tones() as app:
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
