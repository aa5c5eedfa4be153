# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures playback, next to gst-play-1.0 with the same sound. See figures.py."""

import os
import re
import shutil
import statistics
import subprocess
import tempfile
import time

from machine import App, FirstSound, Profile, Server, end_process, now, processor_time, program, wait_until

FEED = """<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>Noise</title>
<itunes:type>serial</itunes:type>%s</channel></rss>
"""
ITEM = """<item><title>Noise {0}</title><guid>noise{0}</guid><pubDate>Sun, 01 Mar 2026 06:00:0{1} +0000</pubDate>
<description>Made for a measurement.</description>
<enclosure url="@BASE@/noise{0}.mp3" type="audio/mpeg" length="9600000"/></item>
"""


def publish(bench, episodes):
    """Returns a folder with a podcast of EPISODES episodes with the same sound:
    noise1.mp3 and so on, in this order."""
    root = bench.folder / "sound"
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir()
    for number in range(1, episodes + 1):
        os.link(bench.sound(), root / f"noise{number}.mp3")
    (root / "feed-001.xml").write_text(FEED % "".join(ITEM.format(number, number) for number in range(1, episodes + 1)))
    return root



def measure_playing(bench):
    """Measures playback next to gst-play-1.0 with the same URL at the same time."""
    shown, hidden, filtered = [], [], []
    with Server(publish(bench, 1), bench.folder) as server:
        profile = Profile(bench.folder / "playing", [server.url("feed-001.xml", 1)])
        with App(profile, bench.folder) as app:
            app.wait_for_rows()
            bench.wait_for_quiet(app, 2)
            with open(bench.folder / "gst-play", "wb") as output:
                floor = subprocess.Popen(["gst-play-1.0", "--no-interactive", server.url("noise1.mp3", 1)],
                                         stdin=subprocess.DEVNULL, stdout=output, stderr=output)
            try:
                app.action("play-pause")
                wait_until("it plays", lambda: app.status() == "Playing")
                bench.pause(3)
                for _ in range(bench.size.rounds):
                    shown.append(compare(bench, app.process.pid, floor.pid))
                app.screen.unmap()
                bench.pause(2)
                for _ in range(bench.size.rounds):
                    hidden.append(compare(bench, app.process.pid, floor.pid))
                for switch in "trim-silence", "level-volume":
                    app.action(switch)
                bench.pause(2)
                for _ in range(bench.size.rounds):
                    filtered.append(compare(bench, app.process.pid, floor.pid))
                if app.status() != "Playing" or floor.poll() is not None:
                    raise RuntimeError("the sound has ended before the measurement")
            finally:
                end_process(floor)
    bench.note("processor, ours and gst-play-1.0's, shown " + ", ".join(f"{our:.2f}/{its:.2f}" for our, its in shown) + " %, hidden " +
               ", ".join(f"{our:.2f}/{its:.2f}" for our, its in hidden) + " %, with all filters " +
               ", ".join(f"{our:.2f}/{its:.2f}" for our, its in filtered) + " %")
    plain = statistics.median(our / its for our, its in hidden)
    return {"play_cpu_shown_ratio": [our / its for our, its in shown], "play_cpu_hidden_ratio": [our / its for our, its in hidden],
            "play_filters_ratio": [our / its / plain for our, its in filtered]}


def compare(bench, ours, floor):
    """Returns the processor use of both over some seconds, in percent."""
    start = (time.monotonic(), processor_time(ours), processor_time(floor))
    time.sleep(bench.size.seconds)
    end = (time.monotonic(), processor_time(ours), processor_time(floor))
    seconds = end[0] - start[0]
    return (end[1] - start[1]) / 1e4 / seconds, (end[2] - start[2]) / 1e4 / seconds


# The minimum time to move the pointer to a button and click it.
REACH_SECONDS = 0.25


def prepare_sound(bench, server, download):
    """Returns a profile that follows the podcast, and has downloaded its newest episode
    if DOWNLOAD; each run starts with a copy."""
    profile = Profile(bench.folder / "sound-before", [server.url("feed-001.xml", 1)])
    with App(profile, bench.folder) as app:
        app.wait_for_rows()
        bench.wait_for_quiet(app, 2)
        if download:
            app.screen.focus()
            app.screen.key("s", "Control_L")
            downloads = profile.folder / "data" / "earmark" / "downloads"
            wait_until("it is downloaded", lambda: any(file.stat().st_size == bench.sound().stat().st_size
                                                       for file in downloads.glob("[!.]*/*.mp3")))
            bench.wait_for_quiet(app, 2)
    return profile


def sound_of_ours(bench, before):
    """Returns the milliseconds from the key, which acts like a click on the button, to
    the first sample at the sound server: for the first episode since Earmark started,
    before any input, and for the next one."""
    sound, folder = FirstSound(bench.folder), bench.folder / "sounding"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(before.folder, folder)
    with App(Profile(folder), bench.folder, sound) as app:
        app.wait_for_rows()
        bench.wait_for_quiet(app, 2)
        app.screen.focus()
        # Start elsewhere: moving the pointer to its current position has no effect.
        app.screen.point(0.4, 0.4)
        app.screen.point(0.5, 0.5)
        time.sleep(REACH_SECONDS)
        first = sound.wait(app.screen.key("space", "Control_L"))
        bench.pause(1)
        bench.wait_for_quiet(app, 1)
        return first, sound.wait(app.screen.key("Page_Down", "Control_L"))


def sound_of_floor(bench, place):
    """Returns the same for gst-play-1.0, from its start."""
    sound = FirstSound(bench.folder)
    environment = os.environ | sound.environment() | {"LD_PRELOAD": program("first-sound.so")}
    with open(bench.folder / "gst-play", "wb") as output:
        start = now()
        process = subprocess.Popen(["gst-play-1.0", "--no-interactive", place], stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=output, env=environment)
    try:
        return sound.wait(start)
    finally:
        end_process(process)


def measure_sound(bench):
    """Alternates with gst-play-1.0, with the same URL and the same file."""
    samples = {}
    # Scan GStreamer's plugins once, as on a listener's machine, and not again for each
    # temporary profile.
    os.environ["GST_REGISTRY"] = str(bench.folder / "registry.bin")
    with Server(publish(bench, 2), bench.folder) as server:
        for name, place in (("streamed", server.url("noise1.mp3", 1)), ("file", bench.sound())):
            before = prepare_sound(bench, server, name == "file")
            ours, following, floor = [], [], []
            sound_of_floor(bench, place)  # loads the files from disk
            for _ in range(bench.size.runs):
                floor.append(sound_of_floor(bench, place))
                first, following_one = sound_of_ours(bench, before)
                ours.append(first)
                following.append(following_one)
            bench.note(f"{name}: at best {min(ours):.0f} ms, gst-play-1.0 {min(floor):.0f} ms; the next episode after "
                       f"{statistics.median(following):.0f} ms, at best {min(following):.0f}")
            samples |= {f"sound_{name}_ms": ours, f"sound_{name}_floor_ms": floor,
                        f"sound_{name}_ratio": [statistics.median(ours) / statistics.median(floor)]}
            # The next episode is always streamed.
            samples["sound_next_ms"] = samples.get("sound_next_ms", []) + following
    return samples


SEAM_SECONDS = 13
# A typical delay of a server that redirects to another one, far away.
SEAM_DELAY_MS = 400
SEAM_ITEM = """<item><title>Noise {0}</title><guid>noise{0}</guid><pubDate>Sun, 01 Mar 2026 06:00:0{1} +0000</pubDate>
<enclosure url="@BASE@/~delay={2}/short{0}.mp3" type="audio/mpeg" length="{3}"/></item>
"""
FRAME = 4 * 48


def silence_between(play):
    """Returns the milliseconds of silence at the sound server's output between two
    sounds that PLAY has played. The output is recorded, and PLAY returns when the second
    sound has started."""
    recorder = subprocess.Popen(["parec", "--device=@DEFAULT_MONITOR@", "--format=s16le", "--rate=48000", "--channels=2",
                                 "--latency-msec=50"], stdout=subprocess.PIPE)
    with tempfile.TemporaryFile() as recording:
        copier = subprocess.Popen(["cat"], stdin=recorder.stdout, stdout=recording)
        try:
            play()
        finally:
            end_process(recorder)
            copier.wait()
        recording.seek(0)
        loud = [any(piece) for piece in iter(lambda: recording.read(FRAME), b"")]
    first, last = loud.index(True), len(loud) - 1 - loud[::-1].index(True)
    longest = run = 0
    for each in loud[first:last]:
        run = 0 if each else run + 1
        longest = max(longest, run)
    return longest


def seam_of_ours(bench, address):
    def play():
        app.action("play-pause")
        wait_until("it plays", lambda: app.status() == "Playing")
        title = app.title()
        wait_until("the next one plays", lambda: app.title() != title and app.status() == "Playing", seconds=60)
        bench.pause(2)

    with App(Profile(bench.folder / "seam-profile", [address]), bench.folder) as app:
        app.wait_for_rows()
        bench.wait_for_quiet(app, 2)
        return silence_between(play)


def seam_of_floor(bench, places):
    def play():
        with open(bench.folder / "gst-play", "wb") as output:
            process = subprocess.Popen(["gst-play-1.0", "--no-interactive", *places], stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        try:
            time.sleep(SEAM_SECONDS + SEAM_DELAY_MS / 1000 * 2 + 4)
        finally:
            end_process(process)

    return silence_between(play)


def measure_seam(bench):
    """Measures the silence between an episode and the next one, from a slow server; and
    for gst-play-1.0 with both URLs."""
    root = publish(bench, 1)
    sound = bench.sound().read_bytes()[:SEAM_SECONDS * 16000]
    for number in 1, 2:
        (root / f"short{number}.mp3").write_bytes(sound)
    (root / "feed-001.xml").write_text(FEED % "".join(SEAM_ITEM.format(number, number, SEAM_DELAY_MS, len(sound)) for number in (1, 2)))
    with Server(root, bench.folder) as server:
        floor = seam_of_floor(bench, [server.url(f"~delay={SEAM_DELAY_MS}/short{number}.mp3", 1) for number in (1, 2)])
        ours = [seam_of_ours(bench, server.url("feed-001.xml", 1)) for _ in range(bench.size.rounds)]
    return {"sound_seam_ms": ours, "sound_seam_floor_ms": [floor]}


# Players that share the actions.
RANDOM_AT_A_TIME = 5
CLIPS = {"minute.cbr.mp3": "mp3-cbr", "minute.bare.mp3": "mp3-bare", "minute.m4a": "m4a", "minute.opus": "opus"}


def measure_random(bench):
    """Runs tests/player/test-random.c for longer; it fails if position
    and sound differ."""
    clips = bench.folder / "clips"
    clips.mkdir(exist_ok=True)
    for name, kind in CLIPS.items():
        subprocess.run([program("earmark-time-tone"), "make", "60", kind, clips / name], check=True)
    environment = os.environ | {"EAR_CLIPS": str(clips), "EARMARK_RANDOM": str(bench.size.random // RANDOM_AT_A_TIME),
                                "G_DEBUG": "fatal-warnings", "GIO_USE_PROXY_RESOLVER": "dummy"}
    # Write to files, because a process blocks when a pipe is full.
    logs = [bench.folder / f"random-{number}.log" for number in range(RANDOM_AT_A_TIME)]
    runs = []
    for log in logs:
        with log.open("w") as file:
            runs.append(subprocess.Popen([program("player-random"), "--tap"], env=environment, stdout=file, stderr=subprocess.STDOUT))
    for run in runs:
        run.wait()
    outputs = [log.read_text(errors="replace") for log in logs]
    for run, output in zip(runs, outputs):
        if run.returncode != 0:
            raise RuntimeError("\n".join(output.splitlines()[:1] + output.splitlines()[-25:]))
    told = [re.search(r"^# (\d+ jumps.*) ([\d.]+) ms apart at most.*$", output, re.M) for output in outputs]
    for line in told:
        bench.note(line[0][2:])
    return {"random_apart_ms": [float(line[2]) for line in told]}
