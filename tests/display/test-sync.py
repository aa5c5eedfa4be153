#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Syncing: signing in under Preferences, the question before the first sync, and the command line."""

import contextlib
import os
import subprocess

import feeds
import harness
from feeds import Episode
from harness import App, Profile, Server, case, pattern, wait_until
from syncing import SyncServer, fill, open_page, sign_in


@contextlib.contextmanager
def two_devices():
    """A listener with a podcast, and a server that has another one from the phone."""
    with Server() as server, SyncServer() as sync:
        addresses = [feeds.write(server, name, f"The {name} podcast", [Episode(f"{name} one", None, 60)])
                     for name in ("here", "there")]
        sync.ask("follow", addresses[1])
        with Profile(addresses[:1]) as profile, App(profile) as app:
            app.wait_for_rows(1)
            yield sync, addresses, app


def run_command(app):
    return subprocess.run([os.environ["EARMARK_PROGRAM"], "--sync"], env=os.environ | app.profile.environment(),
                          capture_output=True, text=True, timeout=harness.DEADLINE)


@case
def first_sync():
    """Signing in asks before the first sync; the podcasts of both sides are followed then; Sign Out keeps them"""
    with two_devices() as (sync, addresses, app):
        sign_in(app, sync.address)
        app.wait_for("label", pattern("^1 podcast of the server will be followed here"))
        assert sync.ask("podcasts") == addresses[1]
        app.press("button", "Sync")
        app.wait_for("label", "Synced Just Now")
        assert sync.ask("podcasts") == " ".join(sorted(addresses))
        app.press("button", "Sync Now")
        app.wait_for("label", "Synced Just Now")
        app.click(app.wait_for("label", "Sign Out"))
        app.wait_for(("text", "entry"), "Server Address")
        app.key("Escape")
        app.wait_for("list item", pattern("^The there podcast"))


@case
def wrong_password():
    """A wrong password is told on the page, and can be corrected"""
    with two_devices() as (sync, addresses, app):
        sign_in(app, sync.address, "torch")
        app.wait_for("label", "Wrong User Name or Password")
        fill(app, "Password", "x")
        app.wait_until_gone("label", "Wrong User Name or Password")


@case
def refused_again():
    """The same refusal is told each time"""
    with two_devices() as (sync, addresses, app):
        open_page(app)
        fill(app, "Server Address", "no server")
        for times in (1, 2):
            app.key("Return")
            app.wait_to_hear(pattern("^Not a Web Address"), times)


@case
def browser_login():
    """A login in the web browser can be canceled; an address without encryption is warned of"""
    with two_devices() as (sync, addresses, app):
        open_page(app)
        fill(app, "Server Address", sync.address)
        app.wait_for("label", "Not Encrypted")
        app.click(app.wait_for("label", "Sign In With Web Browser"))
        app.wait_for("label", "Waiting for the Web Browser…")
        app.click(app.wait_for("label", "Cancel"))
        app.wait_for("label", "Sign In With Web Browser")
        wait_until("the address has the focus", lambda: app.has_focus("Server Address"))


@case
def command_line():
    """--sync says what has changed, or what is missing"""
    with two_devices() as (sync, addresses, app):
        missing = run_command(app)
        assert missing.returncode != 0 and "Sign in under Sync in Preferences" in missing.stderr, missing
        sign_in(app, sync.address)
        app.press("button", "Sync")
        app.wait_for("label", "Synced Just Now")
        done = run_command(app)
        assert done.returncode == 0 and done.stdout == "Nothing new\n", done


harness.main()
