# SPDX-License-Identifier: GPL-3.0-or-later
"""One function per measurement. Each returns {member of the JSON: samples}, from which
`run` computes the figures, and prints notes. README.md explains the members."""

import os
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import time
from dataclasses import dataclass, field

from gi.repository import GLib
from Xlib import X  # noqa: F401  the display's errors come from it

import asking
import fetching
import listening
from fetching import open_library
from machine import App, Probe, Profile, Server, now, program, pss_mb, wait_until, wake_ups

# Positions in the window, as fractions of its size: the middle of the sidebar and of the
# list, and the episode's page.
SIDEBAR, LIST = 0.12, 0.40
PAGE = (0.62, 0.10, 0.98, 0.80)
# Search terms: words of nearly every episode, some of few, and parts of words.
COMMON = ("the", "episode", "music", "tensor", "kernel compiler", "garden river", "lantern orchard")


@dataclass
class Size:
    """The amount of data and the number of runs."""
    small: tuple = (50, 200)
    large: tuple = (200, 500)
    runs: int = 5
    fetches: int = 3
    large_fetches: int = 1
    rounds: int = 3
    clicks: int = 60
    pages: int = 30
    scrolls: int = 60
    seconds: float = 20
    held_up: float = 10
    common: int = 7
    words: int = 4
    parsed: int = 5
    settle: int = 2000
    rows: int = 6
    sound: int = 600
    patience: float = 1
    random: int = 1000
    idle_before: float = 150
    idle: float = 120


@dataclass
class Bench:
    size: Size
    folder: pathlib.Path
    notes: list = field(default_factory=list)
    library: Profile = None
    port: int = 0

    def note(self, text):
        self.notes.append(text)
        print(f"    {text}", flush=True)

    def wait_for_quiet(self, app, seconds):
        app.wait_for_quiet(seconds * self.size.patience)

    def pause(self, seconds):
        time.sleep(seconds * self.size.patience)

    def feeds(self, feeds, episodes, more=0):
        """Returns a folder with generated feeds, which is kept for the next run."""
        target = self.folder / f"feeds-{feeds}x{episodes}"
        maker = pathlib.Path(program("library-maker"))
        stamp = target / "stamp"
        if not stamp.exists() or stamp.stat().st_mtime < maker.stat().st_mtime:
            shutil.rmtree(target, ignore_errors=True)
            subprocess.run([maker, target, str(feeds), str(episodes)], check=True)
            stamp.touch()
        if more:
            changed = self.folder / "feeds-changed"
            shutil.rmtree(changed, ignore_errors=True)
            shutil.copytree(target, changed, copy_function=os.link)
            for path in changed.glob("feed-*.xml"):
                if int(path.stem[5:]) % 10 == 0:
                    path.unlink()
            subprocess.run([maker, changed, str(feeds), str(episodes), str(more)], check=True)
            return changed
        return target

    def files(self, size):
        return sorted(self.feeds(*size).glob("feed-*.xml"))

    def sound(self):
        target = self.folder / f"noise-{self.size.sound}.mp3"
        if not target.exists():
            subprocess.run(["gst-launch-1.0", "-q", "audiotestsrc", "wave=pink-noise", "volume=0.3", "samplesperbuffer=44100",
                            f"num-buffers={self.size.sound}", "!", "audio/x-raw,rate=44100,channels=2", "!", "lamemp3enc", "target=bitrate",
                            "bitrate=128", "cbr=true", "!", "filesink", f"location={target}.part"], check=True)
            os.rename(f"{target}.part", target)
        return target

    def serve(self, size, port=0):
        return Server(self.feeds(*size), self.folder, port)



def first_frame(bench, rows, command, environment):
    output = subprocess.run([program("first-frame"), str(rows), str(bench.size.settle), command], check=True, capture_output=True,
                            text=True, env=os.environ | environment).stdout
    return {name: float(value) for name, value in re.findall(r"^(\w+)=([\d.]+)$", output, re.M)}


def bare_window(bench, library):
    """Starts an empty window that, like Earmark, does not look for a graphics card."""
    return first_frame(bench, 0, program("empty-window"), library.environment() | {"GDK_DISABLE": "gl,vulkan"})


def measure_startup(bench):
    library = open_library(bench)
    floors, bare, ours = [], [], []
    with bench.serve(bench.size.large, bench.port):
        first_frame(bench, 0, program("empty-window"), library.environment())
        first_frame(bench, bench.size.rows, os.environ["EARMARK_PROGRAM"], library.environment())
        for _ in range(bench.size.runs):
            floors.append(first_frame(bench, 0, program("empty-window"), library.environment()))
            bare.append(bare_window(bench, library))
            ours.append(first_frame(bench, bench.size.rows, os.environ["EARMARK_PROGRAM"], library.environment()))

    def column(rows, name, divisor=1):
        return [row[name] / divisor for row in rows]
    bench.note(f"processor: floor {statistics.median(column(floors, 'frame_cpu_ms')):.0f} ms, ours "
               f"{statistics.median(column(ours, 'rows_cpu_ms')):.0f} ms to the rows, "
               f"{statistics.median(column(ours, 'settled_cpu_ms')):.0f} ms when settled; first frame after "
               f"{statistics.median(column(ours, 'frame_ms')):.0f} ms; PSS at the rows "
               f"{statistics.median(column(ours, 'rows_pss_kb', 1024)):.0f} MB, floor's first frame "
               f"{statistics.median(column(floors, 'frame_pss_kb', 1024)):.0f} MB")
    bench.note(f"an empty window that looks for no graphics card: first frame after "
               f"{statistics.median(column(bare, 'frame_ms')):.0f} ms, PSS when settled "
               f"{statistics.median(column(bare, 'settled_pss_kb', 1024)):.0f} MB")
    return {"startup_ms": column(ours, "rows_ms"), "startup_floor_ms": column(floors, "frame_ms"),
            "startup_cpu_ratio": [our["rows_cpu_ms"] / floor["frame_cpu_ms"] for our, floor in zip(ours, floors)],
            "startup_pss_mb": column(ours, "settled_pss_kb", 1024), "startup_pss_floor_mb": column(floors, "settled_pss_kb", 1024)}



def measure_refresh(bench):
    library, feeds = open_library(bench), bench.size.large[0]
    seconds, transactions = [], []
    with bench.serve(bench.size.large, bench.port) as server, App(library, bench.folder) as app:
        app.wait_for_rows()
        bench.wait_for_quiet(app, 3)
        for _ in range(bench.size.rounds):
            mark, touched, start = app.probe.mark(), app.probe.episodes_touched, now()
            app.action("refresh-all")
            wait_until("every feed was answered", lambda: len(server.requests(start)) >= feeds)
            answers = server.requests(start)
            statuses = {answer["status"] for answer in answers}
            bench.wait_for_quiet(app, 3)
            commits = app.probe.events(Probe.COMMIT, mark)
            if len(answers) != feeds or statuses != {304} or app.probe.episodes_touched != touched:
                raise RuntimeError(f"not a refresh of unchanged feeds: {len(answers)} answers of {statuses}, "
                                   f"{app.probe.episodes_touched - touched} episodes touched")
            seconds.append((max(answer["logged"] for answer in answers) - start) / 1e6)
            transactions.append(len(commits))
    return {"refresh_304_s": seconds, "refresh_304_transactions": transactions}



def rare_words(bench):
    text = bench.files(bench.size.large)[0].read_text()
    words = sorted(set(re.findall(r"\b[a-z]{7,11}\b", text)))
    return random.Random(3).sample(words, bench.size.words)


def measure_search(bench):
    """Measures each keystroke of a search in all podcasts: until the first rows of the
    result, and until its last change."""
    library = open_library(bench)
    first, ranked = [], []
    with bench.serve(bench.size.large, bench.port), App(library, bench.folder) as app:
        app.wait_for_rows()
        bench.wait_for_quiet(app, 3)
        app.screen.focus()
        app.screen.key("f", "Control_L", "Shift_L")
        time.sleep(0.5)
        for words in [*COMMON[:bench.size.common], *rare_words(bench)]:
            costs = [type_key(app, key) for key in words]
            found = [cost for cost in costs if cost is not None]
            first += [cost[0] for cost in found]
            ranked += [cost[1] for cost in found]
            bench.note(f'"{words}": ' + " ".join(f"{cost[0]:.0f}/{cost[1]:.0f}" if cost else "-" for cost in costs) + " ms")
            app.screen.key("a", "Control_L")
            app.screen.key("BackSpace")
            bench.wait_for_quiet(app, 0.5)
    return {"search_first_p95_ms": first, "search_ranked_p95_ms": ranked}


def type_key(app, key):
    """Returns (first rows, last change) in milliseconds; None if the key changed nothing,
    such as a space."""
    mark = app.probe.mark()
    start = app.screen.key(key)
    end, changes = start + 250_000, []
    while now() < end:
        time.sleep(0.005)
        changes = app.probe.events(Probe.ROWS, mark)
        if changes:
            end = min(changes[-1][0] + 250_000, start + 3_000_000)
        elif now() > end - 20_000 and now() < start + 3_000_000 and key != " ":
            end += 20_000
    if not changes:
        return None
    first = next((when for when, _, added in changes if added > 0), changes[0][0])
    return (first - start) / 1000, (changes[-1][0] - start) / 1000



def worst_turn(app, mark, start):
    """Returns the longest turn of the main loop since the mark, the most processor time
    of a turn, and the processor time of all turns, in milliseconds."""
    turns = [(long, work) for when, long, work in app.probe.events(Probe.TURN, mark) if when + long >= start]
    if not turns:
        return 0, 0, 0
    return max(long for long, _ in turns) / 1000, max(work for _, work in turns) / 1000, sum(work for _, work in turns) / 1000


def happens(condition):
    """Returns whether CONDITION becomes true within two seconds."""
    end = now() + 2_000_000
    while not condition():
        if now() > end:
            return False
        time.sleep(0.02)
    return True


def measure_clicks(bench):
    """Clicks on rows of the list, and scrolls before every fourth click."""
    library = open_library(bench)
    longest, work, all_work, missed = [], [], [], 0
    with bench.serve(bench.size.large, bench.port), App(library, bench.folder) as app:
        app.wait_for_rows()
        bench.wait_for_quiet(app, 3)
        app.screen.focus()
        for number in range(bench.size.clicks):
            if number % 4 == 0:
                app.screen.point(LIST, 0.7)
                for _ in range(4):
                    app.screen.wheel()
                time.sleep(0.4)
            app.screen.point(LIST, 0.45 + 0.1 * (number % 4))
            time.sleep(0.25)
            before = app.screen.picture(*PAGE)
            mark, start = app.probe.mark(), app.screen.button(1)
            if not happens(lambda: app.screen.picture(*PAGE) != before):
                missed += 1
                continue
            time.sleep(0.25)
            long, once, whole = worst_turn(app, mark, start)
            longest.append(long)
            work.append(once)
            all_work.append(whole)
    if len(longest) < bench.size.clicks / 2:
        raise RuntimeError(f"{missed} of {bench.size.clicks} clicks did nothing")
    bench.note(f"{len(longest)} clicks: longest turn {statistics.median(longest):.1f} ms in the middle, {max(longest):.1f} at most; "
               f"all turns of a click {statistics.median(all_work):.1f} ms of the processor in the middle, {max(all_work):.1f} at most")
    return {"click_p95_ms": work, "click_wall_ms": longest}


def measure_pages(bench):
    """Clicks on another podcast in the sidebar."""
    library = open_library(bench)
    longest, work, missed = [], [], 0
    with bench.serve(bench.size.large, bench.port), App(library, bench.folder) as app:
        app.wait_for_rows()
        bench.wait_for_quiet(app, 3)
        app.screen.focus()
        for number in range(bench.size.pages):
            if number % 4 == 0:
                app.screen.point(SIDEBAR, 0.7)
                for _ in range(4):
                    app.screen.wheel()
                time.sleep(0.5)
            app.screen.point(SIDEBAR, 0.45 + 0.1 * (number % 4))
            time.sleep(0.3)
            mark, start = app.probe.mark(), app.screen.button(1)
            if not happens(lambda: app.probe.events(Probe.ROWS, mark)):
                missed += 1
                continue
            time.sleep(0.5)
            long, once, _ = worst_turn(app, mark, start)
            longest.append(long)
            work.append(once)
    if len(longest) < bench.size.pages / 2:
        raise RuntimeError(f"{missed} of {bench.size.pages} clicks on podcasts did nothing")
    bench.note(f"{len(longest)} podcasts: longest turn {statistics.median(longest):.1f} ms in the middle, of the processor "
               f"{statistics.median(work):.1f} ms in the middle, {max(work):.1f} at most")
    return {"page_change_p95_ms": longest}


def measure_stalls(bench):
    """Measures the longest turn of each round, and right before it how long the machine
    holds up an idle program."""
    library = open_library(bench)
    longest, held_up = [], []
    for _ in range(bench.size.rounds):
        output = subprocess.run([program("held-up"), str(bench.size.held_up)], check=True, capture_output=True, text=True).stdout
        held_up.append(float(output))
        longest.append(stall_round(bench, library))
        bench.note(f"the longest of this round {longest[-1]:.1f} ms; before it, a program that does nothing was held up for {held_up[-1]:.1f} ms")
    return {"longest_stall_ms": longest, "held_up_ms": held_up}


def stall_round(bench, library):
    """Returns the longest turn from 1 s after the first rows: scrolling, clicking, and
    both during a refresh with new episodes."""
    feeds = bench.size.large[0]
    longest = []
    # A kept library contains the new episodes of the previous round.
    brought = library.folder / "brought"
    more = 2 + (int(brought.read_text()) if brought.exists() else 0)
    changed = bench.feeds(*bench.size.large, more=more)
    brought.write_text(str(more))
    with Server(changed, bench.folder, bench.port) as server:
        # The refresh at startup happens while the listener clicks, as in real use.
        with App(library, bench.folder) as app:
            app.wait_for_rows()
            bench.pause(1)
            app.screen.focus()
            longest += [worst_phase(app, bench, "scrolling", scroll), worst_phase(app, bench, "clicking", click_rows)]
            bench.wait_for_quiet(app, 2)
            longest.append(worst_phase(app, bench, "scrolling when quiet", scroll))
            longest.append(worst_phase(app, bench, "clicking when quiet", click_rows))
            start = now()
            app.action("refresh-all")
            longest.append(worst_phase(app, bench, "refreshing, scrolling", scroll))
            longest.append(worst_phase(app, bench, "refreshing, clicking", click_rows))
            answers = wait_until("every feed was answered", lambda: len(found := server.requests(start)) >= feeds and found)
            bench.note(f"{sum(request['status'] == 200 for request in server.requests())} feeds had new episodes, "
                       f"{sum(answer['status'] == 304 for answer in answers)} none")
    return max(longest)


def worst_phase(app, bench, name, act):
    mark, start = app.probe.mark(), now()
    act(app, bench)
    turns = sorted(((long, work) for when, long, work in app.probe.events(Probe.TURN, mark) if when >= start), reverse=True)
    bench.note(f"{name}: longest " + ", ".join(f"{long / 1000:.1f} ({work / 1000:.1f})" for long, work in turns[:4]) + " ms (of the processor)")
    return turns[0][0] / 1000 if turns else 0


def scroll(app, bench):
    app.screen.point(LIST, 0.7)
    for number in range(bench.size.scrolls):
        app.screen.wheel(number < bench.size.scrolls * 2 / 3)
        time.sleep(0.03)


def click_rows(app, bench):
    for number in range(bench.size.clicks // 3):
        app.screen.point(LIST, 0.45 + 0.1 * (number % 4))
        app.screen.button(1)
        time.sleep(0.2)


# Short notes, and some of more than a megabyte, with the same words; the newest is the
# first in the list.
PARAGRAPH = ("<p>A text that is long enough to go on for several lines, as the last ones of an episode's notes often are. "
             '<a href="https://example.org/{0}"><b>A link</b></a></p><ul><li>The first of a list.</li><li>And the second one.</li></ul>')
NOTES = {"Short": 10, "Other": 10, "Long": 5000}


def publish_notes(bench):
    items = "".join(f"<item><title>{title}</title><guid>{title}</guid><pubDate>Sun, 01 Mar 2026 06:00:0{number} +0000</pubDate>"
                    f"<description><![CDATA[{''.join(PARAGRAPH.format(n) for n in range(length))}]]></description></item>"
                    for number, (title, length) in enumerate(NOTES.items()))
    root = bench.folder / "notes-feed"
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir()
    (root / "feed-001.xml").write_text(f'<rss version="2.0"><channel><title>Notes</title>{items}</channel></rss>')
    return root


def show_notes(bench, app, number):
    """Shows the notes of the episode at this index of the list, and
    scrolls through them."""
    before = app.screen.picture(*PAGE)
    app.window_action("select-episode", GLib.Variant("u", number))
    if not happens(lambda: app.screen.picture(*PAGE) != before):
        raise RuntimeError(f"episode {number} is not shown")
    bench.wait_for_quiet(app, 1)
    for step in range(bench.size.scrolls):
        app.screen.wheel(step < bench.size.scrolls * 2 / 3)
        time.sleep(0.03)
    bench.wait_for_quiet(app, 1)


def measure_notes(bench):
    """Measures the processor time of the longest turn while notes of a megabyte replace
    short ones, and the other way round. The floor: short ones replace short ones."""
    ours, floor = [], []
    with Server(publish_notes(bench), bench.folder) as server:
        with App(Profile(bench.folder / "notes", [server.url("feed-001.xml", 1)]), bench.folder) as app:
            app.wait_for_rows()
            bench.wait_for_quiet(app, 3)
            app.screen.focus()
            app.screen.point(0.8, 0.7)
            # The very first notes belong to another measurement.
            show_notes(bench, app, 2)
            for _ in range(bench.size.runs):
                for numbers, samples in (((1, 2), floor), ((0, 2), ours)):
                    mark, start = app.probe.mark(), now()
                    for number in numbers:
                        show_notes(bench, app, number)
                    long, work, _ = worst_turn(app, mark, start)
                    samples.append(work)
                    bench.note(f"episodes {numbers}: the longest turn {work:.1f} ms of the processor, {long:.1f} ms in all")
    return {"notes_1mb_ms": ours, "notes_floor_ms": floor}



def measure_provider(bench):
    library = open_library(bench)
    with bench.serve(bench.size.large, bench.port):
        return asking.measure(bench, library, [*COMMON[:bench.size.common], *rare_words(bench)])



def measure_idle(bench):
    """Measures an open window without any input. The probe is not loaded, because its
    memory would count. The catalogue's weekly copy, which a first session makes in these
    minutes, exists already."""
    library = open_library(bench)
    shutil.copyfile(library.catalogue, f"{library.catalogue}.copy")
    floor = bare_window(bench, library)["settled_pss_kb"] / 1024
    with bench.serve(bench.size.large, bench.port), App(library, bench.folder, watched=False) as app:
        app.wait_for_window()
        time.sleep(bench.size.idle_before)
        before, start = wake_ups(app.process.pid), time.monotonic()
        time.sleep(bench.size.idle)
        after, seconds = wake_ups(app.process.pid), time.monotonic() - start
        memory = pss_mb(app.process.pid)
    woken = {name: times for (number, name), times in ((thread, after[thread] - before.get(thread, 0)) for thread in after) if times}
    bench.note(f"{seconds:.0f} s: {sum(woken.values())} wake-ups" + "".join(f", {times} of {name}" for name, times in woken.items()))
    return {"idle_wakeups_s": [sum(woken.values()) / seconds], "idle_pss_mb": [memory], "idle_pss_floor_mb": [floor]}


# In this order: the large fetch creates the library for the later ones.
MEASUREMENTS = {
    "parse": fetching.measure_parsing,
    "fetch": fetching.measure_fetch_small,
    "large": fetching.measure_fetch_large,
    "startup": measure_startup,
    "refresh": measure_refresh,
    "search": measure_search,
    "clicks": measure_clicks,
    "pages": measure_pages,
    "notes": measure_notes,
    "provider": measure_provider,
    "stalls": measure_stalls,
    "playing": listening.measure_playing,
    "sound": listening.measure_sound,
    "seam": listening.measure_seam,
    "random": listening.measure_random,
    "idle": measure_idle,
}
