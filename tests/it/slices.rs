//! `mastor slice`: runs oracles with stubs on the project's own handlers in a real JVM; Maven builds the project.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::exports::without;
use crate::support::{Ran, Repo};

const SERVICE: &str = "src/main/java/com/example/notes/NoteService.java";

pub fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/spring-stubbed")
}

/// Runs `mastor` with this machine's Maven repository.
pub fn run(repo: &Repo, arguments: &[&str]) -> Ran {
    let mut command = repo.mastor(arguments.iter().copied());
    let output = command.env("HOME", std::env::var("HOME").unwrap()).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    Ran { code: output.status.code().unwrap(), out: text(&output.stdout), err: text(&output.stderr) }
}

/// The harness compiles with the project's Spring version; it uses reflection for classes that a version may lack.
#[test]
fn the_harness_compiles_beside_the_oldest_and_the_newest_spring() {
    if without("maven") {
        return;
    }
    let files = |folder: &Path, end: &str| -> Vec<PathBuf> {
        let all = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let all = all.map(|entry| entry.unwrap().path());
        all.filter(|path| path.to_string_lossy().ends_with(end)).collect()
    };
    let harness = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("templates/slices"), ".java");
    assert!(harness.len() > 20, "{harness:?}");
    for version in ["4.3.30.RELEASE", "5.1.19.RELEASE", "7.0.0"] {
        let jars = files(&crate::tools::folder().join("springs").join(version), ".jar");
        let classes = tempfile::tempdir().unwrap();
        let mut javac = std::process::Command::new("javac");
        javac.args(["-proc:none", "-nowarn", "-d"]).arg(classes.path()).arg("-cp");
        javac.arg(std::env::join_paths(jars).unwrap()).args(&harness);
        let output = javac.output().unwrap();
        assert!(output.status.success(), "Spring {version}:\n{}", String::from_utf8_lossy(&output.stderr));
        assert!(classes.path().join("mastor/Slices.class").is_file());
        // Spring 4 and 5.0 also treat nested classes of a configuration as configuration; none of them may disable Spring Boot's own.
        let switches =
            |class: &PathBuf| String::from_utf8_lossy(&std::fs::read(class).unwrap()).contains("EnableWebMvc");
        let all: Vec<PathBuf> = files(&classes.path().join("mastor"), ".class").into_iter().filter(switches).collect();
        let names: Vec<_> = all.iter().filter_map(|class| class.file_name()).collect();
        assert_eq!(names, ["Web.class"], "Spring {version}");
    }
}

/// A service that cannot start on its own, with its suite.
fn with_suite() -> Repo {
    let repo = Repo::new().folder(&fixture(), "").commit("Notes");
    repo.run(["generate", "--all", "--no-service"]).ends(0);
    repo.commit("Suite")
}

fn verdicts(sliced: &Value, op_id: &str) -> Vec<String> {
    let of = sliced["slices"].as_array().unwrap().iter().filter(|one| one["op_id"] == op_id);
    of.map(|one| format!("{} {}", one["test_id"].as_str().unwrap(), one["verdict"].as_str().unwrap())).collect()
}

#[test]
fn handlers_run_without_the_service_and_a_planted_break_is_seen() {
    if without("maven") {
        return;
    }
    let repo = with_suite();
    let sliced = run(&repo, &["slice", "--format", "json"]).ends(0).json();
    let operations: Vec<&str> =
        sliced["operations"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
    assert_eq!(operations, ["DELETE /notes/{id}", "GET /notes", "GET /notes/{id}", "POST /notes"], "{sliced:#}");
    assert_eq!((&sliced["counts"]["refuted"], &sliced["counts"]["inconclusive"]), (&0.into(), &0.into()), "{sliced:#}");
    // The stubs decide: the same request finds a note or none.
    assert!(verdicts(&sliced, "GET /notes/{id}").len() > 2, "{sliced:#}");
    let schema = repo.json(["schema", "slices"]);
    let errors: Vec<String> =
        jsonschema::draft202012::new(&schema).unwrap().iter_errors(&sliced).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    assert!(!repo.read(".mastor/out/slices.json").contains("seconds"));

    // A removed check is detected without database and mail server, and nothing else is reported.
    let broken = repo.edit(SERVICE, "if (note.isHidden()) {", "if (note == null) {").commit("Show all");
    // Compared with the base, it is reported with its stubs, for the two requested operations only.
    let asked = ["slice", "GET /notes/{id}", "DELETE /notes/{id}", "--since", "HEAD~1", "--format", "json"];
    let between = run(&broken, &asked).ends(1).json();
    let all = between["slices"].as_array().unwrap();
    assert!(all.iter().all(|one| one["op_id"].as_str().unwrap().ends_with("/notes/{id}")), "{between:#}");
    let refuted: Vec<&Value> = all.iter().filter(|one| one["verdict"] == "refuted").collect();
    let missed = |one: &&Value| one["missed"].as_str().unwrap().contains("seen 20");
    assert!(!refuted.is_empty() && refuted.iter().all(missed), "{between:#}");
    let changes: Vec<String> = between["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| format!("{} {} {}", one["op_id"], one["what"], one["given"]))
        .collect();
    let told = |op_id: &str, what: &str| {
        changes.iter().any(|one| one.contains(op_id) && one.contains(what) && one.contains("note.hidden"))
    };
    assert!(
        told("GET /notes/{id}", "status: 404 → 200") && told("DELETE /notes/{id}", "status: 404 → 204"),
        "{changes:#?}"
    );
    assert_eq!(changes.len(), 2, "{changes:#?}");
}

#[test]
fn what_keeps_slices_from_running_is_said() {
    // An unknown operation is reported before the build.
    let asked = with_suite().run(["slice", "GET /note"]).ends(2).err;
    assert!(asked.contains("no operation is named GET /note"), "{asked}");
    // Without a suite there is nothing to run.
    let repo = Repo::new().folder(&fixture(), "").commit("Notes");
    assert!(repo.run(["slice"]).ends(3).err.contains("generate --all"));
    if without("maven") {
        return;
    }
    // The code does not compile. The build log is ignored by git.
    let broken =
        Repo::new().folder(&fixture(), "").edit(SERVICE, "rows.delete(byId(id));", "rows.delete(id);").commit("Broken");
    run(&broken, &["generate", "--all", "--slices", "on"]).ends(4).says(&["makes no slices"]);
    assert!(broken.read(".mastor/out/class-path-head.log").contains("NoteService.java"));
    let changed = broken.git(["status", "--porcelain", "--untracked-files=all"]);
    assert!(changed.contains(".mastor/suite/") && !changed.contains(".mastor/out"), "{changed}");
    let broken = with_suite().edit(SERVICE, "rows.delete(byId(id));", "rows.delete(id);").commit("Broken");
    let ran = run(&broken, &["slice"]).ends(4);
    assert!(ran.err.contains("NoteService.java"), "{}", ran.err);
}

/// The changes of a report: operation, kind and sentence.
fn told(report: &Value) -> Vec<String> {
    let changes = report["changes"].as_array().unwrap().iter();
    changes.map(|one| format!("{} {} {}", one["op_id"], one["kind"], one["what"]).replace('"', "")).collect()
}

#[test]
fn a_pull_request_is_told_as_it_was_seen_in_slices_of_base_and_head() {
    if without("maven") {
        return;
    }
    let repo = Repo::new().folder(&fixture(), "").commit("Notes");
    // Generated oracles are run at once, and the output counts them.
    let made = run(&repo, &["generate", "--all", "--slices", "on", "--format", "json"]).ends(0).json();
    let slices = &made["slices"];
    assert_eq!(
        (&slices["oracles"], &slices["held"], &slices["refuted"]),
        (&16.into(), &16.into(), &0.into()),
        "{made:#}"
    );
    let suites = repo.read(".mastor/suite/get-notes-id-2a78a8c7.json");
    assert!(suites.contains("\"by_slice\": true"), "{suites}");
    let id = made["operations"].as_array().unwrap().len();
    assert_eq!(id, 4);
    let repo = repo.commit("Suite").branch("feature").edit(SERVICE, "if (note.isHidden()) {", "if (note == null) {");
    let repo = repo.commit("Show all");
    let ran = run(&repo, &["ci", "--since", "main", "--slices", "on", "--format", "json"]).ends(1);
    let report = ran.json();
    assert_eq!(report["level"], "slices");
    let all = told(&report);
    assert_eq!(all.len(), 2, "{all:#?}");
    assert!(all.iter().all(|one| one.contains(" slice ") && one.contains("where it answered 404")), "{all:#?}");
    let change = &report["changes"][0];
    assert_eq!(change["given"], serde_json::json!(["noteRows.findById(id) finds a note", "note.hidden"]), "{change:#}");
    assert!(change["before"].as_str().unwrap().starts_with("404"), "{change:#}");
    assert!(change["o_id"].is_string() && change["needs_decision"] == true, "{change:#}");
    let text = repo.read(".mastor/out/report.md");
    assert!(
        text.contains("seen in a slice, on base and head")
            && text.contains("Given: `noteRows.findById(id) finds a note"),
        "{text}"
    );
    // After acceptance, the suite has the new expectation, and the next run reports the change as accepted.
    let ids: Vec<&str> =
        report["changes"].as_array().unwrap().iter().map(|one| one["o_id"].as_str().unwrap()).collect();
    run(&repo, &["accept", ids[0], ids[1]]).ends(0);
    let repo = repo.commit("Accept");
    // A run without slices does, too.
    let after = run(&repo, &["ci", "--since", "main", "--format", "json"]).ends(0).json();
    assert!(after["changes"].as_array().unwrap().iter().all(|one| one["accepted"] == true), "{after:#}");
}

#[test]
fn a_refactoring_is_the_same_in_slices_and_a_build_that_fails_loses_nothing() {
    if without("maven") {
        return;
    }
    let suite = with_suite();
    let tidied = suite.branch("tidied").edit(
        SERVICE,
        "if (note.isHidden()) {\n            throw new MissingNote(id);\n        }\n        return note;",
        "if (!note.isHidden()) {\n            return note;\n        }\n        throw new MissingNote(id);",
    );
    let tidied = tidied.commit("Turned round");
    let report = run(&tidied, &["ci", "--since", "main", "--slices", "on", "--format", "json"]).ends(0).json();
    assert_eq!((report["changes"].as_array().unwrap().len(), &report["verdict"]), (0, &"same".into()), "{report:#}");
    // If the head does not compile, changes are derived from the code only.
    let broken = tidied.branch("broken").edit(SERVICE, "rows.delete(byId(id));", "rows.delete(id);").commit("Broken");
    let ran = run(&broken, &["ci", "--since", "main", "--slices", "on", "--format", "json"]).ends(4);
    let report = ran.json();
    assert_eq!(report["level"], "derived");
    assert!(
        report["notes"].as_array().unwrap().iter().any(|note| note.as_str().unwrap().contains("no slice was run")),
        "{report:#}"
    );
    assert!(told(&report).iter().any(|one| one.starts_with("DELETE /notes/{id} derived")), "{report:#}");
}

#[test]
fn a_call_that_changes_what_is_outside_is_part_of_what_an_oracle_expects() {
    if without("maven") {
        return;
    }
    let repo = Repo::new().folder(&fixture(), "").commit("Notes");
    let made = run(&repo, &["generate", "--all", "--slices", "on", "--format", "json"]).ends(0).json();
    assert_eq!(made["slices"]["held"], 16, "{made:#}");
    let suite: Value = serde_json::from_str(&repo.read(&suite_of(&repo, "post-notes-"))).unwrap();
    let oracles = suite["oracles"].as_array().unwrap().iter();
    let all: Vec<&Value> =
        oracles.filter_map(|one| one.get("events")).flat_map(|all| all.as_array().unwrap()).collect();
    let sent: Vec<&&Value> = all.iter().filter(|one| one["call"] == "com.example.notes.Mailer#send").collect();
    assert!(!sent.is_empty() && all.iter().any(|one| one["call"] == "com.example.notes.NoteRows#save"), "{all:#?}");
    assert_eq!(sent[0]["arguments"].as_array().unwrap().len(), 2, "{sent:#?}");
    // Answers seen in slices become observed assertions if only slices can run the oracle.
    let one: Value = serde_json::from_str(&repo.read(&suite_of(&repo, "get-notes-id-"))).unwrap();
    let text = one.to_string();
    assert!(text.contains(r#""source":"observed""#) && text.contains(r#""path":"text""#), "{one:#}");
    let o_id = |suite: &Value| {
        let mut oracles = suite["oracles"].as_array().unwrap().iter();
        oracles.find(|one| one.get("events").is_some()).unwrap()["o_id"].as_str().unwrap().to_owned()
    };
    repo.run(["explain", &o_id(&suite)]).ends(0).says(&["Mailer.send is called with (", "(observed)"]);

    // The answer is unchanged, but the mail is no longer sent.
    let repo =
        repo.commit("Suite").branch("feature").edit(SERVICE, "        mailer.send(editor, saved.getText());\n", "");
    let repo = repo.commit("No mail");
    let sliced = run(&repo, &["slice", "POST /notes", "--since", "main", "--format", "json"]).ends(1).json();
    let missed =
        |one: &&Value| one["missed"].as_str().is_some_and(|missed| missed.starts_with("no call of Mailer.send("));
    assert!(sliced["slices"].as_array().unwrap().iter().any(|one| missed(&one)), "{sliced:#}");
    let whats = sliced["changes"].to_string();
    assert!(whats.contains("call of Mailer.send: (") && whats.contains("→ nothing"), "{whats}");
    let report = run(&repo, &["ci", "--since", "main", "--slices", "on", "--format", "json"]).ends(1).json();
    assert!(
        report["changes"].as_array().unwrap().iter().any(|one| one["kind"] == "slice" && one["needs_decision"] == true),
        "{report:#}"
    );
}

/// Both revisions are built while changes are derived; interrupting the run stops these builds, too.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_what_was_started_ahead() {
    if without("maven") {
        return;
    }
    let repo = with_suite().branch("feature").edit(SERVICE, "if (note.isHidden()) {", "if (note == null) {");
    let repo = repo.commit("Show all");
    let mut command = repo.command(env!("CARGO_BIN_EXE_mastor"));
    command.args(["ci", "--since", "main", "--slices", "on"]).env("HOME", std::env::var("HOME").unwrap());
    command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    let mut running = command.spawn().unwrap();
    // The builds take longer than this, on any machine.
    std::thread::sleep(std::time::Duration::from_millis(1500));
    let signal = repo.command("kill").args(["-INT", &running.id().to_string()]).status().unwrap();
    assert!(signal.success());
    assert_eq!(running.wait().unwrap().code(), Some(130));
    // A second run uses the same folders without interference.
    let report = run(&repo, &["ci", "--since", "main", "--slices", "on", "--format", "json"]).ends(1).json();
    assert_eq!(report["level"], "slices", "{report:#}");
}

/// The path of an operation's suite file, by the start of its name.
fn suite_of(repo: &Repo, start: &str) -> String {
    let files = std::fs::read_dir(repo.path().join(".mastor/suite")).unwrap();
    let mut names = files.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    let name = names.find(|name| name.starts_with(start)).unwrap_or_else(|| panic!("no {start}"));
    format!(".mastor/suite/{name}")
}

#[test]
fn slices_run_by_themselves_where_no_service_is_and_in_ci_only_where_the_base_says_so() {
    if without("maven") {
        return;
    }
    let repo = with_suite().branch("feature").edit(SERVICE, "if (note.isHidden()) {", "if (note == null) {");
    let repo = repo.commit("Show all");
    let mut command = repo.mastor(["generate", "GET /notes", "--format", "json"]);
    command.env("HOME", std::env::var("HOME").unwrap()).env_remove("MASTOR_SLICES");
    let made: Value = serde_json::from_slice(&command.output().unwrap().stdout).unwrap();
    assert!(made["slices"]["held"].as_u64().unwrap() > 0, "{made:#}");
    let repo = repo.commit("Suite");
    let level = |ci: bool, arguments: &[&str]| {
        let mut command = repo.mastor(["ci", "--since", "main", "--format", "json"].iter().chain(arguments).copied());
        command.env("HOME", std::env::var("HOME").unwrap()).env_remove("MASTOR_SLICES");
        if ci {
            command.env("CI", "true");
        }
        let output = command.output().unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        report["level"].as_str().unwrap().to_owned()
    };
    assert_eq!(level(false, &["--no-service"]), "derived");
    assert_eq!(level(true, &[]), "derived");
    // In CI, the head's settings cannot enable slices.
    let repo = repo.file("mastor.toml", "[ci]\nslices = \"on\"\n").commit("Settings");
    let level = |since: &str| {
        let mut command = repo.mastor(["ci", "--since", since, "--format", "json"]);
        command.env("HOME", std::env::var("HOME").unwrap()).env_remove("MASTOR_SLICES").env("CI", "true");
        let report: Value = serde_json::from_slice(&command.output().unwrap().stdout).unwrap();
        report["level"].as_str().unwrap().to_owned()
    };
    assert_eq!(level("main"), "derived");
    let repo = repo.edit(SERVICE, "if (note == null) {", "if (note.isHidden()) {").commit("Hide again");
    let mut command = repo.mastor(["ci", "--since", "HEAD~1", "--format", "json"]);
    command.env("HOME", std::env::var("HOME").unwrap()).env_remove("MASTOR_SLICES").env("CI", "true");
    let report: Value = serde_json::from_slice(&command.output().unwrap().stdout).unwrap();
    assert_eq!(report["level"], "slices", "{report:#}");
}

const MINE: &str = "package com.example.notes;
import java.util.List; import org.springframework.security.core.Authentication; import org.springframework.web.bind.annotation.*;
@RestController public class MineController {
  private final NoteService notes; public MineController(NoteService notes) { this.notes = notes; }
  @GetMapping(\"/mine\") public List<Note> mine(Authentication caller) {
    if (!caller.getName().equals(\"editor\")) { throw new MissingNote(0L); }
    return notes.byText(caller.getName()); } }";

#[test]
fn the_caller_is_who_an_oracle_says() {
    if without("maven") {
        return;
    }
    let security = "<dependency>\n      <groupId>org.springframework.security</groupId>\n      <artifactId>spring-security-core</artifactId>\n    </dependency>\n  </dependencies>";
    let repo = Repo::new()
        .folder(&fixture(), "")
        .edit("pom.xml", "</dependencies>", security)
        .file("src/main/java/com/example/notes/MineController.java", MINE)
        .commit("Mine");
    run(&repo, &["generate", "GET /mine", "--no-service"]).ends(0);
    let sliced = run(&repo.commit("Suite"), &["slice", "--format", "json"]).ends(0).json();
    let all = verdicts(&sliced, "GET /mine");
    let held = |statuses: &str| all.iter().any(|one| one.contains(statuses) && one.ends_with(" held"));
    assert!(held("given_200") && held("given_404"), "{sliced:#}");
    assert_eq!(sliced["operations"], serde_json::json!(["GET /mine"]));
}

/// Additional classes: a bean from a factory method, configuration properties, and values that only a constructor can create.
const MORE: [(&str, &str); 5] = [
    (
        "Setup.java",
        "package com.example.notes;
import org.springframework.boot.context.properties.EnableConfigurationProperties; import org.springframework.context.annotation.*;
@Configuration @EnableConfigurationProperties(Limits.class) public class Setup { @Bean public Greeter greeter() { return new Greeter(\"hello\"); } }",
    ),
    (
        "Greeter.java",
        "package com.example.notes;
public class Greeter { private final String word; public Greeter(String word) { this.word = word; } public String greet(String name) { return word + \" \" + name; } }",
    ),
    (
        "Limits.java",
        "package com.example.notes;
@org.springframework.boot.context.properties.ConfigurationProperties(\"limits\") public class Limits { private int most = 3; public int getMost() { return most; } public void setMost(int most) { this.most = most; } }",
    ),
    (
        "People.java",
        "package com.example.notes;
public interface People { Person named(String name); boolean knows(String name); record Person(String name, int age) {} }",
    ),
    (
        "PeopleController.java",
        "package com.example.notes;
import org.springframework.http.ResponseEntity; import org.springframework.web.bind.annotation.*;
@RestController public class PeopleController {
  private final People people; private final Greeter greeter; private final Limits limits;
  public PeopleController(People people, Greeter greeter, Limits limits) { this.people = people; this.greeter = greeter; this.limits = limits; }
  @GetMapping(\"/people/{name}\") public ResponseEntity<String> greet(@PathVariable(\"name\") String name) {
    if (!people.knows(name)) { return ResponseEntity.notFound().build(); }
    return ResponseEntity.ok(greeter.greet(people.named(name).name()) + limits.getMost()); } }",
    ),
];

#[test]
fn slices_are_exported_as_tests_that_the_project_builds_and_keeps_by_itself() {
    if without("maven") {
        return;
    }
    let mut repo = Repo::new().folder(&fixture(), "");
    for (name, text) in MORE {
        repo = repo.file(&format!("src/main/java/com/example/notes/{name}"), text);
    }
    let repo = repo.commit("Notes and people");
    repo.run(["generate", "--all", "--no-service"]).ends(0);
    let repo = repo.commit("Suite");
    let exported = run(&repo, &["export", "slices"]).ends(0);
    assert!(exported.err.contains(" tests of 5 operations"), "{}", exported.err);
    let tests = repo.path().join(".mastor/out/export/slices/src/test/java/com/example/notes");
    let text = std::fs::read_to_string(tests.join("GetNotesIdTest.java")).unwrap();
    insta::assert_snapshot!("a_class_of_tests", text);
    let people = std::fs::read_to_string(tests.join("GetPeopleNameTest.java")).unwrap();
    assert!(people.contains("return new Setup().greeter();"), "{people}");
    assert!(people.contains("@EnableConfigurationProperties({Limits.class})"), "{people}");
    assert!(people.contains(".andExpect(content().string(\"hello name3\"))"), "{people}");
    // In the project's test folder, the generated tests run without mastor.
    let repo = repo.folder(&tests, "src/test/java/com/example/notes");
    let maven = |repo: &Repo| {
        let mut command = crate::support::maven();
        let output = command.args(["-B", "-o", "test"]).current_dir(repo.path()).output().unwrap();
        let output = match output.status.success() || String::from_utf8_lossy(&output.stdout).contains("Tests run") {
            true => output,
            // Maven may have to download its test runner once.
            false => crate::support::maven().args(["-B", "test"]).current_dir(repo.path()).output().unwrap(),
        };
        (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (green, said) = maven(&repo);
    assert!(green && said.contains("Failures: 0, Errors: 0"), "{said}");
    // They detect a removed check.
    let broken = repo.edit(SERVICE, "if (note.isHidden()) {", "if (note == null) {");
    let (green, said) = maven(&broken);
    assert!(!green && said.contains("answers404") && said.contains("expected:<404> but was:<200>"), "{said}");
}

#[test]
fn slices_are_no_kind_that_every_run_exports() {
    let repo = with_suite().file("mastor.toml", "[export]\nkinds = [\"slices\"]\n").commit("Settings");
    let said = repo.run(["ci", "--since", "HEAD"]).ends(2).err;
    assert!(said.contains("`mastor export slices` writes them"), "{said}");
}
