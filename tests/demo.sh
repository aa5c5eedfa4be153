#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# demo.sh PROGRAM [ARGS]: runs PROGRAM, the app, without internet, in a profile that is deleted at the end.
# Its first start follows the demo podcast, which a server on this machine serves.
set -euo pipefail

app_id=io.github.earmark_app.Earmark.Devel
dir=$(mktemp -d "${TMPDIR:-/tmp}/earmark-demo.XXXXXX")
server=

# shellcheck disable=SC2317
finish() {
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  rm -rf "$dir"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# A second start would only show the window of the first, which has another profile.
if [ "$(gdbus call --session --dest org.freedesktop.DBus --object-path / \
  --method org.freedesktop.DBus.NameHasOwner $app_id 2>/dev/null)" = "(true,)" ]; then
  echo "demo: Earmark is running already; quit it, then start the demo again" >&2
  exit 1
fi

earmark-test-server --demo --port-file "$dir/address" >"$dir/server.log" 2>&1 &
server=$!
for ((i = 0; i < 500; i++)); do
  [ ! -s "$dir/address" ] || break
  if ! kill -0 "$server" 2>/dev/null; then break; fi
  sleep 0.02
done
if [ ! -s "$dir/address" ]; then
  echo "demo: the demo server did not start; what it said:" >&2
  cat "$dir/server.log" >&2
  exit 1
fi
address=$(cat "$dir/address")
feed=${address%/}/demo/feed.xml

for name in data config cache state; do
  mkdir "$dir/$name"
  export "XDG_${name^^}_HOME=$dir/$name"
done
cat >"$dir/welcome.opml" <<OPML
<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0">
  <head><title>Demo</title></head>
  <body><outline type="rss" text="Demo" xmlUrl="$feed"/></body>
</opml>
OPML
export EARMARK_WELCOME=$dir/welcome.opml GSETTINGS_BACKEND=keyfile
echo "==> the demo podcast is served at $feed; the profile is thrown away at the end" >&2
rc=0
"$@" || rc=$?
exit "$rc"
