#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the benchmark itself on minimal data, and checks that it prints every figure."""

import json
import pathlib
import subprocess
import sys
import tempfile

MEMBERS = """startup_ms startup_floor_ms startup_cpu_ratio startup_pss_mb startup_pss_floor_mb fetch_50x200_s
found_50x200_s indexed_50x200_s fetch_200x500_s found_200x500_s indexed_200x500_s fetch_peak_mb
refresh_304_s refresh_304_transactions
search_first_p95_ms search_ranked_p95_ms longest_stall_ms held_up_ms
page_change_p95_ms click_p95_ms notes_1mb_ms notes_floor_ms
provider_running_p95_ms provider_running_floor_ms provider_started_ms provider_started_floor_ms
play_cpu_hidden_ratio play_cpu_shown_ratio play_filters_ratio
sound_streamed_ms sound_streamed_floor_ms sound_streamed_ratio
sound_file_ms sound_file_floor_ms sound_file_ratio sound_next_ms sound_seam_ms sound_seam_floor_ms
random_apart_ms idle_wakeups_s idle_pss_mb idle_pss_floor_mb parse_mb_s sax_floor_mb_s
catalogue_bytes_ratio""".split()


def main():
    print("1..2")
    with tempfile.TemporaryDirectory(prefix="earmark-bench.") as folder:
        path = pathlib.Path(folder) / "figures.json"
        run = pathlib.Path(__file__).parent / "run"
        done = subprocess.run([sys.executable, run, "--tiny", "--json", path, "--folder", folder], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        for line in done.stdout.splitlines():
            print(f"# {line}")
        print("ok" if done.returncode == 0 else "not ok", "1 everything can be measured")
        figures = json.loads(path.read_text()) if path.exists() else {}
        right = list(figures) == MEMBERS and all(isinstance(value, (int, float)) and value >= 0 for value in figures.values())
        print("ok" if right else "not ok", "2 every figure is told")
        sys.exit(0 if right and done.returncode == 0 else 1)


main()
