# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures fetching and parsing, and creates the library for the other
measurements. See figures.py."""

import os
import re
import sqlite3
import statistics
import subprocess
import time

from machine import App, Probe, Profile, now, processor_time, program, status_mb, wait_until


def addresses(server, count):
    return [server.url(f"feed-{number:03}.xml", number) for number in range(1, count + 1)]


def fetch(bench, size, profile, server):
    """Returns the seconds from the first request to the commit with the last episode, to
    the row of an episode that is then searched for, and to the commit after which all
    texts are indexed; the peak memory in MB; and the catalogue's size in bytes."""
    feeds, episodes = size
    # Flush the feeds just generated and the previous fetch, which would be written
    # out meanwhile.
    os.sync()
    bench.pause(1)
    with App(profile, bench.folder) as app:
        probe, wanted = app.probe, feeds * episodes

        def reach(what, member):
            def reached():
                return next((commit[0] for commit in probe.events(Probe.COMMIT) if commit[member] >= wanted), None)
            when = wait_until(f"{wanted} {what}, or it has ended", lambda: reached() or app.process.poll(), 300, 0.05)
            if app.process.poll() is not None:
                raise RuntimeError("the program has ended; what it said is in its folder")
            return when
        end = reach("episodes are stored", 1)
        found = find_one(app, f"lantern{feeds:03}")
        indexed = reach("texts are in the index", 2)
        start = min(request["time"] for request in server.requests(app.started))
        peak = status_mb(app.process.pid, "VmHWM")
        turns = sorted(long for when, long, _ in probe.events(Probe.TURN) if start <= when <= end)
        bench.note(f"{feeds}x{episodes}: {(end - start) / 1e6:.2f} s, one found after {(found - start) / 1e6:.2f} s, in the index after {(indexed - start) / 1e6:.2f} s, {peak:.0f} MB at most, "
                   f"{processor_time(app.process.pid) / 1e6:.2f} s of the processor since the start, "
                   f"{len(probe.events(Probe.COMMIT))} transactions, "
                   f"longest stall meanwhile {turns[-1] / 1000 if turns else 0:.0f} ms")
        bench.wait_for_quiet(app, 4)
    return *((when - start) / 1e6 for when in (end, found, indexed)), peak, check_catalogue(profile, size)


def find_one(app, word):
    """Types WORD at once, and returns when the only episode with it appeared
    in the results."""
    app.wait_for_window()
    app.screen.focus()
    mark = app.probe.mark()

    def found():
        few = [(when, count) for when, _, _, count in app.probe.whole_events(Probe.ROWS, mark) if count <= 1]
        return few[-1][0] if few and few[-1][1] == 1 and few[-1][0] < now() - 500_000 else None

    # Letters typed before the entry's first frame are lost, and nothing reports that frame: on a busy machine it
    # comes late.
    for patience in (0.3, 1, 4):
        app.screen.key("f", "Control_L", "Shift_L")
        time.sleep(patience)
        app.screen.key("a", "Control_L")
        for key in word:
            app.screen.key(key)
        try:
            return wait_until(f"{word} is found", found, 60 * patience)
        except RuntimeError:
            if patience == 4:
                raise
    return None


def check_catalogue(profile, size):
    """Checks that all episodes are stored and indexed. Returns the size in bytes, which
    may include parts still in the log."""
    catalogue = sqlite3.connect(f"file:{profile.catalogue}?mode=ro", uri=True)
    stored = catalogue.execute("SELECT count(*) FROM episode").fetchone()[0]
    # Only Earmark's tokenizer can search the index; the window has found one word.
    indexed = catalogue.execute("SELECT count(*) FROM episode_text_docsize").fetchone()[0]
    length = catalogue.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size").fetchone()[0]
    catalogue.close()
    if stored != size[0] * size[1] or indexed != stored:
        raise RuntimeError(f"{stored} episodes are stored and {indexed} in the index, of {size[0] * size[1]}")
    return length


def measure_fetch_small(bench):
    size, seconds, found, indexed = bench.size.small, [], [], []
    with bench.serve(size) as server:
        for _ in range(bench.size.fetches):
            took, has_found, in_index, *_ = fetch(bench, size, Profile(bench.folder / "small", addresses(server, size[0])), server)
            seconds.append(took)
            found.append(has_found)
            indexed.append(in_index)
    floor = fetch_floor(bench, size)
    return {"fetch_50x200_s": seconds, "found_50x200_s": found, "indexed_50x200_s": indexed, "floor_50x200_s": floor}


def fetch_floor(bench, size):
    files = bench.files(size)
    megabytes, seconds = floor_seconds("sax", *files)
    sax = sum(path.stat().st_size for path in files) / 1e6 * seconds / megabytes
    insert = floor_seconds("insert", bench.folder / "floor.db", *files)[1]
    for path in bench.folder.glob("floor.db*"):
        path.unlink()
    bench.note(f"floor of {size[0]}x{size[1]}: libxml2 {sax:.2f} s, SQLite with FTS5 {insert:.2f} s")
    return [sax + insert]


def floor_seconds(*arguments):
    """Returns megabytes and seconds."""
    output = subprocess.run([program("floors"), *map(str, arguments)], check=True, capture_output=True, text=True).stdout
    return tuple(float(number) for number in re.match(r"([\d.]+) MB in ([\d.]+) s", output).groups())


def measure_fetch_large(bench):
    """Fetches the large library, which the other measurements use."""
    size, seconds, found, indexed, peaks = bench.size.large, [], [], [], []
    with bench.serve(size) as server:
        for _ in range(bench.size.large_fetches):
            profile = Profile(bench.folder / "large", addresses(server, size[0]))
            took, has_found, in_index, peak, length = fetch(bench, size, profile, server)
            seconds.append(took)
            found.append(has_found)
            indexed.append(in_index)
            peaks.append(peak)
        bench.library, bench.port = profile, server.port
        (profile.folder / "port").write_text(str(server.port))
    feeds = sum(path.stat().st_size for path in bench.files(size))
    return {"fetch_200x500_s": seconds, "found_200x500_s": found, "indexed_200x500_s": indexed, "fetch_peak_mb": peaks,
            "catalogue_bytes_ratio": [length / feeds], "floor_200x500_s": fetch_floor(bench, size)}


def open_library(bench):
    """Opens the large library of this run, or one kept from an earlier run."""
    if bench.library is None:
        kept = bench.folder / "large"
        stamp = kept / "port"
        if os.environ.get("EARMARK_BENCH_KEEP") and stamp.exists():
            bench.library, bench.port = Profile(kept), int(stamp.read_text())
        else:
            measure_fetch_large(bench)
    return bench.library



def measure_parsing(bench):
    files = bench.files(bench.size.small)
    ours, floor = [], []
    for _ in range(bench.size.rounds):
        output = subprocess.run([program("bench-feed"), *map(str, files[:bench.size.parsed])], check=True, capture_output=True, text=True).stdout
        ours.append(statistics.median(float(rate) for rate in re.findall(r"\.xml: (\d+) MB/s", output)))
        megabytes, seconds = floor_seconds("sax", *files)
        floor.append(megabytes / seconds)
    return {"parse_mb_s": ours, "sax_floor_mb_s": floor}
