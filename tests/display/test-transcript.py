#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said in an episode: read along, looked into, jumped to, and moved where advertising has moved it."""

import contextlib
import json
import pathlib

import feeds
import harness
from gi.repository import GLib
from harness import App, Profile, Server, case, in_player, on_page, wait_until

# One every two seconds of a minute
SENTENCES = [f"Sentence number {number} is about {word}." for number, word in
             enumerate(["lamps", "ships", "fog", "the keeper", "stairs", "oil", "glass", "gulls", "letters", "a storm"] * 3)]


def clock(seconds):
    return f"00:{seconds // 60:02}:{seconds % 60:02}.000"


def write_transcript(server, text=None):
    cues = [f"{clock(2 * number)} --> {clock(2 * number + 2)}\n<v {'Ann' if number % 4 < 2 else 'Bob'}>{sentence}\n"
            for number, sentence in enumerate(SENTENCES)]
    (server.root / "minute.vtt").write_text(text or "\n".join(["WEBVTT\n", *cues]))


def write_feed(server, address="minute.vtt"):
    """The first of two episodes has a transcript."""
    feed = feeds.write(server, "said", "Said Aloud", [feeds.Episode("With words", feeds.sound(server, "minute.cbr.mp3")),
                                                     feeds.Episode("Without words", feeds.sound(server, "minute.opus"))])
    path = server.root / "said.xml"
    text = path.read_text().replace("<rss ", '<rss xmlns:podcast="https://podcastindex.org/namespace/1.0" ')
    path.write_text(text.replace("</item>", f'<podcast:transcript url="@BASE@/{address}" type="text/vtt"/></item>', 1))
    return feed


@contextlib.contextmanager
def app_with_words(address="minute.vtt", text=None, settings=None):
    with Server() as server:
        write_transcript(server, text)
        with Profile(write_feed(server, address), settings) as profile, App(profile) as app:
            app.wait_for_rows(2)
            app.click(app.row(0))
            yield server, app


def open_tab(app):
    app.press(("radio button", "toggle button", "page tab"), "Transcript", on_page)


def sentences(app):
    return [node for node in app.find_all("list item") if node.is_in("list", "Transcript")]


def sentence(app, number):
    text = SENTENCES[number]
    return wait_until(f"there is “{text}”", lambda: next((node for node in sentences(app) if text in node.name), None))


def in_sight(app, number):
    """Within the list, which cuts off what is above and below it."""
    area = app.find("list", "Transcript")
    node = next((each for each in sentences(app) if SENTENCES[number] in each.name), None)
    if area is None or node is None:
        return False
    above = next(each for each in node.ancestors() if each.role in ("scroll pane", "list"))
    _, top, _, height = app.place(above)
    _, y, _, own = app.place(node)
    return top <= y and y + own <= top + height


@case
def to_the_edge():
    """The keys scroll the page's head away: the list gets all of the page, down to the player, and its last sentence can be read there"""
    with app_with_words() as (server, app):
        app.window_action("play-selected")
        app.wait_for_status("Playing")
        app.action("play-pause")
        open_tab(app)
        first = sentence(app, 0)
        area = next(each for each in first.ancestors() if each.role in ("scroll pane", "list"))
        player = app.settled_place(app.wait_for("filler", "Player"))
        _, before, _, _ = app.settled_place(area)
        app.go_with("Tab", "the transcript", lambda node: node.is_in("list", "Transcript"))
        app.key("End")
        wait_until("the last one is in sight", lambda: in_sight(app, len(SENTENCES) - 1))
        _, top, _, height = app.settled_place(area)
        # GTK does not count the padding of the player.
        assert abs(player[1] - top - height) < 24, (top, height, player)
        assert top < before - 150, "the head of the page stayed above the transcript"


@case
def only_with_one():
    """The tab is there only where the feed names a transcript"""
    with app_with_words() as (server, app):
        roles = ("radio button", "toggle button", "page tab")
        app.wait_for(roles, "Transcript", on_page)
        app.click(app.row(1))
        app.wait_until_gone(roles, "Transcript", on_page)
        assert not any("minute.vtt" in request["path"] for request in server.requests()), "it was fetched before anybody looked"


@case
def click_to_play():
    """A click on a sentence plays it, with who says it and when in its name"""
    with app_with_words() as (server, app):
        open_tab(app)
        node = sentence(app, 2)
        assert "Bob" in node.name and "4 seconds" in node.name, node.name
        app.click(node)
        app.wait_for_status("Playing")
        wait_until("it plays from there", lambda: 4 <= app.position() < 12)


@case
def follows():
    """The list follows the voice; who scrolls stays, until Follow is pressed; also while it is paused"""
    with app_with_words() as (server, app):
        open_tab(app)
        sentence(app, 0)
        app.press("button", "Play", on_page)
        app.wait_for_status("Playing")
        app.action("seek-forward")
        wait_until("it is further on", lambda: app.position() >= 30)
        app.press("button", "Pause", in_player)
        app.wait_for_status("Paused")
        spoken = int(app.position() // 2)
        wait_until("what is spoken is in sight", lambda: in_sight(app, spoken))
        app.window_action("show-tab", GLib.Variant("s", "notes"))
        app.window_action("show-tab", GLib.Variant("s", "transcript"))
        wait_until("it is there when one comes back", lambda: in_sight(app, spoken))
        # By hand
        app.click(sentence(app, spoken), button=4)
        for _ in range(10):
            app.xdotool("click", 4)
        wait_until("it has scrolled", lambda: in_sight(app, 3))
        app.press("button", "Scroll to Current", on_page)
        wait_until("it is back", lambda: in_sight(app, spoken))


@case
def opened_while_paused():
    """Opened for the first time while an episode pauses, it shows what is spoken there"""
    with app_with_words() as (server, app):
        app.press("button", "Play", on_page)
        app.wait_for_status("Playing")
        app.action("seek-forward")
        wait_until("it is further on", lambda: app.position() >= 30)
        app.press("button", "Pause", in_player)
        app.wait_for_status("Paused")
        spoken = int(app.position() // 2)
        open_tab(app)
        wait_until("what is spoken is in sight", lambda: in_sight(app, spoken))


@case
def in_a_narrow_window():
    """Where its page is higher than the window, the page comes up to what is spoken, too"""
    with app_with_words(settings={"window_width": 360, "window_height": 640}) as (server, app):
        app.wait_for("heading", "With words", on_page)
        open_tab(app)
        sentence(app, 0)
        bar = app.geometry(app.window_id)
        wait_until("what is spoken is in the window", lambda: (lambda place: place[1] + place[3] <= bar[1] + bar[3])(app.place(sentence(app, 0))))


@case
def keys_where_it_is_read():
    """Tab comes to the sentence that is spoken, however far the voice is, and so do the arrows after the voice has gone on"""
    with app_with_words() as (server, app):
        app.press("button", "Play", on_page)
        app.wait_for_status("Playing")
        app.action("play-pause")
        app.action("seek", GLib.Variant("x", 40_500_000))
        wait_until("it is further on", lambda: app.position() >= 40)
        open_tab(app)
        wait_until("what is spoken is in sight", lambda: in_sight(app, 20))
        app.go_with("Tab", "the transcript", lambda node: node.is_in("list", "Transcript"))
        wait_until("the keys go to what is spoken", lambda: (node := app.focused()) and SENTENCES[20] in node.name)
        app.action("seek", GLib.Variant("x", 10_500_000))
        wait_until("it is followed", lambda: in_sight(app, 5))
        app.key("Down")
        wait_until("the keys go to what is spoken now", lambda: (node := app.focused()) and SENTENCES[5] in node.name)
        app.go_with("Down", "the next sentence", lambda node: SENTENCES[6] in node.name)


@case
def search_inside():
    """Ctrl+F looks into the transcript, Enter goes on, so do the keys that the list of keys has, Escape ends it"""
    with app_with_words() as (server, app):
        open_tab(app)
        sentence(app, 0)
        app.key("ctrl+f")
        app.wait_for_entry()
        app.type("STORM")
        app.wait_for("label", "1 of 3")
        app.key("Return")
        app.wait_for("label", "2 of 3")
        wait_until("the second is in sight", lambda: in_sight(app, 19))
        app.key("ctrl+g")
        app.wait_for("label", "3 of 3")
        app.key("ctrl+shift+g")
        app.wait_for("label", "2 of 3")
        app.key("ctrl+a")
        app.type("zebra")
        app.wait_for("label", "No matches")
        app.key("Escape")
        app.wait_until_gone("label", "No matches")


@case
def found_is_played():
    """A button begins to look, Escape leads from what was looked for to the sentence that was found, and Enter plays it"""
    with app_with_words() as (server, app):
        open_tab(app)
        sentence(app, 0)
        app.press("button", "Search the transcript")
        app.wait_for_entry()
        app.type("STORM")
        app.wait_for("label", "1 of 3")
        app.key("Return")
        app.wait_for("label", "2 of 3")
        app.key("Escape")
        app.wait_until_gone("label", "2 of 3")
        wait_until("the keys go to the sentence", lambda: (node := app.focused()) and node.is_in("list", "Transcript") and "storm" in node.name.lower())
        app.key("Return")
        app.wait_for_status("Playing")


@case
def search_in_the_sheet():
    """360 px: what is looked for in the sheet of the player is in sight, also where nothing is said yet"""
    text = f"WEBVTT\n\n{clock(30)} --> {clock(40)}\nA storm begins.\n"
    with app_with_words(text=text, settings={"window_width": 360, "window_height": 540}) as (server, app):
        app.press("button", "Play", on_page)
        app.wait_for_status("Playing")
        app.action("play-pause")
        app.window_action("open-player")
        app.wait_for("slider", "Position")
        app.window_action("show-tab", GLib.Variant("s", "transcript"))
        app.wait_for("list item", harness.pattern("A storm begins"), showing=False)
        app.key("ctrl+f")
        app.wait_for_entry()
        app.type("STORM")
        app.wait_for("label", "1 of 1")
        _, top, _, height = app.geometry(app.window_id)

        def seen(node):
            _, y, _, own = app.place(node)
            # The padding of what it is in is not counted.
            return top < y and y + own + 60 <= top + height
        wait_until("the entry is in sight", lambda: (node := app.focused()) and seen(node))


@case
def found_from_outside():
    """A search finds the episode by what is said in it; opening it shows that sentence"""
    with app_with_words() as (server, app):
        open_tab(app)
        sentence(app, 0)
        app.window_action("show-tab", GLib.Variant("s", "notes"))
        app.click(app.row(1))
        app.wait_for("heading", "Without words", on_page)
        app.key("ctrl+f")
        app.wait_for_entry()
        app.type("number 25")
        wait_until("it is the only one", lambda: len(app.rows()) == 1 and "With words" in app.row(0).name)
        app.click(app.row(0))
        wait_until("the sentence is in sight", lambda: in_sight(app, 25))


@case
def copied():
    """Ctrl+C copies what is selected, with its times"""
    with app_with_words() as (server, app):
        open_tab(app)
        node = sentence(app, 1)
        app.click(node)
        app.wait_for_status("Playing")
        app.press("button", "Pause", in_player)
        app.wait_for_status("Paused")
        app.key("ctrl+c")
        app.wait_for_toast("Copied")
        app.wait_for_pasted("0:02 Ann: Sentence number 1 is about ships.")


@case
def shifted():
    """Times are shifted by the dialog, shown so, kept, and shifted back by Undo"""
    with app_with_words() as (server, app):
        open_tab(app)
        app.click(sentence(app, 1), button=3)
        app.press("menu item", "Adjust Sync…")
        app.wait_for("dialog", "Adjust Transcript Sync")
        app.wait_for("spin button")
        app.key("ctrl+a")
        app.type("10")
        app.press("button", "Apply")
        wait_until("it is shown later", lambda: "12 seconds" in sentence(app, 1).name)
        wait_until("it is kept", lambda: any("shift" in text for text in (path.read_text() for path in pathlib.Path(app.profile.state).glob("*.json"))))
        app.click(sentence(app, 1))
        app.wait_for_status("Playing")
        wait_until("it plays from where it is heard", lambda: 12 <= app.position() < 16)
        app.press("button", "Pause", in_player)
        app.wait_for_status("Paused")
        app.key("ctrl+z")
        # The list has followed the voice.
        wait_until("it is as before", lambda: "12 seconds" in sentence(app, 6).name)

        spoken = int(app.position())
        app.click(sentence(app, 8), button=3)
        app.press("menu item", "Sync to This Sentence")
        wait_until("it is shown where the voice is", lambda: f"{spoken} seconds" in sentence(app, 8).name)


@case
def shifted_late():
    """360 px: the times that are shifted are those of the episode for which the dialog was opened, though another one plays by then"""
    with app_with_words(settings={"window_width": 360, "window_height": 640}) as (server, app):
        app.press("button", "Play", on_page)
        app.wait_for_status("Playing")
        app.window_action("open-player")
        app.wait_for("slider", "Position")
        app.action("play-pause")
        app.window_action("show-tab", GLib.Variant("s", "transcript"))
        sentence(app, 0)
        app.key("ctrl+f")
        app.wait_for_entry()
        app.type("storm")
        app.wait_for("label", "1 of 3")
        app.key("Escape")
        wait_until("the keys go to the sentence", lambda: (node := app.focused()) and node.is_in("list", "Transcript"))
        app.key("Menu")
        app.press("menu item", "Adjust Sync…")
        app.click(app.wait_for("spin button"), happened=lambda: (node := app.focused()) and node.role == "spin button")
        app.key("ctrl+a")
        app.type("10")
        app.mpris("Previous")
        wait_until("another one is there", lambda: app.mpris_get("Metadata")["xesam:title"] == "Without words")
        app.press("button", "Apply")
        texts = lambda: [path.read_text() for path in pathlib.Path(app.profile.state).glob("*.json")]
        text = wait_until("it is kept", lambda: next((text for text in texts() if '"shift"' in text), None))
        episodes = json.loads(text)["episodes"].values()
        assert [one["title"] for one in episodes if "shift" in one] == ["With words"], text


@case
def not_to_be_had():
    """What cannot be had says so, and is tried again"""
    with app_with_words("~status=404/minute.vtt") as (server, app):
        open_tab(app)
        app.wait_for("label", "Transcript Not Loaded")
        before = sum("minute.vtt" in request["path"] for request in server.requests())
        app.press("button", "Try Again")
        wait_until("it is asked for again", lambda: sum("minute.vtt" in request["path"] for request in server.requests()) > before)


@case
def web_page():
    """A page in its place is no transcript"""
    with app_with_words(text="<!DOCTYPE html><html><body>Sign in</body></html>") as (server, app):
        open_tab(app)
        app.wait_for("label", "Transcript Not Loaded")


@case
def without_a_network():
    """With the download comes the transcript"""
    with app_with_words() as (server, app):
        app.window_action("toggle-download")
        wait_until("it is kept", lambda: list((app.profile.folder / "data" / "earmark" / "documents").glob("*")))
        (server.root / "minute.vtt").unlink()
        open_tab(app)
        sentence(app, 0)


harness.main()
