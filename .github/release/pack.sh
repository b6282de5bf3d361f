#!/usr/bin/env bash
# Tries the binary of a target as it was built for distribution, and packs it: pack.sh TARGET leaves mastor-TARGET.tar.gz.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
target="$1"
name=mastor
[[ "$target" != *windows* ]] || name=mastor.exe
binary="${CARGO_TARGET_DIR:-target}/$target/dist/$name"

"$binary" --version
"$binary" demo --no-service
if [[ "$target" == *linux-musl ]] && readelf --program-headers --wide "$binary" | grep --quiet INTERP; then
  echo "::error::$binary is not static: it asks for a loader" && exit 1
fi
folder="$(mktemp -d)"
cp "$binary" LICENSE-APACHE LICENSE-MIT README.md "$folder/"
tar -C "$folder" -czf "mastor-$target.tar.gz" "$name" LICENSE-APACHE LICENSE-MIT README.md
rm -r "$folder"
