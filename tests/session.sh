#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# session.sh KIND COMMAND [ARGS]: runs COMMAND in a session of its own.
#   KIND plain     folders of its own, no display, no bus; the displayless tests
#   KIND x11       Xvfb: takes synthetic clicks and keys (xdotool); the display tests
#   KIND wayland   weston in Xvfb: draws as a desktop does; the pictures
#   KIND display   the user's own display, folders and sound, and a bus if there is none
#   KIND broadway  a web page as the display, with the user's own folders, and bus and sound if they
#                  exist: for a machine without a display
# The other kinds touch nothing of the user's: a session bus, a sound server with a silent sink and the
# XDG folders are made for COMMAND and removed after it.
# EARMARK_SCREEN=WxH sets the size of the display (1280x800), EARMARK_PORT the web page's port (8085).
# shellcheck disable=SC2317
set -euo pipefail

kind=$1; shift
size=${EARMARK_SCREEN:-1280x800}
dir=$(mktemp -d "${TMPDIR:-/tmp}/earmark-session.XXXXXX")
log=$dir/log
pids=()

finish() {
  local pid
  trap '' INT TERM
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait "${pids[@]}" 2>/dev/null || true
  rm -rf "$dir"
}
trap finish EXIT
trap 'exit 143' TERM
trap 'exit 130' INT

# wait_for NAME TEST...: waits until TEST succeeds, for up to a minute, as a busy disk delays any start
wait_for() {
  local name=$1 i; shift
  for ((i = 0; i < 3000; i++)); do
    if "$@"; then return; fi
    sleep 0.02
  done
  echo "session: $name did not start; what it said:" >&2
  cat "$log".* >&2 || true
  exit 1
}

start_sound() {
  if command -v pulseaudio >/dev/null; then
    pulseaudio -n --daemonize=no --exit-idle-time=-1 --use-pid-file=no "--log-target=file:$log.pulse" \
      -L "module-native-protocol-unix socket=$dir/pulse auth-anonymous=1" \
      -L "module-null-sink sink_name=test rate=48000" >"$log.pulseaudio" 2>&1 &
    pids+=($!)
  else
    start_pipewire
  fi
  wait_for "the sound server" test -S "$dir/pulse"
  export PULSE_SERVER=unix:$dir/pulse
}

# Without PulseAudio: an instance of PipeWire with a silent sink.
start_pipewire() {
  local config=$dir/pipewire program
  mkdir -p "$config/pipewire.conf.d" "$config/pipewire-pulse.conf.d"
  cat >"$config/pipewire.conf.d/sink.conf" <<'CONF'
context.objects = [ { factory = adapter args = {
  factory.name = support.null-audio-sink node.name = test media.class = Audio/Sink
  audio.position = [ FL FR ] audio.rate = 48000 object.linger = true } } ]
CONF
  echo "pulse.properties = { server.address = [ \"unix:$dir/pulse\" ] }" >"$config/pipewire-pulse.conf.d/socket.conf"
  for program in pipewire wireplumber pipewire-pulse; do
    XDG_CONFIG_HOME=$dir DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent $program >"$log.$program" 2>&1 &
    pids+=($!)
    [ $program != pipewire ] || wait_for pipewire test -S "$XDG_RUNTIME_DIR/pipewire-0"
  done
}

start_x11() {
  # A fresh /tmp lacks the folder for locks and sockets.
  mkdir -p /tmp/.X11-unix
  chmod 1777 /tmp/.X11-unix 2>/dev/null || true
  # -r: keys do not repeat while the program that presses them waits for a processor before releasing them.
  Xvfb -r -displayfd 8 -screen 0 "${size}x24" -nolisten tcp -noreset >"$log.xvfb" 2>&1 8>"$dir/display" &
  pids+=($!)
  wait_for "Xvfb" test -s "$dir/display"
  DISPLAY=:$(cat "$dir/display")
  export DISPLAY GDK_BACKEND=x11 XDG_SESSION_TYPE=x11
  unset WAYLAND_DISPLAY
}

# Runs in a hidden X server: weston's headless backend has no seat, and without one GTK opens no menu.
start_wayland() {
  start_x11
  # Without --debug weston refuses the screenshot client as unauthorized.
  weston --backend=x11 --renderer=pixman --debug --no-config --idle-time=0 --socket=earmark-0 \
    --width="${size%x*}" --height="${size#*x}" >"$log.weston" 2>&1 &
  pids+=($!)
  wait_for "weston" test -S "$XDG_RUNTIME_DIR/earmark-0"
  wait_for "weston's window" grep -aq 'window id' "$log.weston"
  # Moves the pointer to weston's panel, away from all windows.
  xdotool mousemove 3 3
  # The display for xdotool, for pictures with the pointer at a widget
  export EARMARK_POINTER=$DISPLAY
  export WAYLAND_DISPLAY=earmark-0 GDK_BACKEND=wayland XDG_SESSION_TYPE=wayland
  unset DISPLAY
}

# With Broadway GTK draws into a web page on this machine.
start_broadway() {
  local port=${EARMARK_PORT:-8085}
  while (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do port=$((port + 1)); done
  gtk4-broadwayd --unixsocket "$dir/page" :5 >"$log.broadway" 2>&1 &
  pids+=($!)
  wait_for "gtk4-broadwayd" test -S "$dir/page"
  "$(dirname "$0")/broadway-page.py" "$port" "$dir/page" >"$log.page" 2>&1 &
  pids+=($!)
  wait_for "the web page" bash -c ": 3<>/dev/tcp/127.0.0.1/$port" 2>/dev/null
  # GSK_RENDERER makes the server abort. Broadway has no AT-SPI: without GTK_A11Y=none GTK ends the
  # program when it announces something.
  unset DISPLAY WAYLAND_DISPLAY GSK_RENDERER
  export GDK_BACKEND=broadway BROADWAY_DISPLAY=:5 GTK_A11Y=none
  cat >&2 <<SAY
==> there is no display here: Earmark is on a virtual one
    open  http://127.0.0.1:$port/  in a web browser on this machine to see and use it
    (from another machine first: ssh -L $port:127.0.0.1:$port THIS-MACHINE); Ctrl+C ends it
SAY
}

start_bus() {
  # Started last: the services that the bus starts (AT-SPI) inherit the display.
  dbus-daemon --session --nofork --nopidfile --print-address=9 9>"$dir/bus" >"$log.bus" 2>&1 &
  pids+=($!)
  wait_for "the session bus" test -s "$dir/bus"
  DBUS_SESSION_BUS_ADDRESS=$(cat "$dir/bus")
  export DBUS_SESSION_BUS_ADDRESS
  [ "$kind" != display ] || return 0
  # flatpak run asks parental controls on the system bus, and fails without any bus.
  export DBUS_SYSTEM_BUS_ADDRESS=$DBUS_SESSION_BUS_ADDRESS
}

has_bus() { [ -n "${DBUS_SESSION_BUS_ADDRESS:-}" ] || [ -S "${XDG_RUNTIME_DIR:-/nonexistent}/bus" ]; }

own_folders() {
  local name
  export XDG_RUNTIME_DIR=$dir/run
  mkdir -m 700 "$XDG_RUNTIME_DIR"
  for name in data config cache state; do
    mkdir "$dir/$name"
    export "XDG_${name^^}_HOME=$dir/$name"
  done
  unset DISPLAY WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS PULSE_SERVER
  export GSETTINGS_BACKEND=keyfile XDG_CURRENT_DESKTOP=GNOME GTK_A11Y=${GTK_A11Y:-atspi} \
    GSK_RENDERER=${GSK_RENDERER:-cairo} LIBGL_ALWAYS_SOFTWARE=1 GDK_DEBUG=${GDK_DEBUG:-no-portals}
}

case $kind in
  plain)
    own_folders
    # An address without a bus: GLib would start a bus if there were no address.
    export DBUS_SESSION_BUS_ADDRESS=unix:path=$dir/no-bus ;;
  x11 | wayland)
    own_folders
    "start_$kind"
    start_sound
    start_bus ;;
  display) has_bus || start_bus ;;
  broadway)
    if [ ! -w "${XDG_RUNTIME_DIR:-/nonexistent}" ]; then
      export XDG_RUNTIME_DIR=$dir/run
      mkdir -m 700 "$XDG_RUNTIME_DIR"
    fi
    [ -n "${PULSE_SERVER:-}" ] || [ -S "$XDG_RUNTIME_DIR/pulse/native" ] || start_sound
    has_bus || start_bus
    start_broadway ;;
  *) echo "session: no such kind: $kind" >&2; exit 2 ;;
esac

rc=0
"$@" || rc=$?
exit "$rc"
