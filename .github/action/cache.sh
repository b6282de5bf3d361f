#!/usr/bin/env bash
# Names the cache of this run, so that a new run finds the newest of its branch, then of the branch it goes to, then of the default branch.
# Reads WORKING_DIRECTORY, DEFAULT_BRANCH, SHARD and the runner's own variables; gives the outputs `path`, `key` and `restore-keys`.
set -euo pipefail

# Sixteen digits for any text: a branch's name may hold what a key may not, and may begin with another's.
digest() {
  printf '%s' "$1" | if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi | cut -c 1-16
}

root="$(git -C "$WORKING_DIRECTORY" rev-parse --show-toplevel 2>/dev/null)" || root="$WORKING_DIRECTORY"
cache="$root/.mastor/cache"
# A path from the workspace is the same on every runner, and so finds what another one saved.
cache="${cache#"$GITHUB_WORKSPACE/"}"

prefix="mastor-1-$RUNNER_OS-$RUNNER_ARCH-$(digest "$cache")"
own="$prefix-$(digest "${GITHUB_HEAD_REF:-$GITHUB_REF_NAME}")"
{
  # What is written down of running processes is of this machine alone. Only what a pattern names itself can be left out of it: hence the star.
  printf 'path<<END_OF_PATHS\n%s/*\n!%s/service\nEND_OF_PATHS\n' "$cache" "$cache"
  # Shards of one run keep one cache each.
  echo "key=$own-$GITHUB_RUN_ID-$GITHUB_RUN_ATTEMPT${SHARD:+-$(digest "$SHARD")}"
  echo "restore-keys<<END_OF_KEYS"
  echo "$own-"
  for branch in "${GITHUB_BASE_REF:-}" "${DEFAULT_BRANCH:-}"; do
    [ -z "$branch" ] || echo "$prefix-$(digest "$branch")-"
  done
  echo "END_OF_KEYS"
} >>"$GITHUB_OUTPUT"
