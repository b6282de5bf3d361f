#!/usr/bin/env bash
# Lists the parts of the binaries of all targets, by Cargo.lock: sbom.sh FILE writes it as CycloneDX. Needs cargo-cyclonedx.
set -euo pipefail
to="$PWD/$1"
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# Nothing of the folder or the moment is in it: the same commit gives the same list, whose serial number is made of the commit.
commit="$(git rev-parse HEAD)"
serial="urn:uuid:${commit:0:8}-${commit:8:4}-8${commit:13:3}-8${commit:17:3}-${commit:20:12}"
SOURCE_DATE_EPOCH="$(git log -1 --format=%ct)"
export SOURCE_DATE_EPOCH
cargo cyclonedx --format json --spec-version 1.5 --target all --override-filename mastor.cdx
jq --arg here "path+file://$PWD" --arg serial "$serial" '(.. | strings) |= (split($here) | join("mastor")) | .serialNumber = $serial' mastor.cdx.json >"$to.new"
# Every room of `src/` gets a list of its own, which says nothing that this one does not.
rm -f mastor.cdx.json src/*/mastor.cdx.json
mv "$to.new" "$to"
# What actions/attest asks of it, and that it is not empty.
jq --exit-status '.bomFormat == "CycloneDX" and .specVersion and .serialNumber and .metadata.component.name == "mastor" and (.components | length) > 100' "$to" >/dev/null
