#!/usr/bin/env bash
# Makes jdk.txt, libraries.txt and models/statics.txt anew: which public types each package has, for names that only a wildcard import brings,
# and which methods of each type are static, for references to methods.
# Needs Maven and a JDK 24 or later in JAVA_HOME. What the files name already stays, so that they hold over releases.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

{
  echo '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
  echo '<groupId>names</groupId><artifactId>names</artifactId><version>1</version><build><plugins><plugin>'
  echo '<artifactId>maven-dependency-plugin</artifactId><configuration><artifactItems>'
  grep -v "^#" "$here/libraries.list" | while read -r artifact versions; do
    for version in $versions; do
      echo "<artifactItem><groupId>${artifact%%:*}</groupId><artifactId>${artifact##*:}</artifactId><version>$version</version></artifactItem>"
    done
  done
  echo '</artifactItems></configuration></plugin></plugins></build></project>'
} >"$work/pom.xml"
mvn -B -q -f "$work/pom.xml" dependency:copy -DoutputDirectory="$work/jars"
"$JAVA_HOME/bin/java" "$here/Packages.java" "$here/jdk.txt" "$here/../models/statics.txt" --jdk
"$JAVA_HOME/bin/java" "$here/Packages.java" "$here/libraries.txt" "$here/../models/statics.txt" "$work"/jars/*.jar
