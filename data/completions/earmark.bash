# SPDX-License-Identifier: CC0-1.0
_earmark() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local options='--play-pause --play --pause --next --previous --next-chapter --previous-chapter --seek --speed --bookmark
    --sleep --status --json --refresh --sync --add --import --export --force --with-private --statistics --reading-list --quit --help --version'

  COMPREPLY=()
  case $previous in
    --seek) mapfile -t COMPREPLY < <(compgen -W '+ - +30 -10' -- "$current") ;;
    --speed) mapfile -t COMPREPLY < <(compgen -W '0.75 1 1.25 1.5 1.75 2' -- "$current") ;;
    --sleep) mapfile -t COMPREPLY < <(compgen -W '15 30 45 60 episode chapter off' -- "$current") ;;
    --add) ;;
    *)
      if [[ $current == -* && $previous != --import && $previous != --export ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
      else
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
      fi ;;
  esac
}
complete -F _earmark earmark
