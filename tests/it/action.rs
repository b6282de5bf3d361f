//! The GitHub action: a local workflow runner runs its steps on a pull request's clone, against a fake GitHub; its scripts run by themselves.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::agents::faithful;
use crate::comment::github::{Host, US};
use crate::llm::server::Server;
use crate::support::{Ran, Repo};
use crate::tools;
use crate::workflows::ours;

const ZONES: &str = "src/main/java/com/example/orders/shipping/ShippingController.java";

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn write(path: PathBuf, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn text(path: impl AsRef<Path>) -> String {
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.as_ref().display()))
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to.join(entry.file_name())),
            false => drop(std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap()),
        }
    }
}

/// The pin of an action in the workflow of the docs, as `owner/name@commit`.
fn pin(action: &str) -> String {
    let files = ["docs/ci/pull-request.yml", "docs/ci/forks-2-comment.yml", "action.yml"];
    let all: String = files.iter().map(|path| text(project(path))).collect();
    let start = all.find(&format!("{action}@")).or_else(|| all.find(&format!("{action}/restore@"))).unwrap();
    let commit = all[start..].split_once('@').unwrap().1.split_whitespace().next().unwrap();
    format!("{action}@{commit}")
}

/// A folder with the action, with stand-ins for the platform's own actions, and with the data that these keep.
struct Stage {
    temp: TempDir,
}

impl Stage {
    /// Copies the action; the cache stand-in keeps its entries in a folder and finds the newest by prefix, the upload stand-in copies.
    fn new() -> Self {
        let temp = tempfile::Builder::new().prefix("mastor-action-").tempdir().unwrap();
        let stage = Self { temp };
        copy(&project("setup"), &stage.path("action/setup"));
        copy(&project(".github/action"), &stage.path("action/.github/action"));
        std::fs::copy(project("action.yml"), stage.path("action/action.yml")).unwrap();
        let store = stage.path("store");
        std::fs::create_dir(&store).unwrap();
        let composite = |name: &str, inputs: &[&str], script: &str| {
            let mut action = format!("name: {name}\ndescription: a stand-in\ninputs:\n");
            let mut env = format!("        STORE: {}\n", store.display());
            for input in inputs {
                action += &format!("  {input}: {{ required: false }}\n");
                env += &format!("        {}: ${{{{ inputs.{input} }}}}\n", input.to_uppercase().replace('-', "_"));
            }
            let script = script.trim().replace('\n', "\n        ");
            format!(
                "{action}runs:\n  using: composite\n  steps:\n    - shell: bash\n      env:\n{env}      run: |\n        {script}\n"
            )
        };
        let restore = r#"
echo "restore $KEY" >>"$STORE/log"
while read -r prefix; do
  newest="$(ls -td "$STORE/cache/$prefix"* 2>/dev/null | head -n 1)" || true
  if [ -n "$newest" ]; then
    echo "restored ${newest##*/}" >>"$STORE/log"
    mkdir -p .mastor/cache && cp -a "$newest/." .mastor/cache/
    break
  fi
done <<<"$RESTORE_KEYS"
"#;
        let save = r#"
echo "save $KEY" >>"$STORE/log"
[ "$(head -n 1 <<<"$PATH_")" = '.mastor/cache/*' ] || { echo "another path: $PATH_"; exit 1; }
mkdir -p "$STORE/cache/$KEY" && cp -a .mastor/cache/. "$STORE/cache/$KEY/"
"#;
        let keys = ["path", "key", "restore-keys"];
        // The input's name, `PATH`, would overwrite the search path.
        let cache =
            |name: &str, script: &str| composite(name, &keys, script).replace("        PATH:", "        PATH_:");
        write(stage.path("cache/restore/action.yml"), &cache("restore", restore));
        write(stage.path("cache/save/action.yml"), &cache("save", save));
        let upload = r#"rm -rf "$STORE/artifact" && cp -a .mastor/out "$STORE/artifact""#;
        write(
            stage.path("upload-artifact/action.yml"),
            &composite("upload", &["name", "include-hidden-files"], upload),
        );
        let download = r#"[ "$RUN_ID" = 77 ] && mkdir -p "$PATH_" && cp "$STORE/artifact/report.json" "$PATH_/""#;
        let download = composite("download", &["path", "run-id"], download).replace("        PATH:", "        PATH_:");
        write(stage.path("download-artifact/action.yml"), &download);
        stage
    }

    fn path(&self, path: &str) -> PathBuf {
        self.temp.path().join(path)
    }

    /// A workflow of the docs that uses this build's binary and further inputs, and whose last step stores the outputs.
    fn workflow(&self, file: &str, inputs: &str) -> String {
        let mut workflow = String::new();
        let all = text(project(&format!("docs/ci/{file}")));
        let mut lines = all.lines().peekable();
        while let Some(line) = lines.next() {
            workflow += &format!("{line}\n");
            if line.contains(&format!("uses: {}", ours())) {
                lines.next_if(|line| line.trim() == "with:");
                workflow += &format!("        with:\n          binary: {}\n{inputs}", env!("CARGO_BIN_EXE_mastor"));
            }
        }
        let keep = format!(
            "      - if: always()\n        env:\n          OUTPUTS: ${{{{ toJSON(steps.mastor.outputs) }}}}\n        run: |\n          \
             printf '%s' \"$OUTPUTS\" >{}\n          mastor --version\n",
            self.path("store/outputs.json").display()
        );
        workflow + &keep
    }
}

/// The event that triggers a workflow run.
struct Event<'a> {
    name: &'a str,
    payload: Value,
    run: u64,
}

/// The event of a pull request from a branch of the repository `from`.
fn opened(from: &str, base: &str, head: &str, run: u64) -> Event<'static> {
    let repo = |name: &str| json!({ "full_name": name });
    let payload = json!({
        "number": 7,
        "pull_request": { "number": 7, "head": { "sha": head, "ref": "feature", "repo": repo(from) },
            "base": { "sha": base, "ref": "main", "repo": repo("acme/orders") } },
        "repository": { "full_name": "acme/orders", "default_branch": "main" },
    });
    Event { name: "pull_request", payload, run }
}

/// The result of a workflow run.
struct Job {
    succeeded: bool,
    said: String,
    summary: String,
    outputs: BTreeMap<String, String>,
}

/// A pull request whose change contradicts the committed suite: the origin repository, and the head commit of its branch.
fn pull_request() -> (Repo, String, String) {
    let (old, new) = ("return ResponseEntity.notFound().build();", "return ResponseEntity.noContent().build();");
    pull_request_of(Repo::example(), &|branch| branch.edit(ZONES, old, new))
}

/// A pull request with this change, against a suite that the rules engine generated.
fn pull_request_of(origin: Repo, change: &dyn Fn(Repo) -> Repo) -> (Repo, String, String) {
    origin.run(["generate", "--all", "--engine", "rules", "--no-service"]).ends(0);
    let branch = change(origin.commit("Add the suite").branch("feature"));
    let origin = branch.commit("Answer otherwise").branch("main");
    for n in 0..3 {
        origin.git(["commit", "-q", "--allow-empty", "-m", &format!("Go on {n}")]);
    }
    let (base, head) = (origin.git(["rev-parse", "main"]), origin.git(["rev-parse", "feature"]));
    origin.git(["checkout", "-q", "--detach"]);
    origin.git(["merge", "-q", "--no-ff", "-m", "Merge feature into main", "feature"]);
    origin.git(["update-ref", "refs/pull/7/merge", "HEAD"]);
    origin.git(["checkout", "-q", "main"]);
    (origin, base, head)
}

/// A clone as GitHub's checkout makes it: with the merge commit only.
fn checked_out(origin: &Repo) -> Repo {
    let clone = Repo::bare_folder();
    clone.git(["init", "-q", "-b", "main", "."]);
    clone.git(["remote", "add", "origin", &format!("file://{}", origin.path().display())]);
    clone.git(["fetch", "-q", "--depth=1", "origin", "+refs/pull/7/merge:refs/remotes/pull/7/merge"]);
    clone.git(["checkout", "-q", "--detach", "refs/remotes/pull/7/merge"]);
    clone
}

/// Runs a workflow of the docs on an event; `None` if `MASTOR_TEST_WITHOUT` names the runner.
fn act(stage: &Stage, host: &Host, clone: &Repo, file: &str, event: &Event<'_>, inputs: &str) -> Option<Job> {
    let runner = tools::path("act")?;
    let (workflow, event_file) = (stage.path("workflow.yml"), stage.path("event.json"));
    write(workflow.clone(), &stage.workflow(file, inputs));
    write(event_file.clone(), &event.payload.to_string());
    let mut command = clone.command(runner);
    command.args([event.name, "--json", "-P", "ubuntu-24.04=-self-hosted", "--use-gitignore=false"]);
    command.arg("-W").arg(workflow).arg("-e").arg(event_file).args(["-s", "GITHUB_TOKEN=t0ken"]);
    for (name, value) in [
        ("GITHUB_API_URL", host.url.clone()),
        ("GITHUB_GRAPHQL_URL", format!("{}/graphql", host.url)),
        ("GITHUB_REPOSITORY", "acme/orders".to_owned()),
        ("GITHUB_RUN_ID", event.run.to_string()),
        ("GITHUB_RUN_ATTEMPT", "1".to_owned()),
    ] {
        command.arg("--env").arg(format!("{name}={value}"));
    }
    let stood_in = ["cache", "upload-artifact", "download-artifact"].map(|name| (format!("actions/{name}"), name));
    for (action, folder) in stood_in.into_iter().chain([(ours(), "action")]) {
        command.arg("--local-repository").arg(format!("{}={}", pin(&action), stage.path(folder).display()));
    }
    let output = command.stdin(std::process::Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    let lines: Vec<Value> = said.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let told: Vec<&str> = lines.iter().filter_map(|line| line["msg"].as_str()).map(str::trim_end).collect();
    let told = told.join("\n");
    let summary = lines.iter().filter(|line| line["command"] == "summary");
    let summary = summary.filter_map(|line| line["content"].as_str()).collect();
    assert!(!said.contains("t0ken"), "the token is told: {told}");
    let outputs = text(stage.path("store/outputs.json"));
    let outputs: Option<_> = serde_json::from_str(&outputs).unwrap_or_else(|error| panic!("{error}: {told}"));
    Some(Job { succeeded: output.status.success(), said: told, summary, outputs: outputs.unwrap_or_default() })
}

#[test]
fn the_action_comments_edits_and_ends_as_the_verdict_says() {
    let (origin, base, head) = pull_request();
    let (stage, host) = (Stage::new(), Host::start());
    let run = |run: u64, inputs: &str| {
        let event = opened("acme/orders", &base, &head, run);
        act(&stage, &host, &checked_out(&origin), "pull-request.yml", &event, inputs)
    };
    let Some(first) = run(1, "") else { return };
    assert!(!first.succeeded, "{}", first.said);
    assert_eq!(first.outputs["exit-name"], "behaviour-change", "{}", first.said);
    assert_eq!(
        (first.outputs["operations"].as_str(), first.outputs["affected"].as_str()),
        ("15", "1"),
        "{:?}",
        first.outputs
    );
    assert_eq!(first.outputs["inherited"], "14");
    assert!(first.said.contains("git fetch"), "a clone of one commit is deepened: {}", first.said);
    let comments = host.comments_of(US);
    assert_eq!(comments.len(), 1, "{}", first.said);
    assert!(
        comments[0].starts_with(&format!("<!-- mastor key=mastor head={head} run=1 attempt=1 -->\n")),
        "{}",
        comments[0]
    );
    assert!(comments[0].contains(&format!("/blob/{head}/{ZONES}#L")), "{}", comments[0]);
    assert!(first.summary.starts_with("### mastor: ") && comments[0].contains(first.summary.lines().next().unwrap()));
    // The artifact contains the files that the outputs name, and the cache is saved although the run failed.
    for output in ["report-path", "summary-path"] {
        let path = first.outputs[output].strip_prefix(".mastor/out/").unwrap();
        assert!(stage.path("store/artifact").join(path).is_file(), "{path}");
    }
    let log = text(stage.path("store/log"));
    assert!(log.contains("\nsave mastor-1-Linux-"), "{log}");

    // The next run starts from the first one's cache, edits the comment, and does not fail because of its input.
    let input = "          fail-on: never\n";
    let second = run(2, input).unwrap();
    assert!(second.succeeded, "{}", second.said);
    assert_eq!(second.outputs["exit-name"], "clean");
    let comments = host.comments_of(US);
    assert_eq!(comments.len(), 1);
    assert!(comments[0].contains("run=2 attempt=1"), "{}", comments[0]);
    let log = text(stage.path("store/log"));
    let saved = log.lines().find_map(|line| line.strip_prefix("save ")).unwrap();
    assert!(log.contains(&format!("\nrestored {saved}\n")), "{log}");

    // Without a comment, and with a base that cannot be fetched, the exit name is still an output.
    let third = run(3, "          since: nowhere\n          comment: \"false\"\n").unwrap();
    assert!(!third.succeeded);
    assert_eq!(third.outputs["exit-name"], "base-revision-missing", "{}", third.said);
    assert!(host.comments_of(US)[0].contains("run=2 attempt=1"));
}

#[test]
fn the_pair_for_forks_comments_though_the_run_of_the_fork_may_not() {
    let (origin, base, head) = pull_request();
    let (stage, host) = (Stage::new(), Host::start());
    let event = opened("someone/orders", &base, &head, 77);
    let Some(first) = act(&stage, &host, &checked_out(&origin), "forks-1-run.yml", &event, "") else { return };
    assert!(!first.succeeded && first.outputs["exit-name"] == "behaviour-change", "{}", first.said);
    assert_eq!(host.asked("GET") + host.asked("POST"), 0, "the run of the fork asks the host for nothing");
    let head_repository = json!({ "full_name": "someone/orders" });
    host.state.lock().unwrap().pulls = vec![json!({
        "number": 7, "head": { "sha": head, "ref": "feature", "repo": head_repository },
        "base": { "repo": { "full_name": "acme/orders" } }
    })];
    let payload = json!({
        "workflow_run": { "id": 77, "run_attempt": 1, "event": "pull_request", "head_sha": head, "head_branch": "feature",
            "head_repository": head_repository },
        "repository": { "full_name": "acme/orders", "default_branch": "main" },
    });
    let event = Event { name: "workflow_run", payload, run: 100 };
    // Runs on `main`, without any code of the pull request.
    origin.git(["checkout", "-q", "main"]);
    let second = act(&stage, &host, &origin, "forks-2-comment.yml", &event, "").unwrap();
    assert!(second.succeeded, "{}", second.said);
    let comments = host.comments_of(US);
    assert_eq!(comments.len(), 1, "{}", second.said);
    assert!(comments[0].contains(&format!("head={head} run=77 attempt=1")), "{}", comments[0]);
    assert!(comments[0].contains("GET /shipping/zones/{country}"), "{}", comments[0]);
}

/// A hostile build of the head: it writes the environment of all its ancestor processes to its log and to the output folder.
const SPY: &str = "spy() { env; p=$$; while [ \"$p\" -gt 1 ]; do tr '\\0' '\\n' </proc/$p/environ; p=$(awk '/^PPid/{print $2}' /proc/$p/status); done; }\n\
                   spy\nspy >.mastor/out/leak.txt\nexit 3\n";

#[test]
fn a_hostile_pull_request_neither_reads_a_token_nor_silences_its_verdict() {
    let (origin, base, _) = pull_request();
    origin.git(["checkout", "-q", "feature"]);
    let hostile = "[api]\nsource = [\"nowhere\"]\n[ci]\nfail-on = \"never\"\n[service]\nbuild = \"sh spy.sh || true\"\n\
                   start = \"sh spy.sh; exec python3 -m http.server {port} --bind 127.0.0.1\"\nready = { port = true }\nreset = \"none\"\n\
                   base-url = \"http://evil.example\"\nauth = \"evil.yaml\"\ninherit = [\"MASTOR_GITHUB_TOKEN\"]\n\
                   [[ignore]]\nop = \"GET /shipping/zones/{country}\"\nreason = \"evil\"\n";
    let origin = origin.file("mastor.toml", hostile).file("spy.sh", SPY);
    origin.git(["rm", "-rq", ".mastor/suite", ".mastor/lock"]);
    let origin = origin.commit("Do harm");
    let head = origin.git(["rev-parse", "feature"]);
    let merged = |origin: &Repo| {
        origin.git(["checkout", "-q", "--detach", "main"]);
        origin.git(["merge", "-q", "--no-ff", "-m", "Merge feature into main", "feature"]);
        origin.git(["update-ref", "refs/pull/7/merge", "HEAD"]);
    };
    merged(&origin);
    let (stage, host) = (Stage::new(), Host::start());
    let event = opened("acme/orders", &base, &head, 1);
    let Some(job) = act(&stage, &host, &checked_out(&origin), "pull-request.yml", &event, "") else { return };
    assert!(!job.succeeded, "{}", job.said);
    let report = text(stage.path("store/artifact/report.json"));
    assert_eq!(job.outputs["exit-name"], "behaviour-change");
    assert!(report.contains("\"needs_decision\"") && !report.contains("\"accepted\": true"), "{report}");
    // The build ran and found no token; the comment was written all the same.
    let leak = text(stage.path("store/artifact/leak.txt"));
    assert!(leak.contains("GITHUB_RUN_ID="), "ancestors were read: {leak}");
    assert_eq!(leak.lines().filter(|line| line.contains("t0ken")).collect::<Vec<_>>(), [] as [&str; 0]);
    assert!(!every_text(&stage.path("store")).contains("t0ken"));
    assert_eq!(host.comments_of(US).len(), 1, "{}", job.said);

    // A forged cache and a link that leads out of the repository are refused before they are read.
    origin.git(["checkout", "-q", "feature"]);
    let origin = origin.file(".mastor/cache/facts/00/11", "forged");
    origin.git(["add", "-f", ".mastor/cache"]);
    let origin = origin.commit("Forge the cache");
    let head = origin.git(["rev-parse", "feature"]);
    merged(&origin);
    let event = opened("acme/orders", &base, &head, 2);
    let clone = checked_out(&origin);
    clone.run(["ci", "--since", "HEAD"]).ends(2).says(&["is tracked by git"]);
    let job = act(&stage, &host, &clone, "pull-request.yml", &event, "").unwrap();
    assert!(!job.succeeded, "{}", job.said);
    let clone = checked_out(&origin);
    clone.git(["rm", "-rqf", ".mastor"]);
    std::fs::remove_dir_all(clone.path().join(".mastor")).ok();
    std::os::unix::fs::symlink(stage.path("outside"), clone.path().join(".mastor")).unwrap();
    clone.run(["ci", "--since", "HEAD"]).ends(2).says(&["symbolic link"]);
    assert!(!stage.path("outside").exists());
}

#[test]
fn the_key_of_a_model_is_in_the_step_that_asks_and_in_no_other() {
    let server = Server::start(faithful::reply);
    let settings = format!(
        "[model.primary]\nbase-url = \"{}\"\nmodel = \"scripted\"\nkey-env = \"ACME_MODEL\"\n\
         [service]\nbuild = \"sh spy.sh\"\nstart = \"sh spy.sh\"\n",
        server.base_url
    );
    let calculator = "src/main/java/com/example/orders/quote/PriceCalculator.java";
    let origin = Repo::example().file("mastor.toml", settings).commit("A model and a service");
    let (origin, base, head) = pull_request_of(origin, &|branch| {
        branch.edit(calculator, "unitPriceCents <= 0", "unitPriceCents < 0").file("spy.sh", SPY)
    });
    let (stage, host) = (Stage::new(), Host::start());
    let inputs = "          model-keys: |\n            ACME_MODEL=s3cret-of-a-model\n";
    let event = opened("acme/orders", &base, &head, 1);
    let Some(job) = act(&stage, &host, &checked_out(&origin), "pull-request.yml", &event, inputs) else { return };
    let asked = server.received();
    assert!(!asked.is_empty(), "{}", job.said);
    for received in &asked {
        assert_eq!(received.headers["authorization"], "Bearer s3cret-of-a-model");
    }
    // Neither the ancestors' environment, as the head's build saw it, nor any stored file contains a key.
    let leak = text(stage.path("store/artifact/leak.txt"));
    assert!(leak.contains("GITHUB_RUN_ID="), "ancestors were read: {leak}");
    // Unlike GitHub, the local runner passes inputs to every step; a message says so.
    let all = every_text(&stage.path("store"));
    let known = all.lines().filter(|line| line.contains("s3cret") && !line.starts_with("INPUT_MODEL-KEYS="));
    assert_eq!(known.collect::<Vec<_>>(), [] as [&str; 0]);
    assert!(job.said.contains("hands the inputs of an action to each of its steps"), "{}", job.said);
    // The run used the replies: the same number of calls, and oracles that only the model makes.
    let report: Value = serde_json::from_str(&text(stage.path("store/artifact/report.json"))).unwrap();
    assert_eq!(report["generate"]["usage"]["calls"], asked.len(), "{}", report["generate"]);
    assert_eq!(host.comments_of(US).len(), 1, "{}", job.said);
}

/// The contents of all files below a folder.
fn every_text(folder: &Path) -> String {
    let mut all = String::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        match entry.file_type().unwrap().is_dir() {
            true => all += &every_text(&entry.path()),
            false => all += &String::from_utf8_lossy(&std::fs::read(entry.path()).unwrap()),
        }
    }
    all
}

/// The action's scripts with a fake `curl` that serves releases from the folder `release`.
struct Scripts {
    repo: Repo,
}

impl Scripts {
    fn new() -> Self {
        let repo = Repo::new();
        copy(&project(".github/action"), &repo.path().join(".github/action"));
        let curl = "#!/bin/sh\nwhile [ $# -gt 1 ]; do case \"$1\" in --output) to=\"$2\" ;; esac; shift; done\n\
                    case \"$1\" in https://host.example/v*) cp \"$RELEASES/${1##*/}\" \"$to\" ;; *) exit 22 ;; esac\n";
        // A fake `cargo` that builds at once and prints its working directory.
        let cargo = "#!/bin/sh\necho \"built in $PWD for $MASTOR_REPOSITORY\"\nwhile [ \"$1\" != --target-dir ]; do shift; done\n\
                     mkdir -p \"$2/release\" && printf '#!/bin/sh\\necho mastor of this commit\\n' >\"$2/release/mastor\" && chmod +x \"$2/release/mastor\"\n";
        let repo = repo.file("bin/curl", curl).file("bin/cargo", cargo).file("bin/rustup", "#!/bin/sh\necho \"$@\"\n");
        let repo =
            repo.file("Cargo.toml", "[package]\nrust-version = \"1.95\"\n").file("Cargo.lock", "").file("build.rs", "");
        let sources = ["src", "prompts", "templates", "examples", "docs/ci"];
        let repo = sources.iter().fold(repo, |repo, folder| repo.file(&format!("{folder}/a file"), *folder));
        assert!(repo.command("chmod").args(["-R", "+x", "bin"]).status().unwrap().success());
        let repo = repo.commit("The action").file("temp/.keep", "");
        std::fs::create_dir(repo.path().join("release")).unwrap();
        Self { repo }
    }

    /// Makes a release: an archive for each target, whose `mastor` prints version and target.
    fn release(&self, version: &str) {
        let built = text(self.repo.path().join(".github/action/table.sh"));
        let targets = built.lines().find_map(|line| line.strip_prefix("targets=(")?.strip_suffix(')')).unwrap();
        for target in targets.split(' ') {
            let name = if target.contains("windows") { "mastor.exe" } else { "mastor" };
            write(self.repo.path().join("pack").join(name), &format!("#!/bin/sh\necho mastor {version} {target}\n"));
            let archive = format!("release/mastor-{target}.tar.gz");
            let mut command = self.repo.command("sh");
            command.arg("-c").arg(format!("chmod +x pack/{name} && tar -C pack -czf {archive} {name}"));
            assert!(command.status().unwrap().success());
        }
    }

    fn run(&self, script: &str, arguments: &[&str], env: &[(&str, &str)]) -> Ran {
        let at = |path: &str| self.repo.path().join(path);
        let mut command = self.repo.command("bash");
        command.arg(at(&format!(".github/action/{script}"))).args(arguments);
        let search = format!("{}:{}", at("bin").display(), std::env::var("PATH").unwrap());
        command.env("PATH", search).env("RELEASES", at("release"));
        command.env("RUNNER_OS", "Linux").env("RUNNER_ARCH", "X64").env("RUNNER_TEMP", at("temp"));
        command.env("GITHUB_OUTPUT", at("temp/output")).env("GITHUB_PATH", at("temp/path")).envs(env.iter().copied());
        let output = command.output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ran { code: output.status.code().unwrap(), out: text(&output.stdout), err: text(&output.stderr) }
    }

    fn table(&self, version: &str) -> Ran {
        self.run("table.sh", &[version, "release", "https://host.example"], &[])
    }
}

#[test]
fn only_what_the_table_lists_is_downloaded_and_only_its_bytes_are_run() {
    let scripts = Scripts::new();
    scripts
        .run("install.sh", &[], &[("VERSION", "0.1.0")])
        .ends(2)
        .says(&["::error", "does not stand in this tag's table"]);
    scripts.release("0.1.0");
    scripts.table("0.1.0").ends(0);
    let table = scripts.repo.read(".github/action/checksums.txt");
    assert_eq!(table.lines().filter(|line| !line.starts_with('#')).count(), 6, "{table}");
    scripts.run("install.sh", &[], &[]).ends(0).says(&["mastor 0.1.0 x86_64-unknown-linux-musl"]);
    let mac = [("RUNNER_OS", "macOS"), ("RUNNER_ARCH", "ARM64"), ("VERSION", "v0.1.0")];
    scripts.run("install.sh", &[], &mac).ends(0).says(&["mastor 0.1.0 aarch64-apple-darwin"]);
    scripts.run("install.sh", &[], &[("RUNNER_OS", "Windows")]).ends(0).says(&["x86_64-pc-windows-msvc"]);
    scripts.run("install.sh", &[], &[("RUNNER_ARCH", "ARM")]).ends(2).says(&["no mastor for this processor"]);
    scripts.run("install.sh", &[], &[("VERSION", "0.2.0")]).ends(2).says(&["does not stand in this tag's table"]);
    scripts.run("install.sh", &[], &[("VERSION", "1\n::warning::x")]).ends(2).says(&["is no version"]);
    // Later steps get the path of the last good installation.
    let output = scripts.repo.read("temp/output");
    let path = output.lines().next_back().unwrap().strip_prefix("path=").unwrap();
    assert!(path.ends_with("/mastor.exe") && scripts.repo.read("temp/path").lines().count() == 3, "{output}");
    // An archive whose hash differs from the table is not unpacked.
    scripts.release("0.6.6");
    let refused = scripts.run("install.sh", &[], &[]).ends(2).says(&["another SHA-256"]);
    assert!(!refused.out.contains("0.6.6"), "{}", refused.out);
    // A binary given by path is used as it is.
    scripts.run("install.sh", &[], &[("BINARY", "pack/mastor")]).ends(0).says(&["mastor 0.6.6"]);
    scripts.run("install.sh", &[], &[("BINARY", "nowhere")]).ends(2).says(&["names no file"]);
}

#[test]
fn a_commit_without_a_release_is_built_from_its_source_once_and_says_so() {
    let scripts = Scripts::new();
    let outputs = |script: &str, env: &[(&str, &str)]| {
        let _ = std::fs::remove_file(scripts.repo.path().join("temp/output"));
        let ran = scripts.run(script, &[], env).ends(0);
        let told = std::fs::read_to_string(scripts.repo.path().join("temp/output")).unwrap_or_default();
        let lines = told.lines().filter_map(|line| line.split_once('='));
        (ran.out, lines.map(|(name, value)| (name.to_owned(), value.to_owned())).collect::<BTreeMap<_, _>>())
    };
    let (said, asked) = outputs("install.sh", &[]);
    assert!(
        said.contains("::notice title=mastor::this commit of the action knows no release: it is built from its source"),
        "{said}"
    );
    assert!(asked["key"].starts_with("mastor-built-1-Linux-X64-") && !asked.contains_key("path"), "{asked:?}");
    assert_eq!(outputs("install.sh", &[]).1["key"], asked["key"]);
    // It builds in the action's own folder, where a pull request cannot place cargo settings.
    let env =
        [("FOLDER", asked["folder"].as_str()), ("GITHUB_ACTION_REPOSITORY", "acme/mastor"), ("RUSTUP_TOOLCHAIN", "")];
    let (said, built) = outputs("build.sh", &env);
    let place = scripts.repo.path().canonicalize().unwrap();
    assert!(said.contains(&format!("built in {} for acme/mastor\n", place.display())), "{said}");
    assert!(said.contains("toolchain install 1.95") && said.ends_with("mastor of this commit\n"), "{said}");
    assert_eq!(built["built"], "true");
    assert!(
        Path::new(&built["path"]).starts_with(&asked["folder"])
            && scripts.repo.read("temp/path").trim_end() == asked["folder"]
    );
    // A binary restored from the cache is used as it is.
    let (said, cached) = outputs("build.sh", &env);
    assert!(said.contains("taken from the cache") && !said.contains("built in"), "{said}");
    assert_eq!((cached.get("built"), &cached["path"]), (None, &built["path"]));
    // A changed source file changes the cache key; a changed docs page does not.
    std::fs::write(scripts.repo.path().join("docs/page.md"), "").unwrap();
    assert_eq!(outputs("install.sh", &[]).1["key"], asked["key"]);
    std::fs::write(scripts.repo.path().join("src/a file"), "edited").unwrap();
    assert_ne!(outputs("install.sh", &[]).1["key"], asked["key"]);
    // A release without a binary for this runner is built too, unless its version was requested; a message tells if it cannot be built.
    let line = format!("{} 0.3.0 x86_64-apple-darwin https://host.example/v0.3.0/x\n", "0".repeat(64));
    std::fs::write(scripts.repo.path().join(".github/action/checksums.txt"), line).unwrap();
    assert!(outputs("install.sh", &[]).0.contains("release 0.3.0 has no binary for x86_64-unknown-linux-musl"));
    scripts.run("install.sh", &[], &[("VERSION", "0.3.0")]).ends(2).says(&["does not stand in this tag's table"]);
    std::fs::remove_file(scripts.repo.path().join("Cargo.lock")).unwrap();
    scripts.run("install.sh", &[], &[]).ends(2).says(&["::error", "its source is not here"]);
}

#[test]
fn a_release_goes_on_top_of_the_table_of_the_last_tag() {
    let scripts = Scripts::new();
    scripts.release("0.1.0");
    scripts.table("0.1.0").ends(0);
    scripts.repo.git(["commit", "-q", "-am", "The table of 0.1.0"]);
    scripts.repo.git(["tag", "v0.1.0"]);
    // The table is committed at the tag only, not on the branch.
    scripts.repo.git(["checkout", "-q", "HEAD~1"]);
    scripts.table("0.1.0").ends(1).says(&["stands in the table already"]);
    scripts.release("0.2.0");
    scripts.table("0.2.0").ends(0);
    let table = scripts.repo.read(".github/action/checksums.txt");
    let versions: Vec<&str> =
        table.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split(' ').nth(1)).collect();
    assert_eq!(versions, [["0.2.0"; 6], ["0.1.0"; 6]].concat(), "{table}");
    scripts.run("install.sh", &[], &[]).ends(0).says(&["mastor 0.2.0 "]);
    assert_eq!(scripts.repo.read("release/checksums.txt").lines().count(), 6);
}

#[test]
fn a_run_finds_the_cache_of_its_branch_then_of_the_base_then_of_the_default_branch() {
    let scripts = Scripts::new();
    let keys = |env: &[(&str, &str)]| {
        let root = scripts.repo.path().to_str().unwrap().to_owned();
        let mut all = vec![
            ("WORKING_DIRECTORY", "."),
            ("GITHUB_WORKSPACE", &root),
            ("GITHUB_RUN_ATTEMPT", "1"),
            ("DEFAULT_BRANCH", "main"),
        ];
        all.extend(env);
        let _ = std::fs::remove_file(scripts.repo.path().join("temp/output"));
        scripts.run("cache.sh", &[], &all).ends(0);
        let lines: Vec<String> = scripts.repo.read("temp/output").lines().map(str::to_owned).collect();
        let key = lines.iter().find_map(|line| line.strip_prefix("key=")).unwrap().to_owned();
        let restored = lines.iter().skip_while(|line| *line != "restore-keys<<END_OF_KEYS").skip(1);
        let restored: Vec<String> = restored.take_while(|line| *line != "END_OF_KEYS").cloned().collect();
        assert_eq!(lines[1..3], [".mastor/cache/*", "!.mastor/cache/service"], "{lines:?}");
        (key, restored)
    };
    let main = keys(&[("GITHUB_REF_NAME", "main"), ("GITHUB_RUN_ID", "1")]).0;
    let release = keys(&[("GITHUB_REF_NAME", "release"), ("GITHUB_RUN_ID", "2")]).0;
    let other = keys(&[("GITHUB_REF_NAME", "7/merge"), ("GITHUB_HEAD_REF", "topic-2"), ("GITHUB_RUN_ID", "3")]).0;
    let of_pull = [("GITHUB_REF_NAME", "8/merge"), ("GITHUB_HEAD_REF", "topic"), ("GITHUB_BASE_REF", "release")];
    let first = keys(&[&of_pull[..], &[("GITHUB_RUN_ID", "4")]].concat());
    let (key, restored) = keys(&[&of_pull[..], &[("GITHUB_RUN_ID", "5")]].concat());
    let finds = |saved: &str| restored.iter().position(|prefix| saved.starts_with(prefix.as_str()));
    assert_ne!(key, first.0);
    assert_eq!((finds(&first.0), finds(&release), finds(&main), finds(&other)), (Some(0), Some(1), Some(2), None));
}
