#!/usr/bin/env bash
# Runs `mastor ci` with the inputs of the action, and ends with its exit code.
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
give MASTOR_COMMENT "${COMMENT:-}"
give MASTOR_DEEPEN "${DEEPEN:-}"
give MASTOR_START_COMMAND "${START_COMMAND:-}"
give MASTOR_BASE_URL "${BASE_URL:-}"
give MASTOR_READY_URL "${READY_URL:-}"
give MASTOR_GITHUB_TOKEN "${TOKEN:-}"
give MASTOR_SHARD "${SHARD:-}"
give MASTOR_PROPOSE "${PROPOSE:-}"
give MASTOR_PROPOSE_TOKEN "${PROPOSE_TOKEN:-}"
unset SHARD PROPOSE PROPOSE_TOKEN
unset CONFIG SINCE ENGINE MAX_USD FAIL_ON COMMENT DEEPEN START_COMMAND BASE_URL READY_URL TOKEN
exec "$MASTOR" -C "$WORKING_DIRECTORY" ci
