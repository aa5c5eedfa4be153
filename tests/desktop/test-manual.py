#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that --help, the manual page and the shells' completions have
the same options."""

import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

PROGRAM, DATA = sys.argv[1], pathlib.Path(sys.argv[2])


def in_help():
    text = subprocess.run([PROGRAM, "--help"], check=True, capture_output=True, text=True).stdout
    return set(re.findall(r"^\s+(?:-\w, )?(--[\w-]+)", text, re.M))


def in_manual():
    text = (DATA / "earmark.1").read_text()
    return {f"-{name}" for name in re.findall(r"^\.It (?:Fl h , )?Fl (-[\w-]+)", text, re.M)}


def in_bash():
    words = re.search(r"options='([^']*)'", (DATA / "completions" / "earmark.bash").read_text())[1].split()
    return set(words)


def in_zsh():
    text = (DATA / "completions" / "_earmark").read_text()
    return set(re.findall(r"(--[\w-]+)(?=(?:=-?)?[\[}])", text))


def completes():
    """Returns what bash completes."""
    script = f'. "{DATA}/completions/earmark.bash"; COMP_WORDS=(earmark --pl); COMP_CWORD=1; _earmark; echo "${{COMPREPLY[*]}}"'
    shell = shutil.which("bash")
    if shell is None:
        return None
    return subprocess.run([shell, "-c", script], check=True, capture_output=True, text=True).stdout.split()


def completes_in_zsh():
    """Returns what zsh shows for two Tabs, which needs a terminal."""
    shell = shutil.which("zsh")
    if shell is None:
        return None
    ours, theirs = pty.openpty()
    with tempfile.TemporaryDirectory() as home:
        # Ignore the startup files of the user.
        process = subprocess.Popen([shell, "-f", "-i"], stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True, cwd=home,
                                   env=os.environ | {"HOME": home, "ZDOTDIR": home, "TERM": "dumb", "LC_ALL": "C.UTF-8"})
        os.close(theirs)
        said = ""
        try:
            for line, wanted in ((f"fpath=('{DATA.resolve()}/completions' $fpath); autoload -Uz compinit && compinit -u -D; echo rea''dy\n", "ready"),
                                 ("earmark --pl\t\t", "pause what plays")):
                os.write(ours, line.encode())
                said = read_until(ours, wanted)
        finally:
            process.kill()
            process.wait()
            os.close(ours)
    return said


def read_until(terminal, wanted):
    """Returns the output up to WANTED, or that of half a minute."""
    said, end = "", time.monotonic() + 30
    while wanted not in said and (left := end - time.monotonic()) > 0:
        if select.select([terminal], [], [], left)[0]:
            try:
                said += os.read(terminal, 4096).decode(errors="replace")
            except OSError:
                break
    return said


def check(manual):
    """Returns the warnings of an installed formatter about the page, or None."""
    for command in (["mandoc", "-T", "lint", "-W", "warning"], ["groff", "-ww", "-mdoc", "-z", "-Tutf8"]):
        if shutil.which(command[0]):
            done = subprocess.run([*command, manual], capture_output=True, text=True)
            return done.stdout + done.stderr
    return None


def main():
    wanted = in_help()
    results = [(f"the help has options ({len(wanted)})", len(wanted) > 15 and "--play-pause" in wanted, "")]
    for name, found in ("manual page", in_manual()), ("completion for bash", in_bash()), ("completion for zsh", in_zsh()):
        results.append((f"the {name} has all of them, and no other", found == wanted, f"{found ^ wanted}"))
    words = completes()
    results.append(("bash completes" + (" # SKIP no bash" if words is None else ""), words in (None, ["--play-pause", "--play"]), words))
    said = completes_in_zsh()
    results.append(("zsh completes" + (" # SKIP no zsh" if said is None else ""),
                    said is None or "--play-pause" in said and "pause what plays" in said, repr(said)))
    said = check(DATA / "earmark.1")
    results.append(("the manual page is well-formed" + (" # SKIP neither mandoc nor groff" if said is None else ""), not said, said))
    print(f"1..{len(results)}")
    for number, (name, well, why) in enumerate(results, 1):
        print(f"{'ok' if well else 'not ok'} {number} {name}")
        if not well:
            print(f"# {why}")
    return 0 if all(well for _, well, _ in results) else 1


if __name__ == "__main__":
    sys.exit(main())
