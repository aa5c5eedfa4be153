# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the search provider for GNOME Shell, next to a call that looks nothing
up. See figures.py."""

import os
import pathlib
import sys
import time

from gi.repository import Gio

from machine import APP_ID, APP_PATH, App, end_service, program, wait_until

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "display"))
from shell import Service, Shell  # noqa: E402  the module of the display tests

FLOOR_ID = "io.github.earmark_app.EmptyWindow"
FLOOR_PATH = "/" + FLOOR_ID.replace(".", "/")


def milliseconds(call):
    start = time.monotonic()
    result = call()
    return (time.monotonic() - start) * 1000, result


def ask_nothing(shell, name, path):
    """Calls a method that any application answers in one turn of its main loop."""
    shell.bus.call_sync(name, path, "org.gtk.Actions", "List", None, None, Gio.DBusCallFlags.NONE, -1, None)


def measure_running(bench, library, words):
    """Measures each answer: the search results, and the descriptions of
    the first ones."""
    answers, floor = [], []
    shell = Shell()
    with App(library, bench.folder) as app:
        app.wait_for_rows()
        bench.wait_for_quiet(app, 3)
        for terms in words:
            search, keys = milliseconds(lambda: shell.search(*terms.split()))
            describe, shown = milliseconds(lambda: shell.describe(keys[:5]))
            floor.append(milliseconds(lambda: ask_nothing(shell, APP_ID, APP_PATH))[0])
            answers += [search, describe]
            bench.note(f'"{terms}": {len(keys)} found in {search:.1f} ms, {len(shown)} described in {describe:.1f} ms')
    return answers, floor


def measure_start(shell, name, program_path, environment, ask):
    """Returns the milliseconds from the call to the answer of a program that the bus
    starts for it."""
    service = Service(name, program_path, environment)
    try:
        wait_until("it does not run", lambda: shell.owner(name) is None)
        took, _ = milliseconds(ask)
        end_service(shell.owner(name))
        wait_until("it has ended", lambda: shell.owner(name) is None)
    finally:
        service.remove()
    return took


def measure(bench, library, words):
    answers, floor = measure_running(bench, library, words)
    shell, started, started_floor = Shell(), [], []
    for number in range(bench.size.runs + 1):
        its = measure_start(shell, FLOOR_ID, program("empty-window"), library.environment(), lambda: ask_nothing(shell, FLOOR_ID, FLOOR_PATH))
        our = measure_start(shell, APP_ID, os.environ["EARMARK_PROGRAM"], library.environment(), lambda: shell.search(*words[number % len(words)].split()))
        # The first runs load the programs from disk.
        if number > 0:
            started.append(our)
            started_floor.append(its)
    return {"provider_running_p95_ms": answers, "provider_running_floor_ms": floor,
            "provider_started_ms": started, "provider_started_floor_ms": started_floor}
