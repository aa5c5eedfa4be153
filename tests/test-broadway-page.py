#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The web page that shows Earmark on machines without a display."""

import contextlib
import http.client
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time

PAGE = pathlib.Path(__file__).with_name("broadway-page.py")
DEADLINE = 60


def wait_until(what, condition):
    end = time.monotonic() + DEADLINE
    while not condition():
        assert time.monotonic() < end, f"never happened: {what}"
        time.sleep(0.02)


def find_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def answers(port):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
        return True
    return False


@contextlib.contextmanager
def served():
    """Runs the daemon and its page; yields the page's port."""
    port = find_port()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "page"
        # Each display number can be used once per folder of sockets.
        environment = {"XDG_RUNTIME_DIR": folder, "PATH": "/usr/bin:/bin"}
        processes = [subprocess.Popen([shutil.which("gtk4-broadwayd"), "--unixsocket", path, ":7"], env=environment,
                                      stdout=subprocess.DEVNULL),
                     subprocess.Popen([sys.executable, PAGE, str(port), path])]
        try:
            wait_until("the daemon listens", path.exists)
            wait_until("the page is served", lambda: answers(port))
            yield port
        finally:
            for process in processes:
                process.kill()
                process.wait()


def get(port, path):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=DEADLINE)
    connection.request("GET", path)
    response = connection.getresponse()
    return response.status, response.read().decode()


def is_mended():
    """A released button is in the state of its event: the script has the functions, and the fix is behind them."""
    with served() as port:
        status, script = get(port, "/broadway.js")
        assert status == 200, status
        for name in ("function sendInput(", "function getButtonMask", "BROADWAY_EVENT_BUTTON_RELEASE"):
            assert name in script, f"the script has no {name}"
        release = next(line for line in script.splitlines() if "sendInput" in line and "BUTTON_RELEASE" in line)
        values = [value.strip() for value in release.split("[")[1].split("]")[0].split(",")]
        assert values[6:] == ["lastState", "button"], f"the state is elsewhere: {values}"
        assert script.index("function sendInput(") < script.index("values[6] |= getButtonMask(values[7])")


def is_passed_on():
    """All else comes from the daemon: the page, and the socket for input and pictures."""
    with served() as port:
        status, page = get(port, "/")
        assert status == 200 and "broadway.js" in page, (status, page)
        with socket.create_connection(("127.0.0.1", port), DEADLINE) as way:
            way.sendall(f"GET /socket HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nConnection: Upgrade\r\n"
                        "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                        "Sec-WebSocket-Protocol: broadway\r\n\r\n".encode())
            answer = way.recv(4096)
            assert b" 101 " in answer.split(b"\r\n")[0], answer
            assert b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" in answer, answer


def main():
    cases = [is_mended, is_passed_on]
    if shutil.which("gtk4-broadwayd") is None:
        print("1..0 # SKIP there is no gtk4-broadwayd")
        return
    print(f"1..{len(cases)}")
    for number, case in enumerate(cases, 1):
        case()
        print(f"ok {number} {case.__name__}", flush=True)


if __name__ == "__main__":
    main()
