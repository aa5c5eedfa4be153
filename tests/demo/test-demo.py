#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that the sound, transcripts, chapters and feed of the demo podcast match, and that the server
serves them. Prints TAP.

    test-demo.py BUILD-FOLDER EARMARK-TEST-SERVER
"""

import array
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
import wave
import xml.etree.ElementTree as ET

RATE = 8000
NS = {"itunes": "http://www.itunes.com/dtds/podcast-1.0.dtd", "podcast": "https://podcastindex.org/namespace/1.0",
      "psc": "http://podlove.org/simple-chapters", "content": "http://purl.org/rss/1.0/modules/content/"}
OUT = pathlib.Path(sys.argv[1])
TYPES = {".mp3": "audio/mpeg", ".opus": "audio/ogg", ".m4a": "audio/mp4"}


def decode(path):
    """Returns the whole sound as mono samples, decoded like in the player."""
    with tempfile.NamedTemporaryFile(suffix=".wav") as out:
        subprocess.run(["gst-launch-1.0", "-q", "filesrc", f"location={path}", "!", "decodebin3", "!", "audioconvert", "!",
                        "audioresample", "!", f"audio/x-raw,format=S16LE,channels=1,rate={RATE}", "!", "wavenc", "!",
                        "filesink", f"location={out.name}"], check=True, capture_output=True)
        with wave.open(out.name) as wav:
            samples = array.array("h", wav.readframes(wav.getnframes()))
    if sys.byteorder == "big":
        samples.byteswap()
    return samples


def level(samples, start, end):
    """Returns the level in decibels relative to full scale."""
    part = samples[max(0, int(start * RATE)):int(end * RATE)]
    return 10 * math.log10(sum(s * s for s in part) / max(1, len(part)) / 32768 ** 2 + 1e-12)


def seconds(text):
    total = 0.0
    for part in text.split(":"):
        total = total * 60 + float(part)
    return total


def check(condition, message):
    if not condition:
        raise AssertionError(message)


def check_sound(facts):
    samples = decode(OUT / facts["audio"])
    length = len(samples) / RATE
    check(abs(length - facts["length"]) < 0.2, f"lasts {length:.2f} s, not {facts['length']:.2f} s")
    starts = [c["start"] for c in facts["chapters"]] + [facts["length"]]
    for start, end in zip(starts, starts[1:]):
        check(level(samples, start, end) > -35, f"chapter at {start} s is silent")
    for cue in facts["cues"]:
        check(level(samples, cue["start"], cue["end"]) > -32, f"nobody speaks at {cue['start']:.2f} s")
        check(level(samples, cue["start"] - 0.01, cue["start"] + 0.25) > -45, f"speech begins late at {cue['start']:.2f} s")
    check(level(samples, 0.5, 3) > -45, "no music before the first word")
    # The pauses between two sentences, away from music and stings
    gaps = [(a["end"], b["start"]) for a, b in zip(facts["cues"], facts["cues"][1:]) if 0.5 < b["start"] - a["end"] < 1.2]
    gaps = [(a, b) for a, b in gaps if 14 < a and b < facts["length"] - 6]
    for start, end in gaps:
        quiet = level(samples, start + 0.2, end - 0.05)
        check(-75 < quiet < -42, f"the room at {start:.2f} s has {quiet:.0f} dB")


def check_transcript(facts):
    text = (OUT / f"{facts['slug']}.vtt").read_text(encoding="utf-8")
    cues = re.findall(r"^(\d\d:\d\d:\d\d\.\d{3}) --> (\d\d:\d\d:\d\d\.\d{3})\n<v (Mira|Jonas)>(.+)$", text, re.M)
    check(text.startswith("WEBVTT\n\n"), "no WEBVTT at its beginning")
    check(len(cues) == len(facts["cues"]) > 2, f"{len(cues)} cues for {len(facts['cues'])} sentences")
    last = 0.0
    for (start, end, _, sentence), cue in zip(cues, facts["cues"]):
        check(last <= seconds(start) < seconds(end), f"cue at {start} overlaps")
        check(sentence == cue["text"], f"cue at {start} says something else")
        check(abs(seconds(start) - cue["start"]) < 0.01, f"cue at {start} is misplaced")
        last = seconds(end)
    check(last < facts["length"], "the last cue is after the end")


def check_chapters(facts):
    listed = json.loads((OUT / f"{facts['slug']}.chapters.json").read_text(encoding="utf-8"))
    check(listed["version"].startswith("1."), "no version")
    starts = [c["startTime"] for c in listed["chapters"]]
    check(starts[0] == 0 and starts == sorted(set(starts)), f"chapters start at {starts}")
    check([c["title"] for c in listed["chapters"]] == [c["title"] for c in facts["chapters"]], "other titles")
    raw = (OUT / facts["audio"]).read_bytes()
    if facts["audio"].endswith(".mp3"):
        check(raw.count(b"CHAP\0") == len(starts) and b"CTOC\0" in raw[:65536], "ID3 chapters are missing")
    elif facts["audio"].endswith(".opus"):
        check(raw[:65536].count(b"NAME=") == len(starts), "Vorbis chapters are missing")


def check_bit_rate(facts):
    raw = (OUT / facts["audio"]).read_bytes()
    check((b"Xing" in raw[:65536]) == (facts["fields"]["format"][0] == "mp3-vbr"), "Xing header")


def check_feed():
    channel = ET.parse(OUT / "feed.xml").getroot().find("channel")
    items = channel.findall("item")
    check(len(items) == 7, f"{len(items)} items")
    for address in re.findall(r"@BASE@/([^\"<?]+)", (OUT / "feed.xml").read_text(encoding="utf-8")):
        check((OUT / address).exists(), f"{address} is missing")
    for item in items:
        title = item.findtext("title")
        enclosure = item.find("enclosure")
        path = OUT / enclosure.get("url").removeprefix("@BASE@/")
        facts = json.loads(path.with_suffix("").with_suffix(".facts.json").read_text(encoding="utf-8"))
        check(int(enclosure.get("length")) == path.stat().st_size, f"{title}: the enclosure's length is wrong")
        check(enclosure.get("type") == TYPES[path.suffix], f"{title}: the enclosure's type is wrong")
        check(abs(seconds(item.findtext("itunes:duration", "", NS)) - facts["length"]) <= 0.5, f"{title}: duration")
        check(item.find("podcast:transcript", NS) is not None, f"{title}: no transcript")
        check("{chapter" not in ET.tostring(item, "unicode"), f"{title}: a time is not filled in")
    notes = [item.findtext("content:encoded", None, NS) for item in items]
    check(sum(n is not None for n in notes) == 5, "five episodes have HTML notes")
    check(sum(item.find("description") is None for item in items) == 1, "one has none")
    check(sum(item.find("psc:chapters", NS) is not None for item in items) == 1, "one has its chapters in the feed")
    check(any(re.search(r"\b\d\d:\d\d\b", n or "") for n in notes) and any(re.search(r"\(\d:\d\d\)", n or "") for n in notes),
          "both ways to write a time")


def check_daily():
    items = ET.parse(OUT / "daily.xml").getroot().findall("channel/item")
    check(len(items) == 120, f"{len(items)} items")
    check(len({i.findtext("guid") for i in items}) == len({i.find("enclosure").get("url") for i in items}) == 120, "doubles")


def check_pictures():
    for name, size in (("cover", 3000), ("frames", 1400), ("daily", 600)):
        raw = (OUT / f"{name}.jpg").read_bytes()
        # The frame header: length, precision, height, width
        frame = re.search(rb"\xff[\xc0\xc2]\x00\x11\x08(..)(..)", raw, re.S)
        check(frame and int.from_bytes(frame[1], "big") == int.from_bytes(frame[2], "big") == size, f"{name}.jpg is not {size} wide")


def fetch(address):
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(address, timeout=60) as answer:
        return answer.headers, answer.read()


def check_served():
    """Fetches every URL in the feed through the second address of the server."""
    with tempfile.TemporaryDirectory() as folder:
        port_file = pathlib.Path(folder) / "port"
        server = subprocess.Popen([sys.argv[2], "--demo-dir", OUT, "--addresses", "2", "--port-file", port_file],
                                  stdout=subprocess.DEVNULL)
        try:
            deadline = time.monotonic() + 60
            while not port_file.exists() and time.monotonic() < deadline:
                time.sleep(0.01)
            base = port_file.read_text().replace("127.0.0.1", "127.0.0.2") + "/demo"
            headers, feed = fetch(f"{base}/feed.xml")
            check(headers["Content-Type"] == "application/rss+xml; charset=utf-8", "the feed's type")
            check(b"@BASE@" not in feed, "@BASE@ is not replaced")
            addresses = set(re.findall(re.escape(base) + r"/[^\"<]+", feed.decode()))
            check(len(addresses) > 20, f"{len(addresses)} addresses")
            for address in addresses - {f"{base}/feed.xml"}:
                headers, body = fetch(address)
                path = OUT / address.removeprefix(base + "/")
                check(body == path.read_bytes(), f"{address} is not what was built")
                expected = TYPES.get(path.suffix, headers["Content-Type"])
                check(headers["Content-Type"] == expected, f"{address} is served as {headers['Content-Type']}")
        finally:
            server.terminate()
        check(server.wait(10) == 0, "the server did not end well")


def main():
    tests = [("served", check_served, ()), ("feed", check_feed, ()), ("daily", check_daily, ()), ("pictures", check_pictures, ())]
    for path in sorted(OUT.glob("*.facts.json")):
        facts = json.loads(path.read_text(encoding="utf-8"))
        for part in (check_sound, check_transcript, check_chapters):
            tests.append((f"{facts['slug']}/{part.__name__[6:]}", part, (facts,)))
        if facts["audio"].endswith(".mp3"):
            tests.append((f"{facts['slug']}/bit-rate", check_bit_rate, (facts,)))
    print(f"TAP version 14\n1..{len(tests)}")
    failed = 0
    for number, (name, function, arguments) in enumerate(tests, 1):
        try:
            function(*arguments)
            print(f"ok {number} /demo/{name}", flush=True)
        except Exception as error:  # Whatever is missing or malformed is a failed test.
            failed += 1
            print(f"not ok {number} /demo/{name}\n# {type(error).__name__}: {error}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
