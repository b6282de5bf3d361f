//! Bad input: each gets a clear message and its exit code, and nothing is lost.

use crate::generate::with_suite;
use crate::support::Repo;

const ROUTE: &str = "package a; import org.springframework.web.bind.annotation.*;\n\
    @RestController class A { @GetMapping(\"/x\") String x(@RequestParam int n) { return \"x\"; } }";

fn small() -> Repo {
    Repo::new().file("src/main/java/a/A.java", ROUTE)
}

#[test]
fn a_document_with_a_syntax_error_is_named_with_its_place() {
    let repo = small()
        .file("openapi.yaml", "openapi: 3.0.0\npaths:\n  /x: [\n")
        .file("mastor.toml", "[api]\nopenapi = \"openapi.yaml\"\n");
    let repo = repo.commit("broken");
    for command in ["operations", "generate"] {
        repo.run([command]).ends(2).says(&["openapi.yaml", "mastor.toml"]);
    }
    repo.run(["ci", "--since", "main"]).ends(2).says(&["openapi.yaml"]);
    let repo = repo.file("openapi.yaml", "just: text\n").commit("no document");
    repo.run(["operations"]).ends(2).says(&["openapi.yaml"]);
    let repo = repo.remove("openapi.yaml").commit("gone");
    repo.run(["operations"]).ends(2).says(&["openapi.yaml"]);
}

#[test]
fn the_document_of_the_base_may_be_broken() {
    let repo = small().file("mastor.toml", "[api]\nopenapi = \"openapi.yaml\"\n");
    let repo = repo.file("openapi.yaml", "openapi: [").commit("broken").branch("mend");
    let repo =
        repo.file("openapi.yaml", "openapi: 3.0.0\npaths:\n  /x:\n    get:\n      responses: {}\n").commit("mended");
    repo.run(["ci", "--since", "main"]).ends(0);
}

#[test]
fn cyclic_references_end() {
    let document = "openapi: 3.0.0\npaths:\n  /x:\n    get:\n      responses:\n        '200':\n          description: ok\n          content:\n            application/json:\n              schema: {$ref: '#/components/schemas/A'}\ncomponents:\n  schemas:\n    A: {$ref: '#/components/schemas/B'}\n    B: {$ref: '#/components/schemas/A'}\n    C:\n      properties:\n        c: {$ref: '#/components/schemas/C'}\n";
    let repo = small().file("openapi.yaml", document).commit("cyclic");
    repo.run(["operations"]).ends(0).says(&["1 matched"]);
    repo.run(["generate", "--all"]).ends(0);
}

#[test]
fn broken_java_is_used_as_far_as_it_goes() {
    let repo = small()
        .file("src/main/java/a/B.java", "package a; class B { void f( { if } \"")
        .file("src/main/java/a/C.java", [0xff, 0xfe, 0x00, b'c', b'l'])
        .commit("broken");
    repo.run(["operations"]).ends(0).says(&["GET /x", "B.java"]);
    repo.run(["generate", "--all"]).ends(0);
    repo.run(["ci", "--since", "main"]).ends(0);
}

#[test]
fn cyclic_inheritance_and_imports_end() {
    let repo = Repo::new()
        .file("src/main/java/a/A.java", "package a; import b.B; class A extends B { static int X = B.Y; int f() { return g(); } }")
        .file("src/main/java/b/B.java", "package b; import a.A; public class B extends A { static int Y = A.X; int g() { return f(); } }")
        .file(
            "src/main/java/a/C.java",
            "package a; import org.springframework.web.bind.annotation.*;\n@RestController class C extends b.B { @GetMapping(\"/x\") int x() { return f() + X; } }",
        )
        .commit("cyclic");
    repo.run(["operations"]).ends(0).says(&["GET /x"]);
    repo.run(["generate", "--all"]).ends(0);
}

#[test]
fn a_repository_with_nothing_in_it_says_so() {
    let repo = Repo::new();
    for command in [vec!["operations"], vec!["generate", "--all"], vec!["ci", "--since", "main"]] {
        repo.run(command).ends(3).says(&["no commit"]);
    }
    let repo = repo.file("README.md", "# nothing").commit("nothing");
    for command in [vec!["operations"], vec!["plan", "--since", "main"], vec!["generate", "--all"]] {
        repo.run(command).ends(3).says(&["no operations were found"]);
    }
    repo.run(["ci", "--since", "main"]).ends(3).says(&["nothing was found"]);
    Repo::bare_folder().run(["operations"]).ends(2).says(&["repository"]);
}

#[test]
fn a_detached_head_is_a_head() {
    let repo = small().commit("one").edit("src/main/java/a/A.java", "return \"x\"", "return \"z\"").commit("two");
    repo.git(["checkout", "-q", "--detach"]);
    repo.run(["ci", "--since", "HEAD~1"]).ends(0).says(&["1 of 1 operation affected"]);
}

#[test]
fn a_base_that_is_not_here_ends_with_its_fetch_command() {
    let repo = small().commit("one").branch("feature").file("b.txt", "b").commit("two");
    let shallow = repo.cloned(&["--depth", "1", "--branch", "feature", "--single-branch"]);
    for command in ["plan", "ci"] {
        shallow.run([command, "--since", "main"]).ends(5).says(&["git fetch"]);
    }
    repo.run(["plan", "--since", "mian"]).ends(5).says(&["mian"]);
    repo.run(["plan"]).ends(2).says(&["--since"]);
    repo.run(["operations", "--head", "nowhere"]).ends(2).says(&["nowhere"]);
}

#[test]
fn unknown_settings_are_named() {
    let repo = small().file("mastor.toml", "[api]\nopenpai = \"x\"\n").commit("typo");
    repo.run(["operations"]).ends(2).says(&["mastor.toml:2", "openpai", "did you mean `openapi`?"]);
    let repo = repo.file("mastor.toml", "[ci]\nfail-on = \"unacepted\"\n").commit("typo");
    repo.run(["ci", "--since", "main"]).ends(2).says(&["did you mean `unaccepted`?"]);
    let repo = repo.file("mastor.toml", "[api\n").commit("syntax");
    repo.run(["operations"]).ends(2).says(&["mastor.toml:1"]);
    let repo = repo.remove("mastor.toml").commit("none");
    repo.run(["ci", "--since", "main", "--fail-on", "nevr"]).ends(2).says(&["never"]);
}

#[test]
fn a_suite_that_cannot_be_read_is_never_written_over() {
    let whole = with_suite();
    let listed = whole.git(["ls-files", ".mastor/suite"]);
    let path = listed.lines().find(|path| path.contains("get-quotes")).unwrap().to_owned();
    let text = whole.read(&path);
    let newer = text.replacen("\"schema_version\": 2", "\"schema_version\": 99", 1);
    assert_ne!(newer, text);
    let half = text[..text.len() / 2].to_owned();
    let conflict = format!("<<<<<<< ours\n{text}=======\n{text}>>>>>>> theirs\n");
    let mut repo = whole;
    for bad in [newer, half, conflict] {
        repo = repo.file(&path, &bad).commit("bad");
        for command in
            [vec!["generate"], vec!["generate", "--all"], vec!["ci", "--since", "main"], vec!["export", "junit"]]
        {
            let ran = repo.run(command).ends(2);
            assert!(ran.err.contains("get-quotes"), "{}", ran.err);
        }
        assert_eq!(repo.read(&path), bad);
        assert_eq!(repo.git(["status", "--porcelain"]), "");
    }
}

#[test]
fn a_damaged_lock_is_made_anew_when_it_is_removed() {
    let repo = with_suite();
    let listed = repo.git(["ls-files", ".mastor/lock"]);
    let path = listed.lines().find(|path| path.contains("get-quotes")).unwrap().to_owned();
    let whole = repo.read(&path);
    let half = whole[..100].to_owned();
    let repo = repo.file(&path, &half).commit("half");
    repo.run(["generate"]).ends(2).says(&[&path, "remove the file"]);
    assert_eq!(repo.read(&path), half);
    let repo = repo.remove(&path);
    repo.run(["generate"]).ends(0);
    assert_eq!(repo.read(&path), whole);
}

#[test]
fn a_lock_with_the_markers_of_a_merge_is_stale() {
    let repo = with_suite();
    let listed = repo.git(["ls-files", ".mastor/lock"]);
    let path = listed.lines().find(|path| path.contains("get-quotes")).unwrap().to_owned();
    let whole = repo.read(&path);
    let conflict = format!("<<<<<<< ours\n{whole}=======\n{whole}>>>>>>> theirs\n");
    let repo = repo.file(&path, &conflict).commit("conflict");
    let plan = repo.json(["plan", "--since", "main", "--format", "json"]);
    assert_eq!(plan["stale"], serde_json::json!(["GET /quotes"]));
    repo.run(["ci", "--since", "main"]).ends(0);
    assert_eq!(repo.read(&path), conflict);
    repo.run(["generate"]).ends(0);
    assert_eq!(repo.read(&path), whole);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_what_was_whole() {
    let repo = with_suite().edit(
        "src/main/java/com/example/orders/quote/PriceCalculator.java",
        "quantity < 1",
        "quantity < 2",
    );
    let before = repo.git(["ls-files", "-s", ".mastor"]);
    // A limit on the file size simulates a full disk: writing fails in the middle of a file.
    let binary = env!("CARGO_BIN_EXE_mastor");
    let script = format!("trap '' XFSZ; ulimit -f 1; exec '{binary}' generate --all");
    let output = repo.command("bash").args(["-c", &script]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(70), "{said}");
    assert!(said.contains("still stands") || said.contains("room"), "{said}");
    repo.git(["add", "-A", ".mastor"]);
    let listed = repo.git(["ls-files", "-s", ".mastor"]);
    for line in before.lines().filter(|line| line.contains("suite/")) {
        assert!(
            listed.lines().any(|after| after == line || after.split('\t').next_back() == line.split('\t').next_back())
        );
    }
    for path in repo.git(["ls-files", ".mastor/suite"]).lines() {
        serde_json::from_str::<serde_json::Value>(&repo.read(path)).unwrap_or_else(|e| panic!("{path}: {e}"));
    }
    assert!(!listed.contains(".tmp"), "{listed}");
}

/// Runs `mastor` without root's privileges, because root may write to read-only folders.
#[cfg(target_os = "linux")]
fn without_rights(repo: &Repo, arguments: &[&str]) -> Option<crate::support::Ran> {
    let binary = env!("CARGO_BIN_EXE_mastor");
    let root = repo.command("id").arg("-u").output().ok()?.stdout == b"0\n";
    let mut command = match root {
        true => {
            let mut command = repo.command("setpriv");
            command.args(["--inh-caps=-all", "--bounding-set=-all", binary]);
            command
        }
        false => repo.command(binary),
    };
    let output = command.args(arguments).output().ok()?;
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Some(crate::support::Ran { code: output.status.code()?, out: text(output.stdout), err: text(output.stderr) })
}

#[cfg(target_os = "linux")]
#[test]
fn a_read_only_folder_is_named_and_what_writes_nothing_still_answers() {
    let repo = with_suite().branch("feature").edit(
        "src/main/java/com/example/orders/quote/PriceCalculator.java",
        "quantity < 1",
        "quantity < 2",
    );
    let before = repo.git(["status", "--porcelain"]);
    repo.git(["clean", "-fdxq", ".mastor"]);
    let rights = |mode: &str| assert!(repo.command("chmod").args(["-R", mode, ".mastor"]).status().unwrap().success());
    rights("a-w");
    let run = |arguments: &[&str]| without_rights(&repo, arguments);
    let ran: Vec<_> =
        [&["plan", "--since", "main"][..], &["ci", "--since", "main"], &["generate"], &["export", "junit"]]
            .map(run)
            .into();
    rights("u+w");
    // Without `setpriv`, root's privileges cannot be dropped, so the test is left out.
    let Some([plan, ci, generate, export]) =
        ran.into_iter().collect::<Option<Vec<_>>>().and_then(|ran| <[_; 4]>::try_from(ran).ok())
    else {
        return;
    };
    plan.ends(0).says(&["2 affected", "the cache cannot be written"]);
    for ran in [ci, generate, export] {
        ran.ends(70).says(&["no right to write", ".mastor", "still stands", "make the folder writable"]);
    }
    assert_eq!(repo.git(["status", "--porcelain"]), before);
}

/// Runs `mastor` with `.mastor` on a disk with `free` kilobytes left; also returns the hashes of the committed files before and after.
#[cfg(target_os = "linux")]
fn on_a_full_disk(repo: &Repo, free: u32, arguments: &str) -> Option<(crate::support::Ran, String, String)> {
    let binary = env!("CARGO_BIN_EXE_mastor");
    let list = "(cd .mastor && find suite lock -type f | LC_ALL=C sort | xargs sha256sum)";
    let script = format!(
        "cp -a .mastor ../kept && mount -t tmpfs -o size=4m tmpfs .mastor && cp -a ../kept/. .mastor/ || exit 99\n\
         dd if=/dev/zero of=.mastor/fill bs=1k count=8000 2>/dev/null\n\
         truncate -s -{free}k .mastor/fill\n\
         {list} > ../before\n'{binary}' {arguments}\ncode=$?\n{list} > ../after\n\
         find .mastor -name '.mastor-*' -o -name '*.tmp' | grep . && exit 98\nexit $code"
    );
    let output = repo.command("unshare").args(["-rm", "bash", "-c", &script]).output().ok()?;
    let code = output.status.code().filter(|code| *code != 99)?;
    let read = |name: &str| std::fs::read_to_string(repo.path().join("..").join(name)).ok();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let ran = crate::support::Ran { code, out: text(output.stdout), err: text(output.stderr) };
    Some((ran, read("before")?, read("after")?))
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_without_room_leaves_every_file_whole() {
    let changed = || {
        with_suite().branch("feature").edit(
            "src/main/java/com/example/orders/quote/PriceCalculator.java",
            "quantity < 1",
            "quantity < 2",
        )
    };
    for arguments in ["generate", "ci --since main"] {
        // Where no disk can be mounted, the file-size limit above is the only test.
        let Some((ran, before, after)) = on_a_full_disk(&changed(), 4, arguments) else { return };
        ran.ends(70).says(&["no space left to write", ".mastor", "still stands", "free some room"]);
        assert_eq!(before, after);
    }
    let Some((ran, before, after)) = on_a_full_disk(&changed(), 0, "plan --since main") else { return };
    ran.ends(0).says(&["2 affected", "the cache cannot be written"]);
    assert_eq!(before, after);
}
