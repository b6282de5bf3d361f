//! Custom templates: what they replace, the message for an invalid one, and which revision's templates CI uses.

use crate::generate::with_suite;
use crate::support::Repo;

const ZONES: &str = "src/main/java/com/example/orders/shipping/ShippingController.java";

fn named(repo: Repo, folder: &str) -> Repo {
    repo.file("mastor.toml", format!("[export]\nkinds = [\"readable\", \"html\"]\ntemplates = \"{folder}\"\n"))
}

#[test]
fn every_template_can_be_replaced_beginning_with_ours() {
    let repo = with_suite();
    repo.run(["export", "junit", "postman", "readable", "html", "--dir", "ours"]).ends(0);
    repo.run(["init", "--templates", "own"]).ends(0).says(&["own", "templates = \"own\""]);
    assert!(!repo.path().join(".github").exists());
    let repo = named(repo, "own");
    repo.run(["config", "show"]).ends(0).says(&["export.templates = \"own\""]);
    repo.run(["doctor"]).says(&["templates of your own can be read"]);
    // Unchanged templates give the same bytes, except for the revision, which is now the work tree.
    repo.run(["export", "junit", "postman", "readable", "--dir", "same"]).ends(0);
    for path in
        ["junit/pom.xml", "junit/src/test/java/mastor/Mastor.java", "postman/collection.json", "readable/index.md"]
    {
        assert!(repo.read(&format!("ours/{path}")) == repo.read(&format!("same/{path}")), "{path}");
    }
    let repo = repo
        .file(
            "own/readable/index.md",
            "{% include \"shared/head.md\" %}\n{% for it in operations %}\n- {{ it.op_id }}\n{% endfor %}\n",
        )
        .file("own/shared/head.md", "# Of {{ service }}\n")
        .file("own/html/page.css", "body { color: #123456; }\n")
        .edit("own/junit/pom.xml", "5.14.4", "5.14.5")
        .edit("own/postman/after.js", "const mastor", "// ours\nconst mastor");
    repo.run(["init", "--templates", "own"]).ends(0).says(&["are there already and stay"]);
    repo.run(["export", "junit", "postman", "readable", "html", "--dir", "out"]).ends(0);
    assert!(repo.read("out/readable/index.md").starts_with("# Of service\n- POST /admin/orders/{id}/archive\n"));
    assert!(repo.read("out/junit/pom.xml").contains("5.14.5"));
    assert!(repo.read("out/postman/collection.json").contains("// ours"));
    let page = repo.read("out/html/index.html");
    // The content security policy is updated for the changed style.
    assert!(page.contains("<style>body { color: #123456; }\n</style>"));
    let policy = |page: &str| page.split("style-src &#39;").nth(1).unwrap().split('&').next().unwrap().to_owned();
    assert_ne!(policy(&page), policy(&repo.read("ours/html/index.html")));
}

#[test]
fn a_template_that_is_wrong_is_named_with_its_line_and_nothing_is_written() {
    let repo = named(with_suite(), "own");
    repo.run(["export", "readable"]).ends(2).says(&["there is no folder `own`", "init --templates"]);
    let wrong = [
        ("own/readable/index.md", "# a\n\n{{ nothing }}\n", "own/readable/index.md:3"),
        ("own/readable/index.md", "# a\n{% for %}\n", "own/readable/index.md:2"),
        ("own/readable/indx.md", "# a\n", "did you mean `readable/index.md`?"),
        ("own/html/page.js", "let a;\n// </script>\n", "own/html/page.js:2"),
        ("own/junit/Operation.java", "class A {\n  // {{ title }}\n}\n", "own/junit/Operation.java:2"),
    ];
    let mut repo = repo;
    for (path, text, said) in wrong {
        repo = repo.file(path, text);
        repo.run(["export", "readable", "html", "junit", "--dir", "out"]).ends(2).says(&[said]);
        assert!(!repo.path().join("out").exists());
        repo = repo.remove(path);
    }
    let outside = repo.file("mastor.toml", "[export]\ntemplates = \"../own\"\n");
    outside.run(["export", "readable"]).ends(2).says(&["no folder below the repository's root"]);
}

#[test]
fn in_ci_templates_are_those_of_the_base_and_a_pull_request_changes_none() {
    let of_base = "# Base\n{{ counts }}\n";
    let repo = named(with_suite(), "own").file("own/readable/index.md", of_base).commit("Own templates");
    let changed = |repo: Repo| repo.edit(ZONES, "country.length() != 2", "country.length() != 3").commit("A change");
    let repo = changed(repo.branch("feature").file("own/readable/index.md", "# Head\n{{ counts }}\n"));
    let index = ".mastor/out/export/readable/index.md";
    let page = ".mastor/out/export/html/index.html";
    repo.run(["ci", "--since", "main"]);
    assert!(repo.read(index).starts_with("# Head\n"));
    assert!(repo.read(".mastor/out/report.json").contains(page));
    assert!(repo.read(page).contains("GET /shipping/zones/{country}"));
    let mut command = repo.mastor(["ci", "--since", "main"]);
    command.env("CI", "true").output().unwrap();
    assert!(repo.read(index).starts_with("# Base\n"), "{}", repo.read(index));
    // Shards pass the templates on to `merge`.
    std::fs::remove_dir_all(repo.path().join(".mastor/out/export")).unwrap();
    let in_ci = |arguments: &[&str]| repo.mastor(arguments.iter().copied()).env("CI", "true").output().unwrap();
    in_ci(&["ci", "--since", "main", "--shard", "1/1"]);
    let joined = in_ci(&["merge", ".mastor/out"]);
    assert!(repo.read(index).starts_with("# Base\n"), "{}", String::from_utf8_lossy(&joined.stderr));
    assert!(repo.read(page).contains("ShippingController.java"));
    // In CI, a template folder that only the head configures is ignored.
    let repo = changed(with_suite().branch("feature"))
        .file("own/readable/index.md", "# Head\n")
        .file("mastor.toml", "[export]\ntemplates = \"own\"\n")
        .commit("Mine");
    let mut command = repo.mastor(["ci", "--since", "main"]);
    command.env("CI", "true").output().unwrap();
    assert!(repo.read(index).contains("what its API is expected to do"));
}

#[test]
fn what_is_committed_is_what_is_named_but_for_the_page() {
    let settings = "[export]\ncommit = true\ndir = \"out\"\nkinds = [\"readable\", \"html\"]\n";
    let repo = Repo::example().file("mastor.toml", settings);
    repo.run(["generate", "GET /quotes"]).ends(0);
    assert!(repo.read("out/readable/index.md").contains("GET /quotes"));
    assert!(!repo.path().join("out/html").exists() && !repo.path().join("out/junit").exists());
}
