#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures a file with FFmpeg's ebur128, which is independent of Earmark: ebur128.py FILE

Prints the integrated loudness in LUFS and the true peak in dBFS. Calls FFmpeg's library,
which is installed with GStreamer's plugin for it; FFmpeg's program may be missing. Exits
with 77 if the library is missing."""

import ctypes
import ctypes.util
import os
import re
import subprocess
import sys

ABSENT = 77


def run_graph(path):
    """Makes libavfilter read the file and print its measurement on standard error."""
    library = ctypes.CDLL(ctypes.util.find_library("avfilter"))
    library.avfilter_graph_alloc.restype = ctypes.c_void_p
    graph = ctypes.c_void_p(library.avfilter_graph_alloc())
    inputs, outputs = ctypes.c_void_p(), ctypes.c_void_p()
    text = f"amovie={os.fspath(path)},ebur128=peak=true:framelog=verbose,anullsink".encode()
    if library.avfilter_graph_parse_ptr(graph, text, ctypes.byref(inputs), ctypes.byref(outputs), None) < 0:
        sys.exit(1)
    if library.avfilter_graph_config(graph, None) < 0:
        sys.exit(1)
    while library.avfilter_graph_request_oldest(graph) >= 0:
        pass
    library.avfilter_graph_free(ctypes.byref(graph))


def is_there():
    return ctypes.util.find_library("avfilter") is not None


def measure(path):
    """Returns the integrated loudness (LUFS) and the true peak (dBFS)."""
    done = subprocess.run([sys.executable, __file__, "--graph", path], capture_output=True, text=True, check=False)
    loudness = re.findall(r"I:\s+(-?[0-9.]+|-inf) LUFS", done.stderr)
    peak = re.findall(r"Peak:\s+(-?[0-9.]+|-inf) dBFS", done.stderr)
    if done.returncode != 0 or not loudness or not peak:
        raise RuntimeError(f"ebur128 of {path}: {done.returncode}\n{done.stderr}")
    return float(loudness[-1]), float(peak[-1])


if __name__ == "__main__":
    if sys.argv[1] == "--graph":
        run_graph(sys.argv[2])
    elif is_there():
        print(*measure(sys.argv[1]))
    else:
        sys.exit(ABSENT)
