#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Statistics: what is said of what was heard, by plots and in words, and what other programs get of it."""

import contextlib
import datetime
import hashlib
import json
import os
import subprocess

import feeds
import harness
from feeds import Episode
from harness import App, Profile, Server, case, pattern, wait_until

HOUR = 3600


@contextlib.contextmanager
def app_with_one():
    with Server() as server:
        sound = feeds.sound(server, "minute.cbr.mp3")
        address = feeds.write(server, "one", "One", [Episode("Alpha", sound, 60)])
        with Profile(address) as profile, App(profile) as app:
            app.wait_for_rows(1)
            # What others write is seen from then on.
            wait_until("the folder is there", lambda: (profile.state / "subscriptions.json").exists())
            yield app, profile, address


def write_listening(profile, address, *hours):
    """What another machine has counted: so many hours today, yesterday and so on."""
    podcast = hashlib.sha256(address.encode()).hexdigest()[:32]
    records = {}
    for ago, heard in enumerate(hours):
        day = datetime.date.today() - datetime.timedelta(days=ago)
        value = records.setdefault(f"{day:%Y-%m}/{podcast}/there", {"address": address, "title": "As It Was Called", "days": {}})
        value["days"][f"{day:%d}"] = {"listened": int(heard * HOUR), "saved-speed": int(heard * HOUR / 2)}
    state = {"version": 1, "kind": "listening",
             "records": {name: {"value": value, "updated": "2026-01-01T00:00:00Z"} for name, value in records.items()}}
    path = profile.state / "listening.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_text(json.dumps(state), encoding="utf-8")
    new.rename(path)


def in_dialog(node):
    return node.is_in("dialog", "Statistics")


@case
def shown():
    """By the button of History, and by key; what another machine has counted comes while it is open, and is read by the arrow keys"""
    with app_with_one() as (app, profile, address):
        app.window_action("show-history")
        app.press("button", "Statistics")
        app.wait_for("label", "No Statistics Yet", in_dialog)
        write_listening(profile, address, 0.5, 2, 1, 0, 3)
        app.wait_for("label", pattern("^6.h.30.min$"), in_dialog)
        app.wait_for("label", pattern("^3.h.15.min$"), in_dialog)
        app.wait_for("label", pattern("3 days"), in_dialog)
        app.wait_for("list item", pattern("^One, 6 hours 30 minutes$"), in_dialog, showing=False)
        plot = app.wait_for("image", "Listened in the last 30 days", in_dialog)
        assert pattern("Total: 6.h.30.min. Highest: .*: 3.h").search(plot.description), plot.description
        app.go_with("Tab", "the plot of days", lambda node: node.name == "Listened in the last 30 days")

        def says(text):
            wait_until(f"the plot says {text}", lambda: pattern(f": {text}").search(
                app.wait_for("image", "Listened in the last 30 days", in_dialog).description))
        # The pointer may rest on another one.
        app.key("End")
        says("30.min")
        app.key("Left")
        says("2.h")
        app.key("Home")
        says("0.min")
        app.key("End")
        says("30.min")
        app.key("Escape")
        app.wait_until_gone("dialog", "Statistics")
        app.key("ctrl+i")
        app.wait_for("dialog", "Statistics")
        app.key("Escape")


def tell(profile):
    """What the command line says, with Earmark or without."""
    return json.loads(subprocess.run([os.environ["EARMARK_PROGRAM"], "--statistics"], env=os.environ | profile.environment(), text=True,
                                     check=True, capture_output=True).stdout)


@case
def exported():
    """What is exported has each day and podcast; the command line tells the same"""
    with app_with_one() as (app, profile, address):
        write_listening(profile, address, 0.5, 2)
        app.window_action("statistics")
        app.wait_for("label", pattern("^2.h.30.min$"), in_dialog)
        target = profile.folder / "statistics.json"
        app.press("button", "Export…", in_dialog)
        harness.write_path(app, "Export Statistics", "Save", target)
        app.wait_for_toast("Statistics exported")
        made = json.loads(target.read_text(encoding="utf-8"))
        assert made["total"]["listened"] == 2.5 * HOUR, made
        assert made["days"][datetime.date.today().isoformat()]["listened"] == HOUR / 2, made
        assert made["podcasts"][0]["address"] == address and made["podcasts"][0]["title"] == "As It Was Called", made
        assert tell(profile) == made
        app.quit()
        assert tell(profile) == made


@case
def counted():
    """What is played is counted once it is paused"""
    with app_with_one() as (app, profile, address):
        write_listening(profile, address, 0.5)
        app.window_action("play-selected")
        app.wait_for_status("Playing")
        wait_until("some of it was heard", lambda: app.position() > 3)
        app.action("play-pause")

        def kept():
            found = [state for state in profile.read_states() if state.get("kind") == "listening"]
            return found and len(found[0]["records"]) > 1 and any(
                day["listened"] >= 1 for name, record in found[0]["records"].items() if not name.endswith("/there")
                for day in record["value"]["days"].values())
        wait_until("it is kept beside what another machine has counted", kept)


harness.main()
