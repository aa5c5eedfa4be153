#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Backups: the list of them, restoring and taking that back, saving a copy; a damaged list of episodes."""

import contextlib
import datetime
import hashlib
import json
import sqlite3

import feeds
import harness
from harness import case, pattern, wait_until

TITLES = ("Alpha", "Bravo", "Charlie")


def listened(app):
    """What the files say of the episodes, by their numbers."""
    return {int(guid.split("-")[1]): episode["listened"]["value"] for file in app.profile.read_states()
            for guid, episode in file.get("episodes", {}).items() if "listened" in episode}


def toggle_listened(app, number, value):
    """Marks the episode, and waits until that is on the disk."""
    app.window_action("select-episode", harness.GLib.Variant("u", number))
    app.wait_for("heading", TITLES[number])
    app.window_action("toggle-listened")
    wait_until(f"{TITLES[number]} is kept", lambda: listened(app).get(number) == value)


def wait_for_dialog(app):
    app.action("backups")
    app.wait_for("dialog", "Backups")


@case
def restore():
    """Restoring a backup, or a copy from a file, takes back what was marked since, and Undo brings that back; a file that is none changes nothing"""
    with feeds.one_podcast("Plain", TITLES) as app:
        wait_for_dialog(app)
        app.wait_for("label", "No Backups Yet")
        app.close_dialog("Backups")
        toggle_listened(app, 0, True)
        wait_for_dialog(app)
        app.press("button", "Save Backup…")
        copy = app.profile.folder / "copy.json.gz"
        harness.write_path(app, "Save Backup", "Save", copy)
        wait_until("the copy is there", copy.exists)
        app.wait_for(("list item", "table row"), pattern(r"\d"), lambda node: node.is_in("list", "Backups"))
        app.press_close("Backups")
        toggle_listened(app, 0, False)
        toggle_listened(app, 1, True)

        wait_for_dialog(app)
        app.press("button", "Restore", lambda node: node.is_in("list", "Backups"))
        app.wait_until_gone("dialog", "Backups")
        app.wait_for_toast("The backup was restored")
        wait_until("it is as it was", lambda: listened(app) == {0: True, 1: False})
        app.press_undo()
        wait_until("it is as it was before", lambda: listened(app) == {0: False, 1: True})

        # Both are in the list now, with what they are for.
        wait_for_dialog(app)
        app.wait_for("label", pattern("Saved before a restore"))
        garbage = app.profile.folder / "garbage.json.gz"
        garbage.write_bytes(copy.read_bytes()[:200])
        app.press("button", "Restore From File…")
        harness.write_path(app, "Restore Backup", "Restore", garbage)
        app.wait_for_toast(pattern("^Nothing was restored: the file is damaged or not a backup"))
        assert listened(app) == {0: False, 1: True}
        app.press("button", "Restore From File…")
        harness.write_path(app, "Restore Backup", "Restore", copy)
        app.wait_for_toast("The backup was restored")
        wait_until("it is as it was", lambda: listened(app) == {0: True, 1: False})


def spoil(path):
    """A page of the catalogue, after an exit that was not clean."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE meta SET value = 0 WHERE key = 'exit'")
        database.commit()
        size = database.execute("PRAGMA page_size").fetchone()[0]
        page = database.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'notes'").fetchone()[0]
    with open(path, "r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"Z" * size)


@case
def catalogues():
    """A catalogue found damaged after the start is rebuilt with its marks, and a notice says so; one of a later version is left alone"""
    with feeds.one_podcast("Plain", TITLES) as app:
        path = app.profile.folder / "data" / "earmark" / "catalogue.db"
        toggle_listened(app, 1, True)
        app.quit()
        spoil(path)
        app.start()
        app.wait_for("label", pattern("^The list of episodes was damaged"))
        app.wait_for_rows(3)
        wait_until("the mark is there", lambda: any("played" in row.name for row in app.rows()))
        assert path.with_name("catalogue.db.damaged").exists()
        app.quit()
        with contextlib.closing(sqlite3.connect(path)) as database:
            database.execute("PRAGMA user_version = 1000")
        before = path.read_bytes()
        app.start()
        app.wait_for("label", pattern("newer version of Earmark"))
        assert path.read_bytes() == before
        app.press("button", "Quit")
        app.wait_for_end()


HOUR = 3600


@contextlib.contextmanager
def app_with_one():
    with feeds.one_podcast("One", ["Alpha"]) as app:
        # What others write is seen from then on.
        wait_until("the folder is there", lambda: (app.profile.state / "subscriptions.json").exists())
        yield app


def write_listening(app, *hours):
    """What another machine has counted: so many hours today, yesterday and so on."""
    podcast = hashlib.sha256(app.address.encode()).hexdigest()[:32]
    records = {}
    for ago, heard in enumerate(hours):
        day = datetime.date.today() - datetime.timedelta(days=ago)
        value = records.setdefault(f"{day:%Y-%m}/{podcast}/there", {"address": app.address, "title": "As It Was Called", "days": {}})
        value["days"][f"{day:%d}"] = {"listened": int(heard * HOUR), "saved-speed": int(heard * HOUR / 2)}
    state = {"version": 1, "kind": "listening",
             "records": {name: {"value": value, "updated": "2026-01-01T00:00:00Z"} for name, value in records.items()}}
    path = app.profile.state / "listening.json"
    new = path.with_suffix(".new")
    new.write_text(json.dumps(state), encoding="utf-8")
    new.rename(path)


def in_statistics(node):
    return node.is_in("dialog", "Statistics")


@case
def shown():
    """Statistics open by a button of History and by key; counts of another machine appear while they are open; arrow keys read the plot"""
    with app_with_one() as app:
        app.window_action("show-history")
        app.press("button", "Statistics")
        app.wait_for("label", "No Statistics Yet", in_statistics)
        write_listening(app, 0.5, 2, 1, 0, 3)
        app.wait_for("label", pattern("^6.h.30.min$"), in_statistics)
        app.wait_for("label", pattern("^3.h.15.min$"), in_statistics)
        app.wait_for("label", pattern("3 days"), in_statistics)
        app.wait_for("list item", pattern("^One, 6 hours 30 minutes$"), in_statistics, showing=False)
        plot = app.wait_for("image", "Listened in the last 30 days", in_statistics)
        assert pattern("Total: 6.h.30.min. Highest: .*: 3.h").search(plot.description), plot.description
        app.go_with("Tab", "the plot of days", lambda node: node.name == "Listened in the last 30 days")

        def says(text):
            wait_until(f"the plot says {text}", lambda: pattern(f": {text}").search(
                app.wait_for("image", "Listened in the last 30 days", in_statistics).description))
        # The pointer may rest on another one.
        app.key("End")
        says("30.min")
        app.key("Left")
        says("2.h")
        app.key("Home")
        says("0.min")
        app.key("End")
        says("30.min")
        app.close_dialog("Statistics")
        app.key("ctrl+i")
        app.wait_for("dialog", "Statistics")
        app.key("Escape")


def tell(app):
    """What the command line says, with Earmark or without."""
    return json.loads(app.profile.run("--statistics").stdout)


@case
def exported():
    """What is played is counted once it is paused; what is exported has each day and podcast, and the command line tells the same"""
    with app_with_one() as app:
        write_listening(app, 0.5, 2)
        app.window_action("statistics")
        app.wait_for("label", pattern("^2.h.30.min$"), in_statistics)
        target = app.profile.folder / "statistics.json"
        app.press("button", "Export…", in_statistics)
        harness.write_path(app, "Export Statistics", "Save", target)
        app.wait_for_toast("Statistics exported")
        made = json.loads(target.read_text(encoding="utf-8"))
        assert made["total"]["listened"] == 2.5 * HOUR, made
        assert made["days"][datetime.date.today().isoformat()]["listened"] == HOUR / 2, made
        assert made["podcasts"][0]["address"] == app.address and made["podcasts"][0]["title"] == "As It Was Called", made
        assert tell(app) == made
        app.press_close("Statistics")
        app.window_action("play-selected")
        app.wait_for_status("Playing")
        wait_until("some of it was heard", lambda: app.position() > 3)
        app.action("play-pause")
        wait_until("it is counted beside what another machine has counted", lambda: tell(app)["total"]["listened"] > 2.5 * HOUR)
        app.quit()
        assert tell(app)["total"]["listened"] > 2.5 * HOUR


harness.main()
