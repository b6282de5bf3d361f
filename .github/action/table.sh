#!/usr/bin/env bash
# Puts a release on top of the table of checksums: table.sh VERSION FOLDER ADDRESS, where FOLDER holds mastor-TARGET.tar.gz for all six targets.
# What the newest tagged release lists stays below it. FOLDER gets a checksums.txt in the form of sha256sum.
set -euo pipefail

version="$1" folder="$2" address="$3"
table="$(cd "${BASH_SOURCE[0]%/*}" && pwd)/checksums.txt"
targets=(x86_64-unknown-linux-musl aarch64-unknown-linux-musl x86_64-apple-darwin aarch64-apple-darwin x86_64-pc-windows-msvc aarch64-pc-windows-msvc)

# The tables hang on tags and not on the branch: each release goes on from the last one's.
last="$(git tag --list 'v[0-9]*' --sort=-version:refname | sed -n 1p)"
if [ -n "$last" ]; then
  older="$(git show "$last:.github/action/checksums.txt" | grep -v '^#' || true)"
else
  older="$(grep -v '^#' "$table" || true)"
fi
if cut -d ' ' -f 2 <<<"$older" | grep --quiet --fixed-strings --line-regexp "$version"; then
  echo "version $version stands in the table already" >&2
  exit 1
fi

cd "$folder"
archives=("${targets[@]/#/mastor-}")
sha256sum "${archives[@]/%/.tar.gz}" >checksums.txt
{
  grep '^#' "$table"
  while read -r sum name; do
    target="${name#mastor-}"
    echo "$sum $version ${target%.tar.gz} $address/v$version/$name"
  done <checksums.txt
  [ -z "$older" ] || printf '%s\n' "$older"
} >"$table.new"
mv "$table.new" "$table"
