# SPDX-License-Identifier: GPL-3.0-or-later
"""The basis of the measurements: the installed program in a profile of its own, its
server, the probe that watches it, and real keys and clicks."""

import json
import mmap
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import time

from gi.repository import Gio, GLib
from Xlib import X, XK, Xatom, display
from Xlib.ext import xtest

APP_ID = os.environ.get("EARMARK_APP_ID", "io.github.earmark_app.Earmark")
APP_PATH = "/" + APP_ID.replace(".", "/")
DEADLINE = 120
ADDRESSES = 25


def now():
    """Returns microseconds of the clock that the server's log and the probe use."""
    return time.monotonic_ns() // 1000


def wait_until(what, condition, seconds=DEADLINE, pause=0.01):
    end = time.monotonic() + seconds
    while True:
        result = condition()
        if result:
            return result
        if time.monotonic() > end:
            raise RuntimeError(f"never happened: {what}")
        time.sleep(pause)


def program(name):
    """Returns the path of one of the benchmark's programs."""
    return str(pathlib.Path(os.environ["EARMARK_BENCH_PROGRAMS"]) / name)


def end_process(process, seconds=20):
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def end_service(pid):
    """Ends a program that another process has started."""
    os.kill(pid, signal.SIGTERM)


def processor_time(pid):
    """Returns the microseconds used by all threads of a process, including those
    that have ended."""
    return time.clock_gettime_ns((~pid << 3) | 2) // 1000


def wake_ups(pid):
    """Returns how often each thread has waited and continued, {(number, name): times}."""
    found = {}
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        try:
            found[int(task.name), (task / "comm").read_text().strip()] = int(
                re.search(r"^voluntary_ctxt_switches:\s+(\d+)", (task / "status").read_text(), re.M)[1])
        except OSError:  # the thread has ended meanwhile
            pass
    return found


def pss_mb(pid):
    return int(re.search(r"^Pss:\s+(\d+) kB", pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text(), re.M)[1]) / 1024


def status_mb(pid, name):
    text = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(rf"^{name}:\s+(\d+) kB", text, re.M)[1]) / 1024


# Real servers have processors of their own: the stand-in gets little when there is not
# enough for all.
SERVER_NICENESS = 15


class Server:
    """Runs earmark-test-server for a folder, on several loopback addresses."""

    def __init__(self, root, folder, port=0):
        self.root = root
        self.folder = pathlib.Path(folder)
        self.log = self.folder / "requests"
        self.port = port

    def __enter__(self):
        address = self.folder / "address"
        address.unlink(missing_ok=True)
        self.log.unlink(missing_ok=True)
        command = ["nice", "-n", str(SERVER_NICENESS), os.environ["EARMARK_TEST_SERVER"], "--root", self.root, "--addresses",
                   str(ADDRESSES), "--port", str(self.port), "--port-file", address, "--log", self.log, "--warm"]
        with open(self.folder / "server", "wb") as output:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        wait_until("the server is ready", lambda: address.exists() or self.process.poll() is not None)
        if not address.exists():
            raise RuntimeError((self.folder / "server").read_text())
        self.port = int(address.read_text().strip().rstrip("/").rsplit(":", 1)[1])
        return self

    def __exit__(self, *exc):
        end_process(self.process)

    def url(self, name, number=0):
        return f"http://127.0.0.{number % ADDRESSES + 1}:{self.port}/{name}"

    def requests(self, since=0, pattern=r"/feed-\d+\.xml$"):
        """Returns the finished requests that arrived after SINCE."""
        if not self.log.exists():
            return []
        lines = [json.loads(line) for line in self.log.read_text().splitlines() if line.endswith("}}")]
        return [line for line in lines if line["time"] >= since and re.search(pattern, line["path"])]


class Profile:
    """The folders of a listener, and the podcasts to follow at the first start."""

    def __init__(self, folder, addresses=()):
        self.folder = pathlib.Path(folder)
        if addresses:
            shutil.rmtree(self.folder, ignore_errors=True)
        for name in ("data", "config", "cache", "state"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        if addresses:
            outlines = "".join(f'<outline type="rss" text="{number}" xmlUrl="{address}"/>'
                               for number, address in enumerate(addresses, 1))
            self.welcome.write_text(f'<?xml version="1.0"?><opml version="2.0"><head/><body>{outlines}</body></opml>')

    @property
    def welcome(self):
        return self.folder / "welcome.opml"

    @property
    def catalogue(self):
        return self.folder / "data" / "earmark" / "catalogue.db"

    def environment(self):
        folders = {f"XDG_{name.upper()}_HOME": str(self.folder / name) for name in ("data", "config", "cache", "state")}
        return folders | {"EARMARK_WELCOME": str(self.welcome), "GIO_USE_PROXY_RESOLVER": "dummy", "TZ": "UTC",
                          "GIO_USE_VFS": "local"}


class Probe:
    """Reads the events of probe.c. The layout is that of probe.h."""

    HEAD = 32
    EVENT = struct.Struct("<Qqqqqq")
    EVENTS = 65536
    TURN, COMMIT, ROWS = 1, 2, 3

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.path.write_bytes(bytes(self.HEAD + self.EVENT.size * self.EVENTS))
        with open(self.path, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 0)

    def close(self):
        self.memory.close()

    def mark(self):
        return struct.unpack_from("<Q", self.memory, 0)[0]

    @property
    def episodes_touched(self):
        return struct.unpack_from("<q", self.memory, 16)[0]

    def events(self, kind, since=0):
        """Returns (time, first, second) of the events after the mark SINCE."""
        return [event[:3] for event in self.whole_events(kind, since)]

    def whole_events(self, kind, since=0):
        """Returns the same with the third value, which only some kinds have."""
        last = self.mark()
        if last - since > self.EVENTS:
            raise RuntimeError("more happened than the probe keeps")
        found = []
        for index in range(since, last):
            number, of, when, first, second, third = self.EVENT.unpack_from(self.memory, self.HEAD + index % self.EVENTS * self.EVENT.size)
            if number == index + 1 and of == kind:
                found.append((when, first, second, third))
        return found


class FirstSound:
    """Reads the output of first-sound.c, for a program started with this environment."""

    def __init__(self, folder):
        self.path = pathlib.Path(folder) / "first-sound"

    def environment(self):
        self.path.unlink(missing_ok=True)
        return {"EARMARK_BENCH_SOUND": str(self.path)}

    def wait(self, since, seconds=30):
        """Returns the milliseconds from SINCE to the first sound."""
        def began():
            lines = self.path.read_text().splitlines() if self.path.exists() else []
            return [int(line) for line in lines if int(line) >= since]
        return (wait_until("there is sound", began, seconds)[0] - since) / 1000


class App:
    """Runs the installed program, with the probe unless WATCHED is False; SOUND records
    its first sound."""

    def __init__(self, profile, folder, sound=None, watched=True):
        self.profile = profile
        self.folder = pathlib.Path(folder)
        self.sound = sound
        self.watched = watched
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)

    def __enter__(self):
        self.probe = Probe(self.folder / "probe")
        environment = os.environ | self.profile.environment()
        if self.watched:
            environment |= {"LD_PRELOAD": program("probe.so"), "EARMARK_BENCH_PROBE": str(self.probe.path)}
        if self.sound:
            environment |= self.sound.environment()
            environment["LD_PRELOAD"] += ":" + program("first-sound.so")
        self.started = now()
        with open(self.folder / "said", "wb") as output:
            self.process = subprocess.Popen([os.environ["EARMARK_PROGRAM"]], stdin=subprocess.DEVNULL, stdout=output,
                                            stderr=output, env=environment)
        self.screen = Screen()
        return self

    def __exit__(self, kind, error, where):
        try:
            end_process(self.process)
        finally:
            self.screen.close()
            self.probe.close()
        said = (self.folder / "said").read_text(errors="replace")
        if kind is None and ("CRITICAL" in said or "WARNING" in said or self.process.returncode != 0):
            print(f"    the program ended with {self.process.returncode} and said:\n{said[-2000:]}")

    def wait_for_window(self):
        wait_until("the window is there", self.screen.find_window)

    def wait_for_rows(self):
        self.wait_for_window()
        wait_until("there are rows", lambda: any(added > 0 for _, _, added in self.probe.events(Probe.ROWS)))

    def wait_for_quiet(self, seconds=1.5):
        """Waits until nothing is written and the main loop has little to do."""
        def quiet():
            since = now() - seconds * 1e6
            turns = [when for when, long, _ in self.probe.events(Probe.TURN, start) if when > since and long > 5000]
            commits = [when for when, _, _ in self.probe.events(Probe.COMMIT, start) if when > since]
            return now() - began > seconds * 1e6 and not turns and not commits
        start, began = max(0, self.probe.mark() - 1000), now()
        wait_until("it is quiet", quiet, pause=0.1)

    def activate(self, path, name, parameter):
        arguments = GLib.Variant("(sava{sv})", (name, [parameter] if parameter is not None else [], {}))
        self.bus.call_sync(APP_ID, path, "org.gtk.Actions", "Activate", arguments, None, Gio.DBusCallFlags.NO_AUTO_START,
                           DEADLINE * 1000, None)

    def action(self, name, parameter=None):
        self.activate(APP_PATH, name, parameter)

    def window_action(self, name, parameter=None):
        xml = self.bus.call_sync(APP_ID, f"{APP_PATH}/window", "org.freedesktop.DBus.Introspectable", "Introspect", None, None,
                                 Gio.DBusCallFlags.NO_AUTO_START, DEADLINE * 1000, None).unpack()[0]
        self.activate(f"{APP_PATH}/window/{re.findall(r'<node name=.([0-9]+).', xml)[-1]}", name, parameter)

    def tell(self, name):
        return self.bus.call_sync(f"org.mpris.MediaPlayer2.{APP_ID}", "/org/mpris/MediaPlayer2", "org.freedesktop.DBus.Properties",
                                  "Get", GLib.Variant("(ss)", ("org.mpris.MediaPlayer2.Player", name)), None,
                                  Gio.DBusCallFlags.NONE, 5000, None).unpack()[0]

    def status(self):
        return self.tell("PlaybackStatus")

    def title(self):
        return self.tell("Metadata").get("xesam:title")


class Screen:
    """Sends keys and clicks, and reads pixels of the window, through the X
    server's test extension."""

    SHIFTED = '_"?:()'

    def __init__(self):
        self.display = display.Display()
        self.root = self.display.screen().root
        self.seem_managed()

    def close(self):
        self.root.delete_property(self.display.get_atom("_NET_SUPPORTING_WM_CHECK"))
        self.display.close()

    def seem_managed(self):
        """Pretends to be a window manager as far as GTK checks while drawing: it asks the
        X server for one several times in each frame, until it finds one. focus() gives
        the window the focus."""
        window = self.root.create_window(-1, -1, 1, 1, 0, X.CopyFromParent, X.InputOnly, override_redirect=True)
        for place in (window, self.root):
            place.change_property(self.display.get_atom("_NET_SUPPORTING_WM_CHECK"), Xatom.WINDOW, 32, [window.id])
        self.display.sync()

    def find_window(self):
        """Returns the position, the size and the window, once it is mapped."""
        best = None
        for window in self.root.query_tree().children:
            try:
                attributes, place = window.get_attributes(), window.get_geometry()
            except Exception:  # noqa: BLE001  the window is gone meanwhile
                continue
            if attributes.map_state == X.IsViewable and place.width > 200 and place.height > 200:
                if best is None or place.width * place.height > best[2] * best[3]:
                    best = (place.x, place.y, place.width, place.height, window)
        return best

    def focus(self):
        """Gives the window the keyboard focus, as no window manager does."""
        self.find_window()[4].set_input_focus(X.RevertToParent, X.CurrentTime)
        self.display.sync()

    def key(self, name, *modifiers):
        """Returns the time just before the key."""
        codes = [self.display.keysym_to_keycode(XK.string_to_keysym(modifier)) for modifier in modifiers]
        keysym = {"_": "underscore", " ": "space", "-": "minus"}.get(name, name)
        if name in self.SHIFTED:
            codes.append(self.display.keysym_to_keycode(XK.string_to_keysym("Shift_L")))
        codes.append(self.display.keysym_to_keycode(XK.string_to_keysym(keysym)))
        start = now()
        for code in codes:
            xtest.fake_input(self.display, X.KeyPress, code)
        for code in reversed(codes):
            xtest.fake_input(self.display, X.KeyRelease, code)
        self.display.sync()
        return start

    def point(self, across, down):
        x, y, width, height, _ = self.find_window()
        xtest.fake_input(self.display, X.MotionNotify, x=round(x + width * across), y=round(y + height * down))
        self.display.sync()

    def button(self, number):
        start = now()
        xtest.fake_input(self.display, X.ButtonPress, number)
        xtest.fake_input(self.display, X.ButtonRelease, number)
        self.display.sync()
        return start

    def wheel(self, down=True):
        return self.button(5 if down else 4)

    def picture(self, left, top, right, bottom):
        """Returns the pixels of a part of the window, to detect changes."""
        x, y, width, height, _ = self.find_window()
        image = self.root.get_image(round(x + width * left), round(y + height * top), round(width * (right - left)),
                                    round(height * (bottom - top)), X.ZPixmap, 0xffffffff)
        return image.data

    def unmap(self):
        """Unmaps the window, as a window manager does to minimize it."""
        window = self.find_window()[4]
        window.unmap()
        self.display.sync()
