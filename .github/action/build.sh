#!/usr/bin/env bash
# Builds mastor from the source that this commit of the action is, where no release of it is listed, unless the cache had brought what an earlier run built.
# Reads FOLDER and the runner's own variables; gives the outputs `path` and, where it built, `built`.
set -euo pipefail

root="$(cd "${BASH_SOURCE[0]%/*}/../.." && pwd)"
extension=""
[ "$RUNNER_OS" != Windows ] || extension=.exe
mastor="$FOLDER/mastor$extension"

if [ -f "$mastor" ] && "$mastor" --version; then
  echo "taken from the cache, where an earlier run has put what it built"
else
  # Not in the checkout of the pull request: cargo would read settings there.
  cd "$root"
  if [ -z "${RUSTUP_TOOLCHAIN:-}" ] && command -v rustup >/dev/null; then
    RUSTUP_TOOLCHAIN="$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml)"
    export RUSTUP_TOOLCHAIN
    rustup toolchain install "$RUSTUP_TOOLCHAIN" --profile minimal
  fi
  # `mastor init` names this repository in the workflow that it writes.
  [ -z "${GITHUB_ACTION_REPOSITORY:-}" ] || export MASTOR_REPOSITORY="$GITHUB_ACTION_REPOSITORY"
  target="$(mktemp -d "${RUNNER_TEMP:?}/mastor-target.XXXXXX")"
  cargo build --locked --release --bin mastor --target-dir "$target" || {
    echo "::error title=mastor::it could not be built from its source; use the commit of a release's tag, or the input binary"
    exit 2
  }
  mkdir -p "$FOLDER"
  cp "$target/release/mastor$extension" "$mastor"
  rm -r "$target"
  "$mastor" --version
  echo "built=true" >>"$GITHUB_OUTPUT"
fi
echo "$FOLDER" >>"$GITHUB_PATH"
echo "path=$mastor" >>"$GITHUB_OUTPUT"
