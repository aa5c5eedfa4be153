# SPDX-License-Identifier: GPL-3.0-or-later
# Makes a Debian root with mmdebstrap, and enters it with bubblewrap. ../dev sources this file and defines
# the variables src, cache, prefix, program_path and languages.
# shellcheck shell=bash disable=SC2154

# root_of SUITE PACKAGE...: prints the folder of that root; its name changes with the list
root_of() {
  local hash
  hash=$(printf '%s\n' "1 $languages" "$@" | sha256sum)
  echo "$cache/root-$1-${hash:0:12}"
}

# Prints the progress of mmdebstrap, from the output of apt and dpkg.
root_progress() {
  LC_ALL=C awk '/^Get:/ { fetched++ }
    / newly installed/ && !seen[$0]++ { for (i = 2; i <= NF; i++) if ($i == "newly") total += $(i - 1) }
    /^Unpacking / { unpacked++ }
    /^Setting up / { ready++ }
    END { printf "fetched %d, unpacked %d, set up %d of %d packages", fetched, unpacked, ready, total }' "$1"
}

# Sets the array options to the options of mmdebstrap. $1 in the hooks is the root being made.
# shellcheck disable=SC2016,SC2054
root_options() {
  local of=$1 mode=$2 format=$3 language name; shift 3
  options=(--verbose "--mode=$mode" --variant=apt "--format=$format"
    "--include=$(tr -s ' \n' ',' <<<"$*" | sed 's/,*$//')"
    --aptopt='APT::Install-Recommends "false"' --aptopt='Acquire::Languages "none"'
    --aptopt='Acquire::Retries "3"' --aptopt='APT::Sandbox::User "root"' --dpkgopt='force-unsafe-io'
    --dpkgopt='path-include=/usr/share/locale/locale.alias'
    --skip=download/empty,essential/unlink,cleanup/apt
    # Fetched packages are kept in the cache for the next root.
    --setup-hook='mkdir -p "$1/var/cache/apt/archives"'
    "--setup-hook=sync-in '$cache/apt' /var/cache/apt/archives"
    "--customize-hook=sync-out /var/cache/apt/archives '$cache/apt'"
    --customize-hook='chroot "$1" apt-get clean; rm -rf "$1"/var/lib/apt/lists/*')
  for name in doc man gtk-doc locale; do options+=(--dpkgopt="path-exclude=/usr/share/$name/*"); done
  # Targets of the mounts of this system's files have to exist.
  for name in hosts resolv.conf passwd group; do
    options+=("--customize-hook=test -f \"\$1/etc/$name\" || { rm -f \"\$1/etc/$name\"; : >\"\$1/etc/$name\"; }")
  done
  for language in $languages; do
    options+=(--dpkgopt="path-include=/usr/share/locale/${language%_*}/*"
      "--customize-hook=! test -d \"\$1/usr/share/i18n\" || chroot \"\$1\" localedef -i $language -f UTF-8 $language.UTF-8")
  done
  # A mirror of sid may be some weeks old, which is good enough to build against.
  [ "$of" != sid ] || options+=(--aptopt='Acquire::Check-Valid-Until "false"')
}

# make_root SUITE ROOT PACKAGE...
make_root() {
  local of=$1 root=$2 mode=root target=$2.tmp format=directory progress rc=0 log=$2.log options=(); shift 2
  # A user makes it through a tar stream, so that all files belong to the user, and rm -rf works.
  [ "$(id -u)" = 0 ] || { mode=unshare; target=-; format=tar; }
  root_options "$of" "$mode" "$format" "$@"
  rm -rf "$root.tmp"
  mkdir -p "$cache/apt" "$root.tmp"
  : >"$log"
  show_progress "$log" root_progress & progress=$!
  mmdebstrap "${options[@]}" "$of" "$target" 2>"$log" |
    if [ $format = tar ]; then tar -x --no-same-owner -C "$root.tmp" --exclude='./dev/*'; else cat >&2; fi || rc=$?
  end_progress $progress
  if [ $rc != 0 ]; then
    tail -n 15 "$log" >&2
    return 1
  fi
  tr -d - </proc/sys/kernel/random/uuid >"$root.tmp/etc/machine-id"
  touch "$root.tmp/.ready"
  mv "$root.tmp" "$root"
}

# have_root SUITE ROOT PACKAGE...: makes the root unless it exists
have_root() {
  local of=$1 root=$2 rc=0
  [ ! -e "$root/.ready" ] || return 0
  if command -v apt-get >/dev/null; then
    install_packages mmdebstrap bubblewrap uidmap
  elif ! command -v mmdebstrap >/dev/null || ! command -v bwrap >/dev/null; then
    die "mmdebstrap and bubblewrap are needed to make the Debian root" "install these two packages, then try again"
  fi
  mkdir -p "$cache"
  exec 9>"$cache/lock"
  flock 9
  if [ ! -e "$root/.ready" ]; then
    say "making a Debian $of root in $root (once; about a minute and 400 MB to fetch)"
    make_root "$@" || rc=$?
  fi
  exec 9>&-
  [ $rc = 0 ] || die "failed: mmdebstrap $of (all it said: $root.log)" \
    "check the network and the free space, then run the same command again: what was fetched is kept"
}

# in_root MODE COMMAND...: replaces this process by COMMAND in the root.
# MODE private: without the user's session. MODE user: with its display, bus and sound.
in_root() {
  local mode=$1 runtime=/run/user/$UID arguments=() before=(); shift
  mkdir -p "$cache/home" "$cache/ccache"
  root_mounts
  # bwrap started by root covers parts of /proc, which keeps a bwrap inside it (flatpak) from mounting its own.
  # Only in this case, because unshare cannot be ended by a signal.
  if [ "$UID" = 0 ] && [ -n "${EARMARK_NESTED:-}" ]; then
    before=(unshare --pid --fork --kill-child --mount-proc)
    arguments+=(--dev-bind /proc /proc)
  else
    arguments+=(--unshare-pid --proc /proc)
  fi
  root_environment
  [ "$mode" != user ] || share_session
  exec "${before[@]}" bwrap "${arguments[@]}" "$@"
}

# Sets the array arguments to the mounts of the root.
root_mounts() {
  local dir shared where=$src
  # With an empty / the source tree can have the same path as outside.
  arguments=(--tmpfs / --ro-bind "$root/usr" /usr --ro-bind "$root/etc" /etc --ro-bind "$root/var" /var
    --symlink usr/bin /bin --symlink usr/sbin /sbin --symlink usr/lib /lib --symlink usr/lib64 /lib64
    --dev /dev --perms 1777 --tmpfs /tmp --tmpfs /run --perms 1777 --tmpfs /var/tmp --dir /run/lock
    --perms 0700 --dir "$runtime" --die-with-parent
    --ro-bind-try /etc/resolv.conf /etc/resolv.conf --ro-bind-try /etc/hosts /etc/hosts
    --ro-bind-try /etc/passwd /etc/passwd --ro-bind-try /etc/group /etc/group
    # A home of its own: no program in the root reads or writes the user's files.
    --bind "$cache/home" "$HOME" --bind "$cache/ccache" "$cache/ccache" --bind "$src" "$src")
  if [ -d "$src/../shared" ]; then
    shared=$(readlink -f "$src/../shared")
    arguments+=(--ro-bind "$shared" "$shared")
  fi
  case $PWD/ in "$src"/*) where=$PWD ;; esac
  for dir in ${EARMARK_BIND:-}; do
    dir=$(readlink -f "$dir")
    arguments+=(--bind "$dir" "$dir")
    case $PWD/ in "$dir"/*) where=$PWD ;; esac
  done
  arguments+=(--chdir "$where")
}

# Adds the root's few environment variables, and those that control the tools.
root_environment() {
  local variable
  arguments+=(--clearenv --setenv PATH "$program_path:/usr/bin:/usr/sbin" --setenv HOME "$HOME"
    --setenv USER "${USER:-user}" --setenv TERM "${TERM:-dumb}" --setenv LANG "$(root_language)"
    --setenv XDG_RUNTIME_DIR "$runtime" --setenv XDG_DATA_DIRS "$prefix/share:/usr/local/share:/usr/share"
    --setenv CCACHE_DIR "$cache/ccache" --setenv GST_REGISTRY "$HOME/.gstreamer-${root##*-}.bin")
  while read -r variable; do
    case $variable in
      G_* | GTK_* | GDK_* | GSK_* | ADW_* | GST_* | SOUP_* | EARMARK_* | EAR_* | MESON* | NINJA* | CC | CFLAGS | LDFLAGS | \
        ASAN_* | UBSAN_* | LSAN_* | TSAN_* | FLATPAK_* | CCACHE_* | CI | LANGUAGE | LC_ALL | TEST_*)
        arguments+=(--setenv "$variable" "${!variable}") ;;
    esac
  done < <(compgen -e)
  arguments+=(--setenv EARMARK_ROOT "$root")
}

root_language() {
  local language=${LANG:-C}
  language=${language%%.*}
  case " $languages " in
    *" $language "*) echo "$language.UTF-8" ;;
    *) echo C.UTF-8 ;;
  esac
}

# Adds the user's display, session bus and sound to the arguments of in_root.
share_session() {
  local from=${XDG_RUNTIME_DIR:-/run/user/$UID} socket bus authority=${XAUTHORITY:-$HOME/.Xauthority} zone
  arguments+=(--dev-bind-try /dev/dri /dev/dri --dev-bind-try /dev/snd /dev/snd)
  if [ -n "${DISPLAY:-}" ]; then
    arguments+=(--setenv DISPLAY "$DISPLAY" --ro-bind-try /tmp/.X11-unix /tmp/.X11-unix)
    [ ! -e "$authority" ] || arguments+=(--ro-bind "$authority" "$runtime/Xauthority" --setenv XAUTHORITY "$runtime/Xauthority")
  fi
  [ -z "${WAYLAND_DISPLAY:-}" ] || arguments+=(--setenv WAYLAND_DISPLAY "$WAYLAND_DISPLAY")
  case ${WAYLAND_DISPLAY:-} in /*) arguments+=(--bind-try "$WAYLAND_DISPLAY" "$WAYLAND_DISPLAY") ;; esac
  for socket in "${WAYLAND_DISPLAY:-wayland-0}" bus pulse pipewire-0 at-spi dconf; do
    [ ! -e "$from/$socket" ] || arguments+=(--bind "$from/$socket" "$runtime/$socket")
  done
  bus=${DBUS_SESSION_BUS_ADDRESS:-unix:path=$from/bus}
  case $bus in
    "unix:path=$from/bus"*) [ ! -e "$from/bus" ] || arguments+=(--setenv DBUS_SESSION_BUS_ADDRESS "unix:path=$runtime/bus") ;;
    unix:path=*)
      bus=${bus#unix:path=}
      arguments+=(--bind "${bus%%,*}" "$runtime/bus" --setenv DBUS_SESSION_BUS_ADDRESS "unix:path=$runtime/bus") ;;
    *) arguments+=(--setenv DBUS_SESSION_BUS_ADDRESS "$bus") ;;
  esac
  [ -z "${PULSE_SERVER:-}" ] || arguments+=(--setenv PULSE_SERVER "$PULSE_SERVER")
  zone=$(readlink -f /etc/localtime 2>/dev/null || true)
  case $zone in */zoneinfo/*) arguments+=(--setenv TZ ":${zone#*/zoneinfo/}") ;; esac
  for socket in http_proxy https_proxy all_proxy no_proxy; do
    [ -z "${!socket:-}" ] || arguments+=(--setenv "$socket" "${!socket}")
  done
}
