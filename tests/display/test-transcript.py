#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said in an episode: read along, looked into, jumped to, and moved where advertising has moved it."""

import contextlib

import feeds
import harness
from gi.repository import GLib
from harness import case, in_player, on_page, wait_until

# One every two seconds of a minute
SENTENCES = [f"Sentence number {number} is about {word}." for number, word in
             enumerate(["lamps", "ships", "fog", "the keeper", "stairs", "oil", "glass", "gulls", "letters", "a storm"] * 3)]


def clock(seconds):
    return f"00:{seconds // 60:02}:{seconds % 60:02}.000"


def write_transcript(server, text=None):
    cues = [f"{clock(2 * number)} --> {clock(2 * number + 2)}\n<v {'Ann' if number % 4 < 2 else 'Bob'}>{sentence}\n"
            for number, sentence in enumerate(SENTENCES)]
    (server.root / "minute.vtt").write_text(text or "\n".join(["WEBVTT\n", *cues]))


@contextlib.contextmanager
def app_with_words(address="minute.vtt", text=None, **settings):
    """The first of two episodes has a transcript."""
    def write(server):
        write_transcript(server, text)
        return feeds.write_minutes(server, "said", "Said Aloud", [
            feeds.Episode("With words", "minute.cbr.mp3", extra=feeds.transcript(address)), "Without words"])
    with feeds.following(write, **settings, n_rows=2) as app:
        app.click(app.row(0))
        yield app


def open_tab(app):
    app.choose_tab("Transcript", on_page)


def enter_page(app):
    """Moves the focus from the list to the episode's page."""
    app.go_with("F6", "the episode's page", lambda node: node.name == "Play" and on_page(node))


def wait_for_keys(app, number):
    wait_until(f"the keys go to sentence {number}", lambda: (node := app.focused()) and SENTENCES[number] in node.name)


def sentence(app, number):
    text = SENTENCES[number]
    return wait_until(f"there is “{text}”", lambda: next((node for node in app.items("Transcript") if text in node.name), None))


def in_sight(app, number):
    """Above the player: the list itself extends below the page while that shows its head."""
    node = next((each for each in app.items("Transcript") if SENTENCES[number] in each.name), None)
    player = app.find("filler", "Player")
    return node is not None and app.is_in_sight(node, bottom=app.place(player)[3] if player else 0)


@case
def keys():
    """Tab and the arrows go to the sentence that is spoken; End leads to the last one, for which the page's head scrolls away"""
    with app_with_words() as app:
        app.pause_at(41)
        open_tab(app)
        wait_until("the spoken sentence is in sight", lambda: in_sight(app, 20))
        area = next(each for each in sentence(app, 20).ancestors() if each.role in ("scroll pane", "list"))
        _, before, _, _ = app.settled_place(area)
        app.go_with("Tab", "the transcript", lambda node: node.is_in("list", "Transcript"))
        wait_for_keys(app, 20)
        app.action("seek", GLib.Variant("x", 10_500_000))
        wait_until("it is followed", lambda: in_sight(app, 5))
        app.key("Down")
        wait_for_keys(app, 5)
        app.go_with("Down", "the next sentence", lambda node: SENTENCES[6] in node.name)
        player = app.settled_place(app.wait_for("filler", "Player"))
        app.key("End")
        wait_until("the last one is in sight", lambda: in_sight(app, len(SENTENCES) - 1))
        _, top, _, height = app.settled_place(area)
        # GTK does not count the padding of the player.
        assert abs(player[1] - top - height) < 24, (top, height, player)
        assert top < before - 150, "the head of the page stayed above the transcript"


@case
def reading():
    """The tab is there only where the feed names a transcript; a click plays a sentence, whose name says who speaks and when; Ctrl+C copies it"""
    with app_with_words() as app:
        roles = ("radio button", "toggle button", "page tab")
        app.wait_for(roles, "Transcript", on_page)
        app.choose_episode("Without words")
        app.wait_until_gone(roles, "Transcript", on_page)
        app.click(app.row(0))
        app.wait_for(roles, "Transcript", on_page)
        assert not any("minute.vtt" in request["path"] for request in app.server.requests()), "it was fetched before anybody looked"
        open_tab(app)
        node = sentence(app, 2)
        assert "Bob" in node.name and "4 seconds" in node.name, node.name
        app.click(node)
        app.wait_for_status("Playing")
        wait_until("it plays from there", lambda: 4 <= app.position() < 12)
        app.press("button", "Pause", in_player)
        app.wait_for_status("Paused")
        app.key("ctrl+c")
        app.wait_for_toast("Copied")
        app.wait_for_pasted("0:04 Bob: Sentence number 2 is about fog.")


@case
def follows():
    """Opened in a pause, the list shows the spoken sentence; it follows the voice until the listener scrolls, and again on Scroll to Current.
    For the last sentences the head of the page scrolls away."""
    with app_with_words() as app:
        app.pause_at(37)
        open_tab(app)
        wait_until("the spoken sentence is in sight", lambda: in_sight(app, 18))
        for number in range(19, len(SENTENCES)):
            app.action("seek", GLib.Variant("x", (2 * number + 1) * 1_000_000))
            wait_until(f"sentence {number} is in sight", lambda: in_sight(app, number))
        app.action("seek", GLib.Variant("x", 47_000_000))
        wait_until("it follows", lambda: in_sight(app, 23))
        app.window_action("show-tab", GLib.Variant("s", "notes"))
        app.window_action("show-tab", GLib.Variant("s", "transcript"))
        wait_until("it is there when one comes back", lambda: in_sight(app, 23))
        # By hand
        app.click(sentence(app, 23), button=4)
        app.xdotool("click", "--repeat", 40, 4)
        wait_until("it has scrolled", lambda: in_sight(app, 3))
        app.press("button", "Scroll to Current", on_page)
        wait_until("it is back", lambda: in_sight(app, 23))


@case
def search_inside():
    """Ctrl+F or a button searches the transcript, whose keys lead from match to match; Enter plays a match; a search of the podcast finds it, too"""
    with app_with_words() as app:
        open_tab(app)
        sentence(app, 0)
        enter_page(app)
        app.search("STORM")
        app.wait_for("label", "1 of 3")
        for key, place in (("Return", 2), ("ctrl+g", 3), ("ctrl+shift+g", 2)):
            app.key(key)
            app.wait_for("label", f"{place} of 3")
        wait_until("the second is in sight", lambda: in_sight(app, 19))
        app.retype("zebra")
        app.wait_for("label", "No matches")
        app.escape_from("label", "No matches")
        app.press("button", "Search the transcript")
        app.wait_for_entry()
        app.type("STORM")
        # From where the list is
        app.wait_for("label", "2 of 3")
        app.key("Escape")
        wait_for_keys(app, 19)
        app.key("Return")
        app.wait_for_status("Playing")
        app.action("play-pause")
        app.window_action("show-tab", GLib.Variant("s", "notes"))
        app.choose_episode("Without words")
        app.search("number 25")
        wait_until("it is the only one", lambda: len(app.rows()) == 1 and "With words" in app.row(0).name)
        app.click(app.row(0))
        wait_until("the sentence is in sight", lambda: in_sight(app, 25))


@case
def search_beside():
    """With the focus in the list, Ctrl+F searches the list, also beside a transcript; from the episode's page it searches that"""
    with app_with_words() as app:
        open_tab(app)
        sentence(app, 0)
        app.click(app.row(0))
        wait_until("the focus is in the list", lambda: (node := app.focused()) and node.is_in("list", "Episodes"))
        app.search("Without")
        wait_until("it is the only one", lambda: len(app.rows()) == 1 and "Without words" in app.row(0).name)
        app.key("Escape", "Escape")
        app.wait_for_rows(2)
        enter_page(app)
        app.search("STORM")
        app.wait_for("label", "1 of 3")


@case
def search_in_the_sheet():
    """360 px: a search in the player's sheet scrolls its entry into view, also before the first sentence"""
    text = f"WEBVTT\n\n{clock(30)} --> {clock(40)}\nA storm begins.\n"
    with app_with_words(text=text, window_width=360, window_height=540) as app:
        app.press_play(on_page)
        app.action("play-pause")
        app.window_action("open-player")
        app.wait_for("slider", "Position")
        app.window_action("show-tab", GLib.Variant("s", "transcript"))
        app.wait_for("list item", harness.pattern("A storm begins"), showing=False)
        app.search("STORM")
        app.wait_for("label", "1 of 1")
        _, top, _, height = app.geometry(app.window_id)

        def seen(node):
            _, y, _, own = app.place(node)
            # The padding of what it is in is not counted.
            return top < y and y + own + 60 <= top + height
        wait_until("the entry is in sight", lambda: (node := app.focused()) and seen(node))


def shifted_titles(app):
    return [episode["title"] for file in app.profile.read_states() for episode in file.get("episodes", {}).values() if "shift" in episode]


@case
def shifted():
    """Times are moved by the dialog, shown so, kept, and moved back by Undo; Sync to This Sentence moves them to the voice"""
    with app_with_words() as app:
        open_tab(app)
        app.from_menu_of(sentence(app, 1), "Adjust Sync…")
        app.wait_for("dialog", "Adjust Transcript Sync")
        app.wait_for("spin button")
        app.retype("10")
        app.press("button", "Apply")
        wait_until("it is shown later", lambda: "12 seconds" in sentence(app, 1).name)
        wait_until("it is kept", lambda: shifted_titles(app) == ["With words"])
        # However busy the machine is, there is time to look.
        app.action("speed", GLib.Variant("d", 0.5))
        app.click(sentence(app, 1))
        app.wait_for_status("Playing")
        wait_until("it plays from where it is heard", lambda: 12 <= app.position() < 18)
        app.press("button", "Pause", in_player)
        app.wait_for_status("Paused")
        app.key("ctrl+z")
        # The list has followed the voice.
        wait_until("it is as before", lambda: "12 seconds" in sentence(app, 6).name)

        spoken = int(app.position())
        app.from_menu_of(sentence(app, 8), "Sync to This Sentence")
        wait_until("it is shown where the voice is", lambda: f"{spoken} seconds" in sentence(app, 8).name)


@case
def shifted_late():
    """360 px: the page scrolls to the transcript; the dialog moves the times of its own episode, though another one plays by then"""
    with app_with_words(window_width=360, window_height=640) as app:
        app.wait_for("heading", "With words", on_page)
        open_tab(app)
        sentence(app, 0)
        bar = app.geometry(app.window_id)
        wait_until("the spoken sentence is in the window", lambda: (lambda place: place[1] + place[3] <= bar[1] + bar[3])(
            app.place(sentence(app, 0))))
        app.window_action("play-selected")
        app.wait_for_status("Playing")
        app.window_action("open-player")
        app.wait_for("slider", "Position")
        app.action("play-pause")
        app.window_action("show-tab", GLib.Variant("s", "transcript"))
        sentence(app, 0)
        app.search("storm")
        app.wait_for("label", "1 of 3")
        app.key("Escape")
        wait_until("the keys go to the sentence", lambda: (node := app.focused()) and node.is_in("list", "Transcript"))
        app.key("Menu")
        app.press("menu item", "Adjust Sync…")
        app.click(app.wait_for("spin button"), happened=lambda: (node := app.focused()) and node.role == "spin button")
        app.retype("10")
        app.mpris("Previous")
        wait_until("another one is there", lambda: app.mpris_get("Metadata")["xesam:title"] == "Without words")
        app.press("button", "Apply")
        wait_until("it is kept for that one", lambda: shifted_titles(app) == ["With words"])


@case
def not_to_be_had():
    """A transcript that cannot be loaded says so, and is tried again"""
    with app_with_words("~status=404/minute.vtt") as app:
        open_tab(app)
        app.wait_for("label", "Transcript Not Loaded")
        before = sum("minute.vtt" in request["path"] for request in app.server.requests())
        app.press("button", "Try Again")
        wait_until("it is asked for again", lambda: sum("minute.vtt" in request["path"] for request in app.server.requests()) > before)


harness.main()
