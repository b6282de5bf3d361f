#!/usr/bin/env bash
# Writes the report of the run to the pull request. Whatever goes wrong is said, and changes no verdict.
set -euo pipefail

root="$(git -C "$WORKING_DIRECTORY" rev-parse --show-toplevel)"
"$MASTOR" -C "$WORKING_DIRECTORY" comment --from "$root/$REPORT" || echo "::warning title=mastor::the comment was not written"
