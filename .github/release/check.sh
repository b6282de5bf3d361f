#!/usr/bin/env bash
# Whether this commit says everywhere that it is a version: check.sh VERSION REPOSITORY, where REPOSITORY is the address that it is released from.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
version="$1" repository="$2" wrong=0

says() { # file, line that it must have, what is wrong else
  grep --quiet --fixed-strings "$2" "$1" || { echo "::error file=$1::$3" && wrong=1; }
}

says Cargo.toml "version = \"$version\"" "Cargo.toml has another version"
says Cargo.toml "repository = \"$repository\"" "Cargo.toml names another repository than $repository, which cargo binstall takes the binaries from"
perl -0ne "exit !/name = \"mastor\"\nversion = \"\Q$version\E\"\n/" Cargo.lock || { echo "::error file=Cargo.lock::Cargo.lock has another version" && wrong=1; }
perl -0ne "exit !/name = \"mastor-[^\"]*\"\nversion = \"(?!\Q$version\E\")/" Cargo.lock && { echo "::error file=Cargo.lock::Cargo.lock has rooms of another version" && wrong=1; }
says CHANGELOG.md "## $version - " "CHANGELOG.md does not know $version, or not its day"
says README.md "@v$version" "README.md names another release"
exit "$wrong"
