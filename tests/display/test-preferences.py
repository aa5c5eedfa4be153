#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Preferences, and the settings of one podcast: what is set holds at once, and after a restart."""

import json

import feeds
import harness
from feeds import Episode
from gi.repository import GLib
from harness import App, Profile, Server, case, pattern, wait_until

EPISODES = [Episode("Alpha", "minute.cbr.mp3"), Episode("Bravo", "minute.cbr.mp3")]
PREFERENCES = "Preferences"
SETTINGS = "Podcast Settings"


def inside(dialog):
    return lambda node: node.is_in("dialog", dialog)


def open_dialog(app, key, dialog):
    app.key(key)
    app.wait_for("dialog", dialog)


def switch(app, dialog, name):
    return app.wait_for("check box", name, inside(dialog))


def turn(app, dialog, name, on):
    """By a click, as a listener does."""
    app.click(switch(app, dialog, name), happened=lambda: ("checked" in switch(app, dialog, name).states) == on)


def said(app, dialog, name):
    """All that a row says beside its name."""
    row = app.wait_for("combo box", name, inside(dialog))
    return [node.name for node in row.walk() if node.role == "label" and node.name != row.name]


def chosen(app, dialog):
    """How often the dialog says that podcasts are checked."""
    return next(iter(said(app, dialog, "Check Automatically")), "")


def choose(app, dialog, place, wanted, name="Check Automatically"):
    """By keys: the first row has the focus when the dialog opens, or its page is shown."""
    def is_there(node):
        return name in (node.name, *(above.name for above in node.ancestors()))
    app.focus()
    if name != "Check Automatically":
        app.go_with("Tab", name, is_there)
    wait_until("the row has the focus", lambda: (node := app.focused()) and is_there(node))
    app.key("space")
    wait_until("the list is open", lambda: (node := app.focused()) and node.role == "list item")
    app.key("Home", *["Down"] * place, "Return")
    wait_until(f"{wanted} is chosen", lambda: wanted in said(app, dialog, name))


def kept(app, name):
    return app.profile.read_settings().get(name)


def podcast_settings(app):
    """What the one state file of a podcast says."""
    settings = next((file["settings"] for file in app.profile.read_states() if file.get("kind") == "podcast" and "settings" in file), {})
    return {name: member["value"] for name, member in settings.items()}


@case
def skipping():
    """How far to skip is set in seconds, by numbers only; the buttons say so, and they, the keys and the command line go as far"""
    with feeds.one_podcast("Plain", EPISODES) as app:
        app.press_play(harness.in_row)
        app.pause()
        app.wait_for("button", "Back 10 Seconds")
        open_dialog(app, "ctrl+comma", PREFERENCES)
        app.choose_tab("Playback", inside(PREFERENCES))
        for name, value, typed in (("Skip Back", 12, "Delete"), ("Skip Forward", 40, "0")):
            def find(name=name):
                return app.wait_for("spin button", name, inside(PREFERENCES))
            find().write_value(value)
            wait_until("it is set", lambda: find().read_value() == value)
            app.click(find(), across=0.2, happened=lambda: app.has_focus(name))
            app.key("ctrl+a", typed, "Tab")
            wait_until("the keys go elsewhere", lambda: (node := app.focused()) and not app.has_focus(name))
            assert find().read_value() == value, f"{name} is {find().read_value()}"
        app.wait_for("spin button", "Skip Back", inside(PREFERENCES)).write_value(7)
        app.wait_for("spin button", "Skip Forward", inside(PREFERENCES)).write_value(15)
        wait_until("it is kept", lambda: (kept(app, "skip-back"), kept(app, "skip-forward")) == ("7", "15"))
        app.press_close(PREFERENCES)
        app.wait_for("button", "Back 7 Seconds")
        start = app.position()

        def is_at(place):
            return abs(app.position() - start - place) < 0.5
        app.press("button", "Forward 15 Seconds")
        wait_until("it is 15 s further", lambda: is_at(15))
        app.key("ctrl+Right")
        wait_until("it is 30 s further", lambda: is_at(30))
        app.key("ctrl+Left")
        wait_until("it is 23 s further", lambda: is_at(23))
        for place, wanted in (("+", 38), ("-", 31)):
            app.profile.run(f"--seek={place}")
            wait_until(f"it is {wanted} s further", lambda: is_at(wanted))


@case
def everywhere():
    """Preferences are kept, hold at once, also for each podcast, and are there after a restart"""
    with feeds.one_podcast("Plain", EPISODES) as app:
        open_dialog(app, "ctrl+comma", PREFERENCES)
        wait_until("it is checked every hour", lambda: chosen(app, PREFERENCES) == "Every hour")
        choose(app, PREFERENCES, 1, "Every 15 minutes")
        turn(app, PREFERENCES, "Use Metered Networks", True)
        turn(app, PREFERENCES, "Notifications", False)
        wait_until("all are kept", lambda: [kept(app, name) for name in ("refresh-interval", "refresh-on-metered", "notifications")] ==
                   ["15", "true", "false"])
        app.choose_tab("Downloads", inside(PREFERENCES))
        choose(app, PREFERENCES, 3, "After 7 days", "Remove Old Downloads")
        choose(app, PREFERENCES, 2, "1.0\u00a0GB", "Minimum Free Space")
        wait_until("both are kept", lambda: (kept(app, "remove-after"), kept(app, "keep-free")) == ("7", "1000"))
        app.press_close(PREFERENCES)

        open_dialog(app, "alt+comma", SETTINGS)
        wait_until("it says what holds", lambda: chosen(app, SETTINGS) == "Default (Every 15 minutes)")
        wait_until("there is nothing to switch off", lambda: "sensitive" not in switch(app, SETTINGS, "Notifications").states)
        app.press_close(SETTINGS)

        app.start_again()
        open_dialog(app, "ctrl+comma", PREFERENCES)
        wait_until("the interval is there again", lambda: chosen(app, PREFERENCES) == "Every 15 minutes")
        wait_until("so is the network", lambda: "checked" in switch(app, PREFERENCES, "Use Metered Networks").states)
        wait_until("and that there are none", lambda: "checked" not in switch(app, PREFERENCES, "Notifications").states)
        # An episode that plays goes on without a window, unless the listener wants otherwise.
        app.choose_tab("Playback", inside(PREFERENCES))
        turn(app, PREFERENCES, "Keep Playing When Closed", False)
        app.press_close(PREFERENCES)
        app.wait_for_rows(2)
        app.window_action("play-selected")
        app.wait_for_status("Playing")
        app.key("ctrl+w")
        app.wait_for_end()


@case
def of_one_podcast():
    """Settings of one podcast go to its state file, hold, and are there after a restart; their last row unfollows it, which can be undone"""
    with feeds.one_podcast("Plain", EPISODES) as app:
        app.from_menu("Podcast Menu", "Settings…")
        app.wait_for("dialog", SETTINGS)
        turn(app, SETTINGS, "Notifications", False)
        wait_until("that is kept", lambda: podcast_settings(app).get("notifications") is False)
        app.press_close(SETTINGS)
        open_dialog(app, "alt+comma", SETTINGS)
        choose(app, SETTINGS, 1, "Never")
        wait_until("that is kept", lambda: podcast_settings(app).get("refresh-interval") == 0)
        app.wait_for("spin button", "Skip at the Beginning").write_value(20)
        app.wait_for("spin button", "Skip at the End").write_value(10)
        wait_until("both are kept", lambda: [podcast_settings(app).get(name) for name in ("skip-start", "skip-end")] == [20, 10])
        app.press_close(SETTINGS)
        app.press_play(harness.in_row)
        wait_until("it begins after that", lambda: 20 <= app.position() < 30)

        app.start_again()
        app.wait_for_rows(2)
        open_dialog(app, "alt+comma", SETTINGS)
        wait_until("the interval is there again", lambda: chosen(app, SETTINGS) == "Never")
        wait_until("so is that there are none", lambda: "checked" not in switch(app, SETTINGS, "Notifications").states)
        app.go_down_to("Unfollow")
        app.key("Return")
        app.wait_until_gone("dialog", SETTINGS)
        app.wait_for("label", "Welcome to Earmark")
        app.press_undo()
        app.wait_for_rows(2)


@case
def drop_what_was_played():
    """One podcast has its newest episode downloaded and in Up Next by itself, and no longer when it was played, which Undo takes back"""
    with feeds.one_podcast("Plain", EPISODES) as app:
        open_dialog(app, "alt+comma", SETTINGS)
        wait_until("it says what holds for all", lambda: "Default (Off)" in said(app, SETTINGS, "Remove When Played"))
        choose(app, SETTINGS, 2, "On", "Remove When Played")
        wait_until("it has a rule of its own", lambda: podcast_settings(app).get("remove-played") == 1)
        choose(app, SETTINGS, 0, "Default (Off)", "Remove When Played")
        wait_until("it has that of all", lambda: podcast_settings(app).get("remove-played") == -1)
        choose(app, SETTINGS, 2, "On", "Remove When Played")
        choose(app, SETTINGS, 2, "On", "Add New Episodes to Up Next")
        choose(app, SETTINGS, 2, "The newest episode", "Download New Episodes")
        wait_until("both are kept", lambda: (podcast_settings(app).get("queue-new"), podcast_settings(app).get("download-newest")) == (True, 1))
        app.press_close(SETTINGS)
        app.wait_for("list item", pattern("^Alpha, .*, downloaded$"))
        assert not app.find("list item", pattern("^Bravo, .*, downloaded$"))
        app.press("button", "Play", harness.in_row)
        wait_until("it plays", lambda: app.mpris_get("PlaybackStatus") == "Playing" and app.mpris_get("CanSeek"))
        app.action("seek-by", GLib.Variant("x", 58))
        app.wait_for("list item", pattern("^Bravo, .*, downloaded"))
        app.wait_for("list item", pattern("^Alpha, .*, 1 minute, played$"))
        app.press_undo()
        app.wait_for("list item", pattern("^Alpha, .*, downloaded, played$"))
        assert kept(app, "remove-played") is None


def downloads_in(folder):
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*.mp3"))


@case
def folder():
    """Downloads are moved to the folder that is chosen, and back by the button beside it; both say where and how much"""
    with feeds.one_podcast("Plain", EPISODES) as app:
        usual = app.profile.folder / "data" / "earmark" / "downloads"
        stick = app.profile.folder / "stick"
        stick.mkdir()
        app.key("ctrl+s")
        app.wait_for("list item", pattern("^Alpha, .*, downloaded$"))
        whole = downloads_in(usual)
        assert len(whole) == 1, whole
        app.window_action("podcast-details")
        app.wait_for("label", pattern(r"1 episode\W+\d+\WkB"), lambda node: node.is_in("list item", "Downloads"))
        app.key("Escape")
        open_dialog(app, "ctrl+comma", PREFERENCES)
        app.choose_tab("Downloads", inside(PREFERENCES))
        app.wait_for("label", pattern(r"1 episode\W+\d+\WkB"), lambda node: node.is_in("list item", "Downloads Folder…"))
        app.go_down_to("Downloads Folder…")
        app.key("Return")
        harness.write_path(app, "Choose Downloads Folder", "Move Here", stick)
        wait_until("they are there", lambda: downloads_in(stick) == whole)
        wait_until("and only there", lambda: not usual.exists())
        app.wait_for("label", pattern(r"/stick\n\W*1 episode"), lambda node: node.is_in("list item", "Downloads Folder…"))
        wait_until("that is kept", lambda: kept(app, "downloads-folder") == f"'{stick.as_uri()}'")
        app.press("button", "Use Default Folder", inside(PREFERENCES))
        wait_until("they are back", lambda: downloads_in(usual) == whole and not stick.exists())
        app.press_close(PREFERENCES)
        app.wait_for("list item", pattern("^Alpha, .*, downloaded$"))


ADDRESS = "Change Address"


def write_address(app, address):
    """Types over the address that has the focus, and Enter."""
    app.wait_for("dialog", ADDRESS)
    wait_until("the address has the focus", lambda: (node := app.focused()) and node.role in ("text", "entry"))
    app.retype(address)
    app.key("Return")


@case
def another_address():
    """A new address is tried: a wrong one is not taken, another podcast asked about, the right one fetched, also later"""
    with feeds.one_podcast("Plain", EPISODES) as app:
        server = app.server
        right = feeds.write(server, "moved", "Plain", [*EPISODES, Episode("Charlie", "minute.cbr.mp3", 60)])
        other = feeds.write(server, "other", "Quite Another", EPISODES)
        open_dialog(app, "alt+comma", SETTINGS)
        app.go_down_to("Change Address…")
        app.key("Return")
        write_address(app, "nonsense:")
        app.wait_for("label", pattern("not a web address"), inside(ADDRESS))
        write_address(app, server.url("missing.xml"))
        app.wait_for("label", pattern("No podcast was found at this address"), inside(ADDRESS))
        write_address(app, other)
        app.wait_for("label", pattern("This is the address of “Quite Another”"))
        app.press("button", "Cancel")
        app.wait_until_gone("label", pattern("This is the address of"))
        write_address(app, right)
        app.wait_until_gone("dialog", ADDRESS)
        app.wait_for("label", right, inside(SETTINGS))
        app.press_close(SETTINGS)
        app.wait_for_toast("Address changed")
        app.wait_for_rows(3)

        app.quit()
        subscriptions = json.loads((app.profile.state / "subscriptions.json").read_text())["podcasts"]
        assert [podcast["feed"] for podcast in subscriptions.values()] == [right], subscriptions
        app.restart()
        app.wait_for_rows(3)
        # A question about a podcast goes when another program unfollows it.
        open_dialog(app, "alt+comma", SETTINGS)
        app.go_down_to("Change Address…")
        app.key("Return")
        write_address(app, other)
        app.wait_for("label", pattern("This is the address of “Quite Another”"))
        app.window_action("unfollow")
        app.wait_until_gone("label", pattern("Quite Another"))
        app.wait_until_gone("dialog", SETTINGS)
        app.wait_for("label", "Welcome to Earmark")


def open_row(app, title):
    """By keys: GTK 4.18 now and then warns of a label that a pointer has pressed while its page slides away."""
    app.wait_for("list item", title)
    app.go_with("Tab", title, lambda node: node.name == title)
    app.key("Return")


@case
def about():
    """About has debugging information, and clears the covers, which come back when they are shown"""
    with Server(demo=True) as server, Profile(server.url("demo/feed.xml")) as profile, App(profile) as app:
        covers = profile.folder / "cache" / "earmark" / "covers"
        wait_until("a cover is kept", lambda: any(covers.glob("*-128.*")))
        app.action("about")
        app.wait_for("label", "The Earmark Project")
        open_row(app, "Troubleshooting")
        open_row(app, "Debugging Information")
        app.wait_for("button", "Copy Text")
        wait_until("there is the text", lambda: any("Podcasts: 1, of which 0 are private" in node.read_text() for node in app.find_all("text")))
        # From page to page, and out
        wait_until("it is closed", lambda: app.find("dialog") is None or app.key("Escape"))
        app.action("about")
        app.wait_for("label", "The Earmark Project")
        open_row(app, "Details")
        open_row(app, "Clear Cover Cache")
        app.wait_for_toast("Covers are loaded again when needed")
        app.wait_until_gone("label", "The Earmark Project")
        wait_until("there are none", lambda: not list(covers.glob("*-128.*")))


SPEED = pattern("\u2066[0-9.]+×\u2069")


def is_checked(app, name):
    return "checked" in app.wait_for("check box", name).states


def turn_in_menu(app, name, on):
    """By a click, as a listener does."""
    app.click(app.wait_for("check box", name), across=0.1, happened=lambda: is_checked(app, name) == on)


@case
def menu_of_the_speed():
    """Slower, faster, trimmed and levelled, for all podcasts or for the one that plays; a change that was just made goes with that choice"""
    with feeds.one_podcast("Plain", EPISODES) as app:
        app.press_play(harness.in_row)
        app.press("toggle button", SPEED)
        app.press("button", "Faster")
        wait_until("it is kept for all", lambda: kept(app, "rate") == "1.05")
        turn_in_menu(app, "Only for This Podcast", True)
        app.wait_for("label", pattern("^Other podcasts play at \\W*1×"))
        wait_until("it is kept for the podcast alone", lambda: podcast_settings(app).get("speed") == 105 and kept(app, "rate") in (None, "1.0"))
        assert app.mpris_get("Rate") == 1.05
        turn_in_menu(app, "Only for This Podcast", False)
        app.press("button", "Faster")
        wait_until("it is faster", lambda: app.mpris_get("Rate") == 1.05)
        turn_in_menu(app, "Trim Silence", True)
        turn_in_menu(app, "Level Volume", True)
        wait_until("that is kept for all", lambda: [kept(app, name) for name in ("rate", "trim-silence", "level-volume")] ==
                   ["1.05", "true", "true"])

        app.wait_for("label", "All podcasts play like this")
        app.escape_from("check box", "Trim Silence")
        app.press("toggle button", SPEED)
        turn_in_menu(app, "Only for This Podcast", True)
        app.wait_for("label", pattern("^Other podcasts play at .*1.05×"))
        app.press("button", "Faster")
        turn_in_menu(app, "Trim Silence", False)
        wait_until("it is kept for the podcast", lambda: podcast_settings(app) ==
                   {"speed": 110, "trim-silence": 0, "level-volume": 1})
        assert [kept(app, name) for name in ("rate", "trim-silence")] == ["1.05", "true"]

        turn_in_menu(app, "Only for This Podcast", False)
        wait_until("it plays as all do", lambda: app.mpris_get("Rate") == 1.05 and is_checked(app, "Trim Silence"))
        wait_until("it is kept that it does", lambda: podcast_settings(app)["speed"] == -1)


@case
def whole_steps():
    """Wherever the slider is clicked, the speed is a whole number of steps; the rest of the episode is told at that speed"""
    with feeds.one_podcast("Plain", EPISODES) as app:
        app.press_play(harness.in_row)
        app.pause()
        app.action("speed", GLib.Variant("d", 2.0))
        app.wait_for("button", pattern("(2[0-9]|30) seconds left"))
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


harness.main()
