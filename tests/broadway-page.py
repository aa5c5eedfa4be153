#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""broadway-page.py PORT SOCKET: serves on PORT of this machine the web page of the gtk4-broadwayd that listens on
SOCKET, and fixes a bug of its script (GTK 4.18): its events for a released button have no button in their state, so
GTK sends all later pointer events to the widget that was pressed first."""

import asyncio
import sys

SCRIPT = b"/broadway.js"
# The state is the one before the event. A script without the bug sets the same bit.
MEND = b"""
var earmarkSendInput = sendInput;
sendInput = function (command, values) {
    if (command == BROADWAY_EVENT_BUTTON_RELEASE) {
        values = values.slice();
        values[6] |= getButtonMask(values[7]);
    }
    return earmarkSendInput(command, values);
};
"""


async def forward(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()


async def send_mended(reader, writer):
    """The daemon sends the length of its response, and leaves the connection open."""
    head = await reader.readuntil(b"\r\n\r\n")
    lines = head.rstrip(b"\r\n").split(b"\r\n")
    length = next((int(line.split(b":")[1]) for line in lines if line.lower().startswith(b"content-length:")), None)
    script = await (reader.readexactly(length) if length is not None else reader.read()) + MEND
    lines = [line for line in lines if not line.lower().startswith((b"content-length:", b"connection:"))]
    writer.write(b"\r\n".join([*lines, b"Content-Length: %d" % len(script), b"Connection: close", b"", script]))
    await writer.drain()
    writer.close()


async def main(port, socket):
    async def answer(reader, writer):
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            page_reader, page_writer = await asyncio.open_unix_connection(socket)
            page_writer.write(head)
            if head.split()[1] == SCRIPT:
                await send_mended(page_reader, writer)
                page_writer.close()
            else:
                await asyncio.gather(forward(reader, page_writer), forward(page_reader, writer))
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            writer.close()
    async with await asyncio.start_server(answer, "127.0.0.1", port) as server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), sys.argv[2]))
