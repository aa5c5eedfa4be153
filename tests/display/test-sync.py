#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Syncing: signing in under Preferences, the question before the first sync, and the command line."""

import contextlib
import os
import pathlib
import subprocess
import sys

import feeds
import harness
from feeds import Episode
from harness import App, Profile, Server, case, pattern, wait_until

SERVER = pathlib.Path(__file__).parent.parent / "sync" / "server.py"


class SyncServer:
    """The server for syncing in a process of its own."""

    def __enter__(self):
        self.process = subprocess.Popen([sys.executable, SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()
        return self

    def __exit__(self, *exc):
        self.process.stdin.close()
        self.process.wait()

    def ask(self, *words):
        print(*words, file=self.process.stdin, flush=True)
        return self.process.stdout.readline().strip()


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


def open_page(app):
    app.action("preferences")
    app.choose_tab("Sync")
    app.wait_for("label", "Service")


def fill(app, name, text):
    app.click(app.wait_for(("text", "password text", "entry"), name))
    wait_until(f"{name} has the focus", lambda: app.has_focus(name))
    app.type(text)


def sign_in(app, address, password="lamp"):
    open_page(app)
    app.click(app.wait_for("label", "Service"))
    app.click(app.wait_for("label", "gPodder"))
    app.wait_for(("text", "entry"), "User Name")
    fill(app, "Server Address", address)
    fill(app, "User Name", "ada")
    fill(app, "Password", password)
    app.key("Return")


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
