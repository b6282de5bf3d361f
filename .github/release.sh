#!/usr/bin/env bash
# Cuts a release: sets the version and where mastor lives, dates the changelog, runs the checks and commits. Pushes nothing: it prints the lines that do.
#   .github/release.sh VERSION [--repository URL] [--checks COMMAND]
# --repository: where mastor lives; needed once, then Cargo.toml knows it (a remote named origin says it too)
# --checks: what must pass before the commit, instead of tests/run
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() {
  echo "release: $1" >&2
  exit 1
}

version="" repository="" checks="tests/run"
while [ $# -gt 0 ]; do
  case "$1" in
    --repository | --checks)
      [ $# -gt 1 ] || fail "$1 wants a value"
      if [ "$1" = --repository ]; then repository="$2"; else checks="$2"; fi
      shift
      ;;
    -*) fail "unknown option $1" ;;
    *)
      [ -z "$version" ] || fail "one version only"
      version="${1#v}"
      ;;
  esac
  shift
done
[[ "$version" =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "say the version: .github/release.sh 1.2.3"

# Where the release is made from.
main="$(git symbolic-ref --quiet --short refs/remotes/origin/HEAD || echo origin/main)"
main="${main#origin/}"
[ "$(git branch --show-current)" = "$main" ] || fail "a release is made of $main"
[ -z "$(git status --porcelain)" ] || fail "the work tree is not clean: commit or stash first"
if upstream="$(git rev-parse --quiet --verify '@{upstream}' 2>/dev/null)"; then
  [ "$(git rev-list --count "HEAD..$upstream")" = 0 ] || fail "$main is behind its upstream: pull first"
fi
! git rev-parse --quiet --verify "refs/tags/v$version" >/dev/null || fail "v$version is there already"

# What is said now, and what is to be said.
of_package() { perl -ne "print \$1 if /^$1 = \"(.*)\"/; last if /^\\[dependencies\\]/" Cargo.toml; }
old="$(of_package version)" known="$(of_package repository)"
[ "$(printf '%s\n%s\n' "$old" "$version" | sort -V | tail -n 1)" = "$version" ] || fail "$version is older than $old"
[ -n "$repository" ] || repository="$known"
[ -n "$repository" ] || repository="$(git remote get-url origin 2>/dev/null | perl -pe 's|^git@([^:]+):|https://$1/|' || true)"
repository="${repository%/}" repository="${repository%.git}"
[[ "$repository" =~ ^https://[A-Za-z0-9.-]+/([A-Za-z0-9._-]+/[A-Za-z0-9._-]+)$ ]] || fail "say where mastor lives: --repository https://github.com/OWNER/mastor"
name="${BASH_REMATCH[1]}"
from="${known:-https://github.com/OWNER/mastor}"
from_name="${from#https://*/}"
perl -0ne 'exit !/^## Unreleased\n\s*(?!## )\S/m' CHANGELOG.md || fail "CHANGELOG.md has nothing under Unreleased"
! grep --quiet "^## $version\b" CHANGELOG.md || fail "CHANGELOG.md has $version already"

undo() {
  git checkout --quiet -- .
  echo "release: nothing was changed" >&2
}
trap undo ERR
trap 'undo; exit 130' INT TERM

# Every file that names a release or where mastor lives.
named=()
while IFS= read -r file; do named+=("$file"); done < <(git ls-files README.md docs | grep -E '\.(md|yml)$|/Jenkinsfile$' | grep -v 'docs/ROADMAP.md')
export OLD="$old" NEW="$version" FROM="$from" FROM_NAME="$from_name" TO="$repository" TO_NAME="$name" DAY="${SOURCE_DAY:-$(date -u +%Y-%m-%d)}"
perl -pi -e 's/\bv\Q$ENV{OLD}\E\b(?!\.\d)/v$ENV{NEW}/g; s/  +# OWNER: whoever owns this repository$//;
  s/\Q$ENV{FROM}\E\b/$ENV{TO}/g; s/(?<![\w\/])\Q$ENV{FROM_NAME}\E\b/$ENV{TO_NAME}/g' "${named[@]}"
perl -0pi -e 's/^version = "\Q$ENV{OLD}\E"$/version = "$ENV{NEW}"/m;
  s/^repository = .*$/repository = "$ENV{TO}"/m or s/^(license\.workspace = true)$/$1\nrepository = "$ENV{TO}"/m' Cargo.toml
perl -0pi -e 's/(name = "mastor(?:-\w+)?"\nversion = )"\Q$ENV{OLD}\E"/$1"$ENV{NEW}"/g' Cargo.lock
perl -0pi -e 's/^## Unreleased\n/## Unreleased\n\n## $ENV{NEW} - $ENV{DAY}\n/m' CHANGELOG.md
.github/release/check.sh "$version" "$repository"

bash -c "$checks"
git commit --quiet --all --message "Release $version"
trap - ERR INT TERM

echo "$version is committed. Push it; once its checks are green, start the release:"
echo "  git push origin $main"
echo "  gh workflow run release.yml --repo $name --ref $main --raw-field version=$version"
