#!/usr/bin/env bash
# Prints what the changelog says of a version: notes.sh VERSION.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
awk -v head="## $1 " 'index($0 " ", head) == 1 { on = 1; next } /^## / { on = 0 } on' CHANGELOG.md
