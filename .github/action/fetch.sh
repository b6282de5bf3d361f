#!/usr/bin/env bash
# Fetches what a shallow clone lacks, and reads both revisions into the cache: the only step with a token before the comment, and it runs no code of
# the pull request. What goes wrong here is told by the step that runs mastor, which needs the same.
set -euo pipefail

[ -z "${SINCE:-}" ] || export MASTOR_SINCE="$SINCE"
[ -z "${CONFIG:-}" ] || export MASTOR_CONFIG="$CONFIG"
[ -z "${TOKEN:-}" ] || export MASTOR_GITHUB_TOKEN="$TOKEN"
unset SINCE CONFIG TOKEN
"$MASTOR" -C "$WORKING_DIRECTORY" plan --deepen >/dev/null || true
