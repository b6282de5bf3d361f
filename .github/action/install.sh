#!/usr/bin/env bash
# Puts a mastor for this runner on the PATH: a release of the table beside this file, whose SHA-256 must be the one that stands there, or the file that BINARY names.
# Where the table has none and VERSION asks for none, it says so and leaves it to build.sh: then the outputs are `key` and `folder`, of the cache.
# Reads VERSION, BINARY and the runner's own variables; gives the output `path`, or those two.
set -euo pipefail

fail() {
  echo "::error title=mastor::$1"
  exit 2
}

sha256() {
  if command -v sha256sum >/dev/null; then sha256sum <"$1"; else shasum -a 256 <"$1"; fi | cut -d ' ' -f 1
}

extension=""
case "$RUNNER_OS" in
  Linux) system=unknown-linux-musl ;;
  macOS) system=apple-darwin ;;
  Windows) system=pc-windows-msvc extension=.exe ;;
  *) fail "there is no mastor for this operating system" ;;
esac
case "$RUNNER_ARCH" in
  X64) target="x86_64-$system" ;;
  ARM64) target="aarch64-$system" ;;
  *) fail "there is no mastor for this processor: x64 and arm64 are served" ;;
esac

# One digest of all that a build is made of.
sources() {
  cd "${BASH_SOURCE[0]%/*}/../.."
  find Cargo.toml Cargo.lock build.rs src prompts templates examples docs/ci -type f | LC_ALL=C sort | tr '\n' '\0' |
    if command -v sha256sum >/dev/null; then xargs -0 sha256sum; else xargs -0 shasum -a 256; fi >"$folder/sources"
  sha256 "$folder/sources"
}

# There is no release to download: says what comes of it.
build() {
  local digest
  [ -f "${BASH_SOURCE[0]%/*}/../../Cargo.lock" ] || fail "$1, and its source is not here: use the commit of a release's tag, or the input binary"
  command -v cargo >/dev/null || fail "$1, and there is no Rust to build it: use the commit of a release's tag, or the input binary"
  echo "::notice title=mastor::$1: it is built from its source, which takes some minutes once and then comes from the cache"
  digest="$(sources)"
  echo "key=mastor-built-1-$RUNNER_OS-$RUNNER_ARCH-$digest" >>"$GITHUB_OUTPUT"
  # The same place in every run: a cache is found by what it holds.
  echo "folder=$RUNNER_TEMP/mastor-built" >>"$GITHUB_OUTPUT"
  exit 0
}

folder="$(mktemp -d "${RUNNER_TEMP:?}/mastor.XXXXXX")"
mastor="$folder/mastor$extension"

if [ -n "${BINARY:-}" ]; then
  [ -f "$BINARY" ] || fail "the input binary names no file"
  # Its time stays: it tells binaries of one version apart.
  cp -p "$BINARY" "$mastor"
else
  wanted="${VERSION:-}" sum="" url=""
  wanted="${wanted#v}"
  [[ "$wanted" =~ ^[0-9A-Za-z.+-]*$ ]] || fail "the input version is no version"
  while read -r listed_sum listed_version listed_target listed_url; do
    case "$listed_sum" in '' | '#'*) continue ;; esac
    # The newest comes first.
    [ -n "$wanted" ] || wanted="$listed_version"
    if [ "$listed_version" = "$wanted" ] && [ "$listed_target" = "$target" ]; then
      sum="$listed_sum" url="$listed_url"
      break
    fi
  done < <(tr -d '\r' <"${BASH_SOURCE[0]%/*}/checksums.txt")
  [ -n "$wanted" ] || build "this commit of the action knows no release"
  [ -n "$sum" ] || [ -n "${VERSION:-}" ] || build "release $wanted has no binary for $target"
  [ -n "$sum" ] || fail "version $wanted for $target does not stand in this tag's table of checksums"
  cd "$folder"
  curl --fail --silent --show-error --location --proto '=https' --tlsv1.2 --retry 3 --connect-timeout 20 --max-time 600 \
    --output mastor.tar.gz "$url" || fail "version $wanted could not be downloaded"
  [ "$(sha256 mastor.tar.gz)" = "$sum" ] || fail "what was downloaded has another SHA-256 than the table says; it was not unpacked"
  tar -xzf mastor.tar.gz "mastor$extension"
  rm mastor.tar.gz
fi
chmod +x "$mastor"
"$mastor" --version || fail "this mastor does not run on this runner"
echo "$folder" >>"$GITHUB_PATH"
echo "path=$mastor" >>"$GITHUB_OUTPUT"
