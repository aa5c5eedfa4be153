#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each control of each page has a name and a role, and all can be reached by keys."""

import contextlib
import itertools

import feeds
import harness
from gi.repository import GLib
from harness import App, Profile, Server, case, in_player, on_page, pattern, wait_until

# What takes the focus only to be scrolled by keys, or to hand it on to its rows.
CONTAINERS = ("scroll pane", "list")
VAGUE = ("unknown", "invalid", "panel", "grouping", "filler", "")


def is_own(node):
    """Ours to name: not what libadwaita hands the focus on with inside a dialog's frame, or a sheet's."""
    if node.role in CONTAINERS:
        return False
    if node.role == "panel" and any("sheet.close" in above.actions() for above in itertools.islice(node.ancestors(), 3)):
        return False
    # The item that a GtkDropDown shows in its button
    if node.role == "panel" and node.is_in("combo box"):
        return False
    above = [each.role for each in itertools.takewhile(lambda each: each.role != "dialog", node.ancestors())]
    return not (node.role == "panel" and node.is_in("dialog") and set(above) <= {"panel"})


def find_faults(app, required):
    nodes = [node for node in app.read().walk() if node.showing]
    controls = [node for node in nodes if "focusable" in node.states and is_own(node)]
    faults = [f"without a name: {node!r} in {[above for above in node.ancestors() if above.name][:2]}" for node in controls
              if not node.name.strip()]
    faults += [f"without a role: {node!r}" for node in controls if node.role in VAGUE]
    for role, name in required:
        if not any(node.role == role and harness.is_called(node, name) for node in nodes):
            faults.append(f"there is no {role} {name}")
    return faults


def check(app, *required):
    """No control without a name or with a role that says nothing; these (role, name) are among them."""
    harness.wait_until_right("nothing is wrong", lambda: find_faults(app, required))


def tab_through(app, limit=60):
    """What Tab stops at, in its order, until it comes round; none of it has no name."""
    app.key("Tab")
    node = wait_until("something has the focus", app.focused)
    first, stops = node.path, []
    while not stops or node.path != first:
        assert node.name.strip(), f"Tab stops at {node!r}, which has no name"
        stops.append((node.role, node.name))
        assert len(stops) < limit, f"it does not come round: {stops}"
        # Within a label it goes from link to link first.
        for _ in range(10):
            app.key("Tab")
            after = wait_until("something has the focus", app.focused)
            if after.path != node.path:
                break
        assert after.path != node.path, f"Tab does not leave {node!r}"
        node = after
    return stops


@case
def list_and_episode():
    """The list and the episode's page, their menus, and the filters; Tab goes round, and stops at nothing that has no name"""
    with feeds.tones() as app:
        app.wait_for("heading", "Sound in minute.cbr.mp3")
        check(app, ("button", "Add Podcast"), ("toggle button", "Main Menu"), ("button", "Check for New Episodes"),
              ("toggle button", "Search Episodes"), ("toggle button", "Podcast Menu"), ("toggle button", "Sort Order"),
              ("list", "Podcasts"), ("list", "Episodes"), ("toggle button", "Filter, All"), ("button", "Play"),
              ("toggle button", "Played"), ("button", "Download"), ("toggle button", "Episode Menu"),
              ("list item", "Sound in minute.cbr.mp3, November 14, 2023, 1 minute, new"),
              ("list item", "Time Tones, 1 new episode"), ("heading", "Time Tones"))
        for button in ("Main Menu", "Podcast Menu", "Episode Menu", "Sort Order"):
            with app.menu(button):
                check(app)
        app.action("play-pause")
        app.wait_for("slider", "Position")
        app.pause()
        stops = tab_through(app)
        for name in ("Add Podcast", "Main Menu", "Search Episodes", "Play", "Played", "Volume", "Position"):
            assert name in [stop for _, stop in stops], f"Tab never comes to {name}: {stops}"
        rows = [name for role, name in stops if role == "list item"]
        assert len(rows) == 2, f"one row of each list, the arrow keys do the rest: {rows}"
        app.choose_filter("Unplayed")
        check(app, ("toggle button", "Filter, Unplayed"))


def pressed_speeds(app):
    """Of the five below the slider."""
    presets = app.find_all("toggle button", harness.pattern("×"), lambda node: len(next(node.ancestors()).children) == 5)
    return [node.name for node in presets if "pressed" in node.states]


@case
def player():
    """The player's bar, its speed, its volume and its timer; what keys change is announced, as what shows it does not have the focus"""
    with feeds.tones() as app:
        app.action("play-pause")
        app.wait_for("slider", "Position")
        wait_until("it plays", lambda: app.find("button", "Pause", harness.in_player))
        for key, words in (("greater", "Speed, \u20661.05×\u2069"), ("less", "Speed, \u20661×\u2069"), ("ctrl+Down", "Volume, 95 %"),
                           ("ctrl+m", "Volume, 0 %"), ("ctrl+m", "Volume, 95 %"), ("ctrl+Up", "Volume, 100 %")):
            app.announcements.read().clear()
            app.key(key)
            wait_until(f"“{words}” is said", lambda words=words: words in app.announcements.read())
        check(app, ("button", "Back 10 Seconds"), ("button", "Forward 30 Seconds"), ("slider", "Position"),
              ("button", "Pause"), ("toggle button", "Volume"),
              ("button", harness.pattern("^Sound in minute.cbr.mp3")))
        app.press("toggle button", "Speed, \u20661×\u2069")
        app.wait_for("slider", "Speed")
        app.wait_for("toggle button", "Speed, \u20661×\u2069")
        check(app, ("slider", "Speed"), ("toggle button", "\u20661.5×\u2069"))
        wait_until("the speed is marked", lambda: pressed_speeds(app) == ["\u20661×\u2069"])
        app.press("toggle button", "\u20661.5×\u2069")
        wait_until("it is faster", lambda: app.mpris_get("Rate") == 1.5)
        wait_until("the other one is marked", lambda: pressed_speeds(app) == ["\u20661.5×\u2069"])
        app.action("speed-up")
        wait_until("none is marked that is not the speed", lambda: pressed_speeds(app) == [])
        for _ in range(7):
            app.action("speed-down")
        wait_until("steps lead to one of them", lambda: pressed_speeds(app) == ["\u20661.2×\u2069"])
        app.key("Escape")
        app.press("toggle button", "Volume")
        app.wait_for("slider", "Volume")
        check(app, ("slider", "Volume"), ("toggle button", "Mute"), ("toggle button", "Volume"))
        app.key("Escape")
        app.press("toggle button", "Sleep Timer")
        app.wait_for("menu item", "30 Minutes")
        app.press("menu item", "30 Minutes")
        app.wait_for("toggle button", "Sleep timer: 30 minutes left")
        app.key("ctrl+t")
        app.wait_for("toggle button", "Sleep timer: 45 minutes left")
        app.from_menu("Sleep timer: 45 minutes left", "15 Minutes More")
        app.wait_for("toggle button", pattern("^Sleep timer: (60 minutes|1 hour) left$"))
        app.action("sleep", GLib.Variant("s", "off"))
        app.press("toggle button", "Sleep Timer")
        app.wait_for("menu item", "15 Minutes")
        assert app.find("menu item", "15 Minutes More") is None, "there is nothing to make longer"


@case
def dialogs():
    """The dialogs: adding, shortcuts, about; and the pages without podcasts"""
    with feeds.tones() as app:
        app.key("ctrl+n")
        app.wait_for("dialog", "Add Podcast")
        check(app, ("button", "Close"), ("entry", "Search or paste a link"), ("list item", "Import From a File…"), ("heading", "Categories"),
              ("button", "Technology"))
        app.close_dialog("Add Podcast")
        app.key("ctrl+question")
        app.wait_for("dialog", "Keyboard Shortcuts")
        check(app)
        app.click(app.wait_for("button", "Close", lambda node: node.is_in("dialog")))
        app.wait_until_gone("dialog", "Keyboard Shortcuts")
        app.action("about")
        app.wait_for("dialog", harness.pattern("About"))
        check(app)
        app.close_dialog(harness.pattern("About"))
        app.window_action("unfollow")
        app.wait_for("label", "Welcome to Earmark")
        check(app, ("entry", "Search or paste a link"), ("list item", "Import From a File…"), ("button", "Retry"))


@case
def views_and_search():
    """The views, a search, what several selected rows offer, and the dialogs about a podcast and the backups"""
    with feeds.tones() as app:
        app.key("alt+1")
        app.wait_for("list item", harness.pattern("^Sound in minute.cbr.mp3, Time Tones, "))
        check(app, ("toggle button", "Menu"), ("list", "Episodes"))
        app.key("alt+5")
        app.wait_for("label", "No History Yet")
        check(app)
        app.show_podcast(app.address)
        app.wait_for_rows(3)
        app.window_action("search-for", harness.GLib.Variant("s", "sound"))
        app.wait_for("radio button", "Everywhere")
        check(app, ("entry", "Search Episodes"), ("radio button", "This Podcast"), ("list", "Episodes"))
        app.escape_from("radio button", "Everywhere")
        app.wait_for_rows(3)
        app.wait_for_focus(of="Episodes")
        app.key("ctrl+a")
        app.wait_for("label", "3 selected")
        check(app, ("button", "Clear Selection"), ("button", "Mark as Played"), ("toggle button", "More"))
        app.key("Escape")
        app.window_action("podcast-details")
        app.wait_for("dialog", "About This Podcast")
        check(app, ("heading", "Time Tones"))
        app.close_dialog("About This Podcast")
        app.action("backups")
        app.wait_for("dialog", "Backups")
        check(app, ("button", "Save Backup…"))


@case
def narrow_player():
    """The strip and the sheet of a narrow window"""
    with feeds.tones(window_width=360, window_height=640) as app:
        app.press_play(harness.in_row)
        app.pause()
        check(app, ("button", harness.pattern("^Sound in minute.cbr.mp3 Time Tones")), ("button", "Back"))
        # The strip opens the sheet by the same press that a finger makes.
        app.press("button", harness.pattern("^Sound in minute.cbr.mp3 Time Tones"))
        app.wait_for("button", "Forward 30 Seconds")
        check(app, ("button", "Back 10 Seconds"), ("slider", "Position"), ("toggle button", "Volume"), ("button", "Play"))


def write_text(app, name, text, where=None):
    """What is found may be replaced while it is looked at."""
    def written():
        node = app.find(("entry", "text"), name, where)
        if node is None:
            return False
        # The text itself is within the entry.
        for each in node.walk():
            with contextlib.suppress(harness.GLib.Error, AssertionError):
                each.write_text(text)
                return True
        return False
    wait_until(f"“{text}” is written", written)


def open_row(app, name, of):
    def opened():
        row = app.find("list item", name, lambda node: node.is_in("list", of))
        for each in row.walk() if row is not None else []:
            with contextlib.suppress(harness.GLib.Error):
                if "row.open" in each.actions():
                    each.do("row.open")
                    return True
        return False
    wait_until(f"the row {name.pattern} is opened", opened)


@case
def whole_session():
    """A screen reader alone finds and follows a podcast, finds an episode, plays, seeks, downloads and marks it, undoes that, and quits"""
    with Server() as server, Profile() as profile, App(profile, feeds.directories(server)) as app:
        feeds.sound(server, "minute.cbr.mp3")
        app.press("button", "Add Podcast", lambda node: not node.is_in("dialog"))
        app.wait_for("dialog", "Add Podcast")
        # The page below the dialog has such an entry too.
        write_text(app, "Search or paste a link", "lighthouse", lambda node: node.is_in("dialog"))
        app.wait_to_hear("1 podcast found")
        app.press("button", "Follow Lighthouse Radio")
        app.wait_to_hear("Followed “Lighthouse Radio”")
        app.press_close("Add Podcast")

        open_row(app, pattern("^Lighthouse Radio"), "Podcasts")
        app.wait_for("heading", "Lighthouse Radio")
        app.wait_for_rows(3)
        app.press("toggle button", "Search Episodes")
        write_text(app, "Search Episodes", "77 steps")
        app.wait_to_hear(pattern(r"^\d+ episodes found$"))
        title = "Day 14: the clock"
        open_row(app, pattern(f"^{title}"), "Episodes")
        app.wait_for("heading", title, on_page)
        app.wait_for_status("Playing")
        app.wait_to_hear(f"Playing “{title}”")

        app.press("button", "Pause", in_player)
        app.wait_to_hear("Paused")
        app.wait_for("slider", "Position", lambda node: node.sensitive).write_value(3)
        wait_until("it has gone there", lambda: abs(app.position() - 3) < 1)
        assert app.wait_for("slider", "Position").read_value_text().startswith("3 seconds of "), "it speaks times"

        app.press("button", "Download", on_page)
        app.wait_to_hear("Downloading")
        app.wait_to_hear("Downloaded")
        app.press("button", "Remove Download", on_page)
        app.wait_to_hear(pattern("Download removed"))

        app.press("toggle button", "Played", on_page)
        app.wait_for("list item", pattern(f"^{title}, .*, played$"))
        assert "pressed" in app.wait_for("toggle button", "Played", on_page).states
        app.from_menu("Podcast Menu", "Mark All as Played")
        app.wait_for("list item", "Lighthouse Radio")
        app.wait_to_hear(pattern("119 episodes marked as played"))
        # The toast's button goes away after a while, what it does stays.
        app.wait_for("frame", "Earmark").do("win.undo")
        app.wait_for("list item", pattern(r"^(?!.*, played$).*\bmin"))
        # All but the one that was marked alone are unplayed again: as many are marked once more.
        app.from_menu("Podcast Menu", "Mark All as Played")
        app.wait_to_hear(pattern("119 episodes marked as played"), 2)

        app.action("quit")
        app.wait_for_end()


harness.main()
