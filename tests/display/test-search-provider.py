#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The search of GNOME Shell: what it is told, by an Earmark that runs and by one that the bus starts for it, and what it opens."""

import contextlib
import os
import tempfile

import accessible
import feeds
import harness
from feeds import Episode
from gi.repository import Gio, GLib
from harness import App, Profile, Server, case, wait_until
from shell import INTERFACE, PATH, Service, Shell


class Started(App):
    """The program as the bus starts it, which is done by whoever calls it."""

    def start(self, wait=True):
        self.errors = tempfile.NamedTemporaryFile(prefix="earmark-stderr.", suffix=".txt", delete=False)
        self.service = Service(harness.APP_ID, os.environ["EARMARK_PROGRAM"], self.profile.environment() | self.environment, self.errors.name)

    def __exit__(self, kind, error, where):
        try:
            if Shell().owner() is not None:
                self.action("quit")
                wait_until("it ends", lambda: Shell().owner() is None)
            if kind is None:
                self.check_errors()
        finally:
            self.service.remove()
            self.clean_up()

    def has_windows(self):
        process = Shell().owner()
        if process is None:
            return False
        self.tree = accessible.Tree(process)
        return bool(self.tree.find_program() and self.windows())


EPISODES = [
    Episode("The keeper's log", "minute.cbr.mp3", 60, "<p>Fog, and a ship that asks for the light.</p>"),
    Episode("Oil for the lamp", "minute.cbr.mp3", 60, "<p>Where it came from.</p>"),
    Episode("A ship in the fog", "minute.cbr.mp3", 60, "<p>How it was heard.</p>"),
    # In which something is said that its notes do not have
    Episode("What was said", "minute.cbr.mp3", 60, "<p>Nothing.</p>", extra=feeds.transcript("said.vtt")),
]


@contextlib.contextmanager
def served():
    """A listener with a podcast, who has looked into a transcript."""
    with Server() as server:
        (server.root / "said.vtt").write_text("WEBVTT\n\n00:00:05.000 --> 00:00:09.000\nGood morning.\n\n"
                                              "00:00:20.000 --> 00:00:24.000\nThe albatross has not come back.\n")
        with Profile(feeds.write_minutes(server, "light", "The Lighthouse Hour", EPISODES)) as profile:
            with App(profile) as app:
                app.wait_for_rows(4)
                app.click(app.row(3))
                app.choose_tab("Transcript", harness.on_page)
                app.wait_for("list item", harness.pattern("albatross"))
            yield server, profile


def wait_for_end(shell):
    wait_until("nothing runs", lambda: shell.owner() is None)


@case
def running():
    """A running Earmark finds and describes episodes, opens them, plays those that were found by a moment, and searches itself"""
    with served() as (_server, profile), App(profile) as app:
        app.wait_for_rows(4)
        shell = Shell()
        assert shell.names("fog") == ["A ship in the fog", "The keeper's log"], shell.names("fog")
        assert shell.names("ship", "lig") == ["The keeper's log"]
        keys = shell.search("fog")
        assert shell.call("GetSubsearchResultSet", "(asas)", keys, ["fog", "heard"]) == keys[:1]
        meta = shell.describe(keys)[0]
        assert "The Lighthouse Hour" in meta["description"] and "1 min" in meta["description"] and "2023" in meta["description"], meta
        assert meta["icon"][0] == "themed", meta

        shell.open("Oil for the lamp", "oil")
        app.wait_for("heading", "Oil for the lamp", harness.on_page)
        assert app.status() == "Stopped", app.status()
        shell.open("What was said", "albatross")
        app.wait_for("heading", "What was said", harness.on_page)
        app.wait_for_status("Playing")
        assert app.position() >= 20, app.position()
        app.action("play-pause")

        shell.search_in_app("ship", "fog")
        wait_until("the hits are listed", lambda: {harness.title_of(row) for row in app.rows()} == {"A ship in the fog", "The keeper's log"})
        assert app.find(("entry", "text", "search box", "searchbox"), where=lambda node: "ship fog" in node.read_text())


@case
def started():
    """Started for a search, Earmark answers without a window, a player, a check or a written file, and ends; also where it was never used"""
    with Profile() as profile, Started(profile) as app:
        shell = Shell()
        assert shell.search("fog") == [] and shell.describe(["0" * 32]) == []
        assert not app.has_windows()
        assert not (profile.folder / "data" / "earmark").exists(), "asking makes nothing"
    with served() as (server, profile):
        before = len(server.requests())
        files = {path: path.stat().st_mtime_ns for path in (profile.folder / "data").rglob("*.json")}
        with Started(profile) as app:
            shell = Shell()
            wait_for_end(shell)
            keys = shell.search("fog")
            assert len(keys) == 2
            assert [meta["name"] for meta in shell.describe(keys)] == ["A ship in the fog", "The keeper's log"]

            assert not app.has_windows()
            assert not app.has_name(f"org.mpris.MediaPlayer2.{harness.APP_ID}")
            wait_for_end(shell)
            assert len(server.requests()) == before, server.requests()[before:]
            assert {path: path.stat().st_mtime_ns for path in (profile.folder / "data").rglob("*.json")} == files
            # What one has found another one describes.
            assert [meta["name"] for meta in shell.describe(keys[:1])] == ["A ship in the fog"]


@case
def opened():
    """A result that is chosen while none runs opens a window; one of a transcript plays; and a search goes on there"""
    with served() as (_server, profile):
        for terms, name, plays in (("oil",), "Oil for the lamp", False), (("albatross",), "What was said", True):
            with Started(profile) as app:
                Shell().open(name, *terms)
                wait_until("there is a window", app.has_windows)
                app.wait_for("heading", name, harness.on_page)
                if plays:
                    app.wait_for_status("Playing")
                    assert app.position() >= 20, app.position()
        with Started(profile) as app:
            Shell().search_in_app("albatross")
            wait_until("there is a window", app.has_windows)
            wait_until("the hit is listed", lambda: [harness.title_of(row) for row in app.rows()] == ["What was said"])


@case
def kept():
    """Bookmarks are found where none runs, too, and play from their position; a damaged file of them is left alone"""
    with served() as (_server, profile):
        with App(profile) as app:
            app.wait_for_rows(4)
            app.choose_episode("The keeper's log")
            app.pause_at(30)
            profile.run("--bookmark=Of petrels")
            wait_until("it is found by the one that runs", lambda: Shell().names("petrels") == ["The keeper's log"])
        with Started(profile):
            shell = Shell()
            wait_for_end(shell)
            assert shell.names("petrels") == ["The keeper's log"], shell.names("petrels")
        # What one has found is opened by another one.
        with Started(profile) as app:
            shell = Shell()
            keys = shell.search("petrels")
            wait_for_end(shell)
            shell.call("ActivateResult", "(sasu)", keys[0], ["petrels"], 0)
            wait_until("there is a window", app.has_windows)
            app.wait_for("heading", "The keeper's log", harness.on_page)
            app.wait_for_status("Playing")
            assert 29 < app.position() < 45, app.position()
        file = profile.folder / "data" / "earmark" / "state" / "bookmarks.json"
        file.write_text("{" * 100_000)
        with Started(profile):
            shell = Shell()
            assert shell.names("petrels") == []
            assert shell.names("oil") == ["Oil for the lamp"]
            assert file.read_text() == "{" * 100_000
            assert not list(file.parent.glob("bookmarks.json.*"))


@case
def hostile():
    """Odd requests are answered, and do no harm"""
    odd = ["", " ", "x" * 100_000, "\u202e", '"', "fog AND (", "*", "NEAR(a b)", "title:", "-", "a" * 32, "../../etc/passwd", "' OR 1 = 1 --"]
    with served() as (_server, profile), App(profile) as app:
        app.wait_for_rows(4)
        shell = Shell()
        for word in odd:
            shell.search(word)
            shell.call("GetSubsearchResultSet", "(asas)", odd, [word, "fog"])
            shell.call("ActivateResult", "(sasu)", word, odd, 2 ** 32 - 1)
        assert shell.search() == [] and shell.search(*["fog"] * 10_000) != [] and shell.describe([]) == []
        assert shell.describe(odd) == [] and shell.describe(["f" * 32] * 1000) == []
        shell.call("ActivateResult", "(sasu)", "0" * 32, ["fog"], 0)
        app.wait_for_toast("This episode is not in your library")
        # Several at once: each is answered.
        answers = []
        for count in range(50):
            app.bus.call(harness.APP_ID, PATH, INTERFACE, "GetInitialResultSet", GLib.Variant("(as)", (["fog"[:1 + count % 3]],)), None,
                         Gio.DBusCallFlags.NONE, -1, None, lambda bus, result: answers.append(bus.call_finish(result)))
        wait_until("all are answered", lambda: GLib.MainContext.default().iteration(False) is None or len(answers) == 50)
        assert len(shell.search("fog")) == 2
        assert app.status() == "Stopped", app.status()


harness.main()
