# SPDX-License-Identifier: GPL-3.0-or-later
"""A server for syncing, and signing in to it under Preferences."""

import pathlib
import subprocess
import sys

from harness import wait_until

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
