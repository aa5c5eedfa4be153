#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes one episode of the demo podcast from its script.

Speaks each sentence with espeak-ng, schedules the sentences, mixes them (ear-demo-mixer) and encodes the result
(GStreamer). Transcript, chapters and facts use the same times, so that they match.

A script has a header of `Name: value` lines, an empty line, and then:

    # Chapter title | https://its.address/ | name.jpg   starts a chapter, with a picture
    A: One sentence. Or two.                            spoken by the first voice (B: the second)
    [pause 0.7]                                         silence, in seconds
"""

import argparse
import array
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import wave

import mutagen.id3
import mutagen.mp4
import mutagen.oggopus

VOICES = {
    "A": {"name": "Mira", "pan": -0.18, "espeak": ["-v", "en-gb-x-rp+f2", "-p", "48", "-s", "160"]},
    "B": {"name": "Jonas", "pan": 0.18, "espeak": ["-v", "en-us+m3", "-p", "34", "-s", "158"]},
}
FIRST_WORD = 4.2  # seconds of music alone
BED_TAIL = 9.0  # how long the music stays under the voices
CHAPTER_PAUSE = 1.5
SENTENCE_PAUSE = 0.22
SPEAKER_PAUSE = 0.38
END = 5.5  # seconds after the last word

ENCODERS = {
    "mp3-cbr": "lamemp3enc target=bitrate bitrate=96 cbr=true encoding-engine-quality=fast",
    "mp3-vbr": "lamemp3enc target=quality quality=6 encoding-engine-quality=fast ! xingmux",
    "opus": "audioresample ! audio/x-raw,rate=48000 ! opusenc bitrate=64000 complexity=5 ! oggmux",
    "m4a": "avenc_aac bitrate=96000 ! aacparse ! mp4mux faststart=true",
}


def parse_script(path):
    """Returns the header as a dict, and the body as a list of (kind, ...) tuples."""
    head, _, body = path.read_text(encoding="utf-8").partition("\n\n")
    fields = {}
    for line in head.splitlines():
        name, _, value = line.partition(":")
        fields.setdefault(name.strip().lower(), []).append(value.strip())
    events = []
    for number, line in enumerate(body.splitlines(), head.count("\n") + 3):
        if not line.strip():
            continue
        if match := re.fullmatch(r"# (.+?)(?: \| (\S+))?(?: \| (\S+))?", line):
            events.append(("chapter", match[1], match[2], match[3]))
        elif match := re.fullmatch(r"\[pause ([0-9.]+)\]", line):
            events.append(("pause", float(match[1])))
        elif match := re.fullmatch(r"([AB]): (.+)", line):
            events += [("say", match[1], s) for s in re.split(r"(?<=[.!?:]) +(?=[A-Z])", match[2])]
        else:
            sys.exit(f"{path}:{number}: not understood: {line}")
    return fields, events


def speak(voice, sentence, path):
    """Writes the spoken text to a WAV file, trims silence at both ends, and returns the length in seconds."""
    subprocess.run(["espeak-ng", *VOICES[voice]["espeak"], "-w", path, "--", sentence], check=True)
    with wave.open(str(path)) as wav:
        params, samples = wav.getparams(), array.array("h", wav.readframes(wav.getnframes()))
    if sys.byteorder == "big":
        samples.byteswap()
    loud = [i for i in range(0, len(samples), 64) if max(map(abs, samples[i:i + 64])) > 200]
    if not loud:
        sys.exit(f"espeak-ng said nothing for: {sentence}")
    samples = samples[loud[0]:loud[-1] + 64]
    length = len(samples) / params.framerate
    if sys.byteorder == "big":
        samples.byteswap()
    with wave.open(str(path), "wb") as wav:
        wav.setparams(params)
        wav.writeframes(samples.tobytes())
    return length


def lay_out(events, folder):
    """Returns the lines of the score, the chapters, the cues and the total length."""
    score, chapters, cues = [], [], []
    now, last_voice = FIRST_WORD, None
    for number, event in enumerate(events):
        if event[0] == "chapter":
            if chapters:
                score.append(f"sting {now + 0.2:.3f}")
                now += CHAPTER_PAUSE
            start = now - 0.2 if chapters else 0.0
            chapters.append({"start": round(start, 3), "title": event[1], "url": event[2], "img": event[3]})
            last_voice = None
        elif event[0] == "pause":
            now += event[1]
            last_voice = None
        else:
            _, voice, sentence = event
            if last_voice:
                now += SENTENCE_PAUSE if voice == last_voice else SPEAKER_PAUSE
            path = folder / f"{number}.wav"
            length = speak(voice, sentence, path)
            score.append(f"speech {now:.3f} {VOICES[voice]['pan']} {path}")
            cues.append({"start": now, "end": now + length, "voice": voice, "text": sentence})
            now += length
            last_voice = voice
    length = now + END
    score.append(f"bed 0 {FIRST_WORD + BED_TAIL:.3f}")
    score.append(f"bed {now + 0.3:.3f} {length:.3f}")
    return [f"length {length:.3f}", *score], chapters, cues, length


def encode(wav, kind, output):
    """Runs GStreamer; prints the encoders' output only on failure."""
    pipeline = f"filesrc location={wav} ! wavparse ! audioconvert ! {ENCODERS[kind]} ! filesink location={output}"
    done = subprocess.run(["gst-launch-1.0", "-q", *pipeline.split()], capture_output=True, text=True, check=False)
    if done.returncode != 0 or not output.stat().st_size:
        sys.exit(f"gst-launch-1.0 {pipeline}\n{done.stdout}{done.stderr}")


def tag_mp3(path, fields, chapters, length):
    tags = mutagen.id3.ID3()
    tags.add(mutagen.id3.TIT2(encoding=3, text=fields["title"][0]))
    tags.add(mutagen.id3.TPE1(encoding=3, text="Mira and Jonas"))
    tags.add(mutagen.id3.TALB(encoding=3, text="Quiet Main Loop"))
    ids = [f"chp{i}" for i in range(len(chapters))]
    tags.add(mutagen.id3.CTOC(element_id="toc", child_element_ids=ids, sub_frames=[],
                              flags=mutagen.id3.CTOCFlags.TOP_LEVEL | mutagen.id3.CTOCFlags.ORDERED))
    ends = [c["start"] for c in chapters[1:]] + [length]
    for element, chapter, end in zip(ids, chapters, ends):
        frames = [mutagen.id3.TIT2(encoding=3, text=chapter["title"])]
        if chapter["url"]:
            frames.append(mutagen.id3.WXXX(encoding=3, desc="chapter url", url=chapter["url"]))
        tags.add(mutagen.id3.CHAP(element_id=element, start_time=round(chapter["start"] * 1000),
                                  end_time=round(end * 1000), sub_frames=frames))
    tags.save(path)


def format_time(seconds, separator="."):
    milliseconds = round(seconds * 1000)
    return f"{milliseconds // 3600000:02}:{milliseconds // 60000 % 60:02}:{milliseconds // 1000 % 60:02}{separator}{milliseconds % 1000:03}"


def tag_opus(path, fields, chapters):
    tags = mutagen.oggopus.OggOpus(path)
    tags["title"] = fields["title"][0]
    tags["artist"] = "Mira and Jonas"
    for number, chapter in enumerate(chapters, 1):
        tags[f"CHAPTER{number:03}"] = format_time(chapter["start"])
        tags[f"CHAPTER{number:03}NAME"] = chapter["title"]
        if chapter["url"]:
            tags[f"CHAPTER{number:03}URL"] = chapter["url"]
    tags.save()


def tag_mp4(path, fields):
    tags = mutagen.mp4.MP4(path)
    tags["\xa9nam"] = fields["title"][0]
    tags["\xa9ART"] = "Mira and Jonas"
    tags.save()


def write_transcript(path, cues):
    lines = ["WEBVTT", ""]
    for cue in cues:
        lines += [f"{format_time(cue['start'])} --> {format_time(cue['end'])}",
                  f"<v {VOICES[cue['voice']]['name']}>{cue['text']}", ""]
    path.write_text("\n".join(lines), encoding="utf-8")


def write_chapters(path, fields, chapters):
    entries = [{k: v for k, v in (("startTime", c["start"]), ("title", c["title"]), ("url", c["url"]), ("img", c["img"])) if v is not None}
               for c in chapters]
    content = {"version": "1.2.0", "title": fields["title"][0], "podcastName": "Quiet Main Loop", "chapters": entries}
    path.write_text(json.dumps(content, indent=1), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mixer", required=True)
    parser.add_argument("script", type=pathlib.Path)
    parser.add_argument("audio", type=pathlib.Path)
    parser.add_argument("transcript", type=pathlib.Path)
    parser.add_argument("chapters", type=pathlib.Path)
    parser.add_argument("facts", type=pathlib.Path)
    options = parser.parse_args()

    fields, events = parse_script(options.script)
    kind = fields["format"][0]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        score, chapters, cues, length = lay_out(events, folder)
        (folder / "score").write_text("\n".join(score) + "\n", encoding="utf-8")
        subprocess.run([options.mixer, folder / "score", folder / "mix.wav"], check=True)
        encode(folder / "mix.wav", kind, options.audio)
    if kind.startswith("mp3"):
        tag_mp3(options.audio, fields, chapters, length)
    elif kind == "opus":
        tag_opus(options.audio, fields, chapters)
    else:
        tag_mp4(options.audio, fields)
    write_transcript(options.transcript, cues)
    write_chapters(options.chapters, fields, chapters)
    facts = {"fields": fields, "length": length, "bytes": options.audio.stat().st_size, "audio": options.audio.name,
             "slug": options.script.stem, "chapters": chapters, "cues": cues}
    options.facts.write_text(json.dumps(facts, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
