# SPDX-License-Identifier: GPL-3.0-or-later
"""A web browser that opens nothing, and records the addresses it is given."""

import shlex

SCHEMES = ("x-scheme-handler/http", "x-scheme-handler/https")


class Browser:
    """The default browser of PROFILE; to be made before the app starts."""

    def __init__(self, profile):
        self.asked = profile.folder / "asked"
        program = profile.folder / "browser"
        program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$1" >>{shlex.quote(str(self.asked))}\n')
        program.chmod(0o755)
        applications = profile.folder / "data" / "applications"
        applications.mkdir()
        (applications / "browser.desktop").write_text(
            f"[Desktop Entry]\nType=Application\nName=Browser\nExec={program} %u\nMimeType={';'.join(SCHEMES)};\n")
        defaults = "".join(f"{scheme}=browser.desktop\n" for scheme in SCHEMES)
        (profile.folder / "config" / "mimeapps.list").write_text(f"[Default Applications]\n{defaults}")

    def opened(self):
        """The addresses that were opened, in their order."""
        return self.asked.read_text().splitlines() if self.asked.exists() else []
