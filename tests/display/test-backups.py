#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Backups: the list of them, restoring and taking that back, saving a copy; a damaged list of episodes."""

import contextlib
import sqlite3

import feeds
import harness
from feeds import Episode
from harness import App, Profile, Server, case, pattern, wait_until

EPISODES = [Episode("Alpha", "minute.cbr.mp3", 60), Episode("Bravo", "minute.cbr.mp3", 60), Episode("Charlie", "minute.cbr.mp3", 60)]


@contextlib.contextmanager
def listed_app():
    with Server() as server:
        feeds.sound(server, "minute.cbr.mp3")
        with Profile(feeds.write(server, "plain", "Plain", EPISODES)) as profile, App(profile) as app:
            app.wait_for_rows(3)
            yield app, profile


def states(profile, member):
    """What the files say of the episodes, by guid."""
    found = {}
    for file in profile.read_states():
        for guid, episode in file.get("episodes", {}).items():
            if member in episode:
                found[guid] = episode[member]["value"]
    return found


def toggle_listened(app, profile, number, guid, value):
    """Marks the episode, and waits until that is on the disk."""
    app.window_action("select-episode", harness.GLib.Variant("u", number))
    app.wait_for("heading", EPISODES[number].title)
    app.window_action("toggle-listened")
    wait_until(f"{guid} is kept", lambda: states(profile, "listened").get(guid) == value)


def wait_for_dialog(app):
    app.action("backups")
    app.wait_for("dialog", "Backups")


def close_dialog(app):
    app.press("button", "Close", lambda node: node.is_in("dialog", "Backups"))
    app.wait_until_gone("dialog", "Backups")


def back_up(app, profile):
    """By the dialog, into the folder of the profile."""
    target = profile.folder / "copy.json.gz"
    target.unlink(missing_ok=True)
    wait_for_dialog(app)
    app.press("button", "Save Backup…")
    harness.write_path(app, "Save Backup", "Save", target)
    wait_until("the copy is there", target.exists)
    app.wait_for(("list item", "table row"), pattern(r"\d"), lambda node: node.is_in("list", "Backups"))
    return target


@case
def empty():
    """Before there is a backup the dialog says so, and Escape closes it"""
    with listed_app() as (app, _):
        wait_for_dialog(app)
        app.wait_for("label", "No Backups Yet")
        app.key("Escape")
        app.wait_until_gone("dialog", "Backups")


@case
def restore_and_undo():
    """What was marked since a backup is taken back by restoring it, and is there again after Undo"""
    with listed_app() as (app, profile):
        toggle_listened(app, profile, 0, "episode-0", True)
        back_up(app, profile)
        close_dialog(app)
        toggle_listened(app, profile, 0, "episode-0", False)
        toggle_listened(app, profile, 1, "episode-1", True)

        wait_for_dialog(app)
        app.press("button", "Restore", lambda node: node.is_in("list", "Backups"))
        app.wait_until_gone("dialog", "Backups")
        app.wait_for_toast("The backup was restored")
        wait_until("it is as it was", lambda: states(profile, "listened") == {"episode-0": True, "episode-1": False})
        app.press_undo()
        wait_until("it is as it was before", lambda: states(profile, "listened") == {"episode-0": False, "episode-1": True})

        # Both are in the list now, with what they are for.
        wait_for_dialog(app)
        app.wait_for("label", pattern("Saved before a restore"))


@case
def restore_file():
    """A copy from elsewhere is restored by the dialog for files; what is no backup changes nothing, and that is said"""
    with listed_app() as (app, profile):
        toggle_listened(app, profile, 2, "episode-2", True)
        copy = back_up(app, profile)
        garbage = profile.folder / "garbage.json.gz"
        garbage.write_bytes(copy.read_bytes()[:200])
        close_dialog(app)
        toggle_listened(app, profile, 2, "episode-2", False)

        wait_for_dialog(app)
        app.press("button", "Restore From File…")
        harness.write_path(app, "Restore Backup", "Restore", garbage)
        app.wait_for_toast(pattern("^Nothing was restored: the file is damaged or not a backup"))
        assert states(profile, "listened") == {"episode-2": False}
        app.press("button", "Restore From File…")
        harness.write_path(app, "Restore Backup", "Restore", copy)
        app.wait_for_toast("The backup was restored")
        wait_until("it is as it was", lambda: states(profile, "listened") == {"episode-2": True})


def spoil(profile):
    """A page of the catalogue, after an exit that was not clean."""
    path = profile.folder / "data" / "earmark" / "catalogue.db"
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE meta SET value = 0 WHERE key = 'exit'")
        database.commit()
        size = database.execute("PRAGMA page_size").fetchone()[0]
        page = database.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'notes'").fetchone()[0]
    with open(path, "r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"Z" * size)


@case
def damaged_catalogue():
    """Damage that is found after the start: the list of episodes is made anew, with its marks, and that is said"""
    with Server() as server:
        feeds.sound(server, "minute.cbr.mp3")
        with Profile(feeds.write(server, "plain", "Plain", EPISODES)) as profile:
            with App(profile) as app:
                app.wait_for_rows(3)
                toggle_listened(app, profile, 1, "episode-1", True)
            spoil(profile)
            with App(profile) as app:
                app.wait_for("label", pattern("^The list of episodes was damaged"))
                app.wait_for_rows(3)
                wait_until("the mark is there", lambda: any("played" in row.name for row in app.rows()))
                assert list((profile.folder / "data" / "earmark").glob("catalogue.db.damaged-*"))


@case
def newer_catalogue():
    """A list of episodes of a later version is left alone, and that is said"""
    with Server() as server, Profile(feeds.write(server, "plain", "Plain", EPISODES)) as profile:
        with App(profile) as app:
            app.wait_for_rows(3)
        path = profile.folder / "data" / "earmark" / "catalogue.db"
        with contextlib.closing(sqlite3.connect(path)) as database:
            database.execute("PRAGMA user_version = 1000")
        before = path.read_bytes()
        with App(profile) as app:
            app.wait_for("label", pattern("newer version of Earmark"))
            assert path.read_bytes() == before
            app.press("button", "Quit")
            app.wait_for_end()


harness.main()
