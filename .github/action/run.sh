#!/usr/bin/env bash
# Runs `mastor ci` with the inputs of the action, and ends with its exit code. It holds no token and no key: it may run code of the pull request.
# With RECORD it only asks models, starts nothing and keeps their replies there; with REPLIES it takes replies from there.
# An input that is left out leaves a variable of that name, which the workflow may have set, as it is.
set -euo pipefail

give() {
  [ -z "$2" ] || export "$1=$2"
}

give MASTOR_SINCE "${SINCE:-}"
give MASTOR_CONFIG "${CONFIG:-}"
give MASTOR_ENGINE "${ENGINE:-}"
give MASTOR_MAX_USD "${MAX_USD:-}"
give MASTOR_FAIL_ON "${FAIL_ON:-}"
give MASTOR_START_COMMAND "${START_COMMAND:-}"
give MASTOR_BASE_URL "${BASE_URL:-}"
give MASTOR_READY_URL "${READY_URL:-}"
give MASTOR_SHARD "${SHARD:-}"
# Pushed by a step of its own, which has the token.
[ "${PROPOSE:-}" != commit ] || PROPOSE=later
give MASTOR_PROPOSE "${PROPOSE:-}"
unset CONFIG SINCE ENGINE MAX_USD FAIL_ON START_COMMAND BASE_URL READY_URL SHARD PROPOSE
unset MASTOR_GITHUB_TOKEN GITHUB_TOKEN GH_TOKEN MASTOR_PROPOSE_TOKEN MASTOR_COMMENT MASTOR_DEEPEN
# GitHub's runner does not; act and what is built on it do.
if env | grep -Eq '^INPUT_(MODEL-KEYS|PROPOSE-TOKEN|GITHUB-TOKEN)=.'; then
  echo "::warning title=mastor::this runner hands the inputs of an action to each of its steps, so that code of the pull request can read them"
fi
if [ -n "${RECORD:-}" ]; then
  exec "$MASTOR" -C "$WORKING_DIRECTORY" ci --no-service --record "$RECORD"
elif [ -n "${REPLIES:-}" ]; then
  exec "$MASTOR" -C "$WORKING_DIRECTORY" ci --replay "$REPLIES"
fi
exec "$MASTOR" -C "$WORKING_DIRECTORY" ci
