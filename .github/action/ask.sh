#!/usr/bin/env bash
# Asks the models ahead and keeps their replies, in a step of its own: it has the models' keys, and runs no code of the pull request. The step that
# does takes the replies from the folder.
set -euo pipefail

while IFS= read -r line; do
  line="${line//$'\r'/}"
  [ -n "${line// /}" ] || continue
  name="${line%%=*}"
  if [ "$name" = "$line" ] || ! [[ "$name" =~ ^[A-Za-z_][A-Za-z0-9_]*$ ]]; then
    echo "::error title=mastor::model-keys: a line is not NAME=value"
    exit 2
  fi
  export "$name=${line#*=}"
done <<<"$MODEL_KEYS"
unset MODEL_KEYS

replies="$RUNNER_TEMP/mastor-replies"
outputs="$GITHUB_OUTPUT"
mkdir -p "$replies"
# What goes wrong here is told by the run itself, which then works without what was not asked.
RECORD="$replies" GITHUB_OUTPUT='' GITHUB_STEP_SUMMARY='' bash "$GITHUB_ACTION_PATH/.github/action/run.sh" >/dev/null || true
echo "replies=$replies" >>"$outputs"
