//! Follow-up reads: the observed effect of a write is stored as a sequence, breaks when a read shows another effect, and is replaced only by
//! `accept`.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::Repo;

pub const CODE: &str = "src/main/java/com/acme/Tickets.java";
const CLOSE: &str = ".mastor/suite/sequences/put-tickets-id-closed-";

/// A service whose answers to writes say little, so that only reads show their effects.
pub fn tickets() -> Repo {
    tickets_reset_by("{ post = \"/reset\" }")
}

/// The ticket service with this reset.
pub fn tickets_reset_by(reset: &str) -> Repo {
    let settings = format!(
        "[api]\nname = \"tickets\"\nopenapi = false\n[service]\nstart = \"exec python3 server.py {{port}}\"\n\
         ready = {{ url = \"/tickets\" }}\nreset = {reset}\nstop-within = \"2s\"\n"
    );
    Repo::new()
        .file("server.py", include_str!("follow/server.py"))
        .file(CODE, include_str!("follow/Tickets.java"))
        .file("mastor.toml", settings)
        .commit("Tickets")
}

fn files(repo: &Repo) -> BTreeMap<String, Vec<u8>> {
    let listed = repo.git(["ls-files", "-co", "--exclude-standard", ".mastor"]);
    let there = listed.lines().filter(|path| repo.path().join(path).exists());
    there.map(|path| (path.to_owned(), std::fs::read(repo.path().join(path)).unwrap())).collect()
}

/// The sequences in the file whose path has this prefix.
fn sequences(repo: &Repo, begins: &str) -> Vec<Value> {
    let path = files(repo).into_keys().find(|path| path.starts_with(begins)).unwrap();
    let file: Value = serde_json::from_str(&repo.read(&path)).unwrap();
    file["sequences"].as_array().unwrap().clone()
}

fn steps(sequence: &Value) -> Vec<&str> {
    sequence["steps"].as_array().unwrap().iter().map(|step| step["op_id"].as_str().unwrap()).collect()
}

#[test]
fn what_a_write_does_is_read_and_kept_the_same_each_time() {
    let repo = tickets();
    repo.run(["generate", "--all"]).ends(0).says(&["follow-up reads kept as seen"]);
    let close = sequences(&repo, CLOSE).remove(0);
    assert_eq!(steps(&close), ["PUT /tickets/{id}/closed", "GET /tickets/{id}", "GET /tickets"]);
    let read = &close["steps"][1];
    assert_eq!(read["input"]["path"]["id"], close["steps"][0]["input"]["path"]["id"]);
    assert!(read["assertions"].as_array().unwrap().iter().all(|assertion| assertion["source"] == "observed"), "{read}");
    assert!(read.to_string().contains(r#""expected":"CLOSED""#), "{read}");
    // Only the field that the reads themselves change is quarantined.
    assert_eq!(close["confirmation"]["quarantined"], serde_json::json!([{"path": "3:served", "why": "counter"}]));

    // A created ticket is read by its `Location`; a removed one is gone.
    let opened = sequences(&repo, ".mastor/suite/sequences/post-tickets-");
    let open = opened.iter().find(|one| one["test_id"].as_str().unwrap().ends_with("_then_read")).unwrap();
    assert_eq!(steps(open), ["POST /tickets", "GET /tickets", "GET /tickets/{id}"]);
    // Chains: the created ticket is removed, or closed, by a second write; removing it twice is refused.
    let removed = opened.iter().find(|one| steps(one)[1] == "DELETE /tickets/{id}").unwrap();
    let again = ["POST /tickets", "DELETE /tickets/{id}", "GET /tickets/{id}", "GET /tickets", "DELETE /tickets/{id}"];
    assert_eq!(steps(removed), again);
    let statuses: Vec<&Value> = (1..5).map(|step| &removed["steps"][step]["assertions"][0]["expected"]).collect();
    assert_eq!(statuses, [&Value::from(204), &404.into(), &200.into(), &404.into()], "{removed:#}");
    assert_eq!(removed["steps"][4]["binds"]["path.id"], "$captures.id");
    assert!(opened.iter().any(|one| steps(one)[1] == "PUT /tickets/{id}/closed"), "{opened:#?}");
    assert_eq!(open["steps"][0]["captures"]["id"], "header:Location#tail");
    assert_eq!(open["steps"][2]["binds"]["path.id"], "$captures.id");
    let remove = sequences(&repo, ".mastor/suite/sequences/delete-tickets-id-").remove(0);
    assert_eq!(remove["steps"][1]["assertions"][0]["expected"], 404, "{remove}");

    // A second run writes nothing, another machine gives the same bytes, and `--no-observe` gives no sequence.
    let first = files(&repo);
    repo.run(["generate", "--all", "-v"]).ends(0).says(&["0 files written"]);
    assert!(first == files(&repo));
    let other = tickets();
    other.run(["generate", "--all"]).ends(0);
    assert!(first == files(&other));
    let derived = tickets();
    derived.run(["generate", "--all", "--no-observe"]).ends(0);
    assert!(files(&derived).keys().all(|path| !path.contains("/sequences/")), "{:?}", files(&derived).keys());

    repo.run(["check"]).ends(0).says(&["0 broken"]);
    let id = close["s_id"].as_str().unwrap();
    repo.run(["replay", id]).ends(0).says(&["GET", "/tickets/"]);
    repo.run(["explain", id]).ends(0).says(&["step 2     GET /tickets/", "(observed)"]);
    repo.run(["export", "junit", "postman", "readable", "--dir", "out"]).ends(0);
    let collection = repo.read("out/postman/collection.json");
    assert!(collection.contains(id) && collection.contains(&format!("2 GET /tickets/{{id}} [{id}]")));
    let exported = repo.git(["ls-files", "-co", "out/junit"]);
    let class = exported.lines().find(|path| path.contains("SequencesFromPutTickets")).unwrap();
    assert!(repo.read(class).contains(id));
}

/// If each reset is a restart, writing requests share a state. The kept sequences hold nevertheless, and few restarts are needed.
#[test]
fn where_a_reset_is_a_restart_what_a_write_does_is_seen_too() {
    let repo = tickets_reset_by("\"restart\"");
    repo.run(["generate", "--all"]).ends(0).says(&["follow-up reads kept as seen"]);
    let starts = repo.read(".mastor/out/service-head.log").matches("[mastor] exec python3").count();
    assert!((3..30).contains(&starts), "{starts} starts");
    let steps_of = |begins: &str| {
        let sequence = sequences(&repo, begins).remove(0);
        steps(&sequence).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(steps_of(CLOSE)[..2], ["PUT /tickets/{id}/closed", "GET /tickets/{id}"]);
    assert_eq!(
        steps_of(".mastor/suite/sequences/delete-tickets-id-")[..2],
        ["DELETE /tickets/{id}", "GET /tickets/{id}"]
    );
    assert!(steps_of(".mastor/suite/sequences/post-tickets-").contains(&"GET /tickets/{id}".to_owned()));
    let repo = repo.commit("The suite");
    for _ in 0..2 {
        repo.run(["check"]).ends(0).says(&["0 broken"]);
    }
    repo.run(["generate", "--all"]).ends(0).says(&["0 files written"]);
    let repo = repo
        .branch("archive")
        .edit("server.py", "CLOSED = \"CLOSED\"", "CLOSED = \"ARCHIVED\"")
        .edit(CODE, "ticket.title(), \"CLOSED\"", "ticket.title(), \"ARCHIVED\"")
        .commit("Archive what is closed");
    let seen = repo.run(["ci", "--since", "main", "--format", "json"]).ends(1).json();
    let changes = seen["changes"].as_array().unwrap();
    assert!(changes.iter().all(|change| change["op_id"] == "PUT /tickets/{id}/closed"), "{changes:#?}");
    assert!(!changes[0]["s_id"].is_null(), "{changes:#?}");
}

/// The desk service with seed rows, started by `start` and reset by a restart.
fn desks(start: &str) -> Repo {
    let settings = format!(
        "[api]\nname = \"desks\"\nopenapi = false\n[service]\nstart = '{start}'\n\
         ready = {{ url = \"/desks\", within = \"20s\" }}\nreset = \"restart\"\nstop-within = \"2s\"\n"
    );
    let dependency = |group: &str, artifact: &str| {
        format!("<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId></dependency>")
    };
    let boot = dependency("org.springframework.boot", "spring-boot-starter-data-jpa");
    let pom = format!(
        "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>b</artifactId><version>1</version>\
         <dependencies>{boot}{}</dependencies></project>",
        dependency("com.h2database", "h2")
    );
    let rows =
        "insert into desk (id, name, taken) values (1, 'Window', false), (2, 'Corner', false), (3, 'Door', false);";
    Repo::new()
        .file("desks.py", include_str!("follow/desks.py"))
        .file("src/main/java/com/acme/Desks.java", include_str!("follow/Desks.java"))
        .file("src/main/resources/data.sql", rows)
        .file("pom.xml", pom)
        .file("mastor.toml", settings)
        .commit("Desks")
}

/// Requests and sequences that change the same records disturb one another. Failing ones are retried on fresh state before they are judged.
#[test]
fn where_a_reset_is_a_restart_nothing_is_refuted_for_what_others_left_behind() {
    let repo = desks("exec python3 desks.py {port}");
    let told = repo.run(["generate", "--all", "--no-observe", "--format", "json"]).ends(0).json();
    let confirming = &told["confirm"];
    let count = |key: &str| confirming[key].as_u64().unwrap();
    assert_eq!((count("refuted"), count("flaky"), count("unanswered")), (0, 0, 0), "{confirming:#}");
    assert!(count("candidates") == count("held") && count("held") > 8, "{confirming:#}");
    let removed = sequences(&repo, ".mastor/suite/sequences/delete-desks-id-");
    assert!(
        !removed.is_empty() && removed.iter().all(|one| one["confirmation"]["state"] == "confirmed"),
        "{removed:#?}"
    );
    // The written suite holds, too.
    repo.run(["check"]).ends(0).says(&["0 broken"]);
}

/// The badge service with unique names: a created badge makes other creations fail, also those that should fail for another reason.
fn badges() -> Repo {
    let settings = "[api]\nname = \"badges\"\nopenapi = false\n[service]\nstart = 'exec python3 badges.py {port}'\n\
                    ready = { url = \"/badges\", within = \"20s\" }\nreset = \"restart\"\nstop-within = \"2s\"\n";
    let dependency = |group: &str, artifact: &str| {
        format!("<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId></dependency>")
    };
    let boot = dependency("org.springframework.boot", "spring-boot-starter-data-jpa");
    let pom = format!(
        "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>b</artifactId><version>1</version>\
         <dependencies>{boot}{}</dependencies></project>",
        dependency("com.h2database", "h2")
    );
    let rows = "insert into badge (name, level) values ('Swimmer', 10), ('Runner', 10);";
    Repo::new()
        .file("badges.py", include_str!("follow/badges.py"))
        .file("src/main/java/com/acme/Badges.java", include_str!("follow/Badges.java"))
        .file("src/main/resources/data.sql", rows)
        .file("pom.xml", pom)
        .file("mastor.toml", settings)
        .commit("Badges")
}

fn starts(repo: &Repo) -> usize {
    repo.read(".mastor/out/service-head.log").matches("[mastor] exec python3").count()
}

/// Few restarts suffice: refused requests run first, created resources are deleted again, and a request that holds after others counts.
#[test]
fn where_a_reset_is_a_restart_all_that_makes_the_same_is_answered_with_few_of_them() {
    let repo = badges();
    let told = repo.run(["generate", "--all", "--no-observe", "--format", "json"]).ends(0).json();
    let confirming = &told["confirm"];
    let count = |key: &str| confirming[key].as_u64().unwrap();
    assert_eq!((count("refuted"), count("flaky"), count("unanswered")), (0, 0, 0), "{confirming:#}");
    assert!(count("candidates") == count("held") && count("held") > 40, "{confirming:#}");
    assert!(starts(&repo) < 32, "{} starts", starts(&repo));
    let repo = repo.commit("The suite");
    let all = count("held");
    repo.run(["check"]).ends(0).says(&[&format!("{all} oracles checked: {all} held")]);
    assert!(starts(&repo) < 12, "{} starts", starts(&repo));

    // Of all candidates, only the wrong one is refuted.
    let repo = badges().edit("badges.py", "422 if level == 13", "418 if level == 13").commit("Refuse otherwise");
    let told = repo.run(["generate", "--all", "--no-observe", "--format", "json"]).ends(0).json();
    let confirming = &told["confirm"];
    assert_eq!((&confirming["refuted"], &confirming["unanswered"]), (&1.into(), &0.into()), "{confirming:#}");
}

/// If the service fails to restart during the retries, requests that only ran on a shared state count as unanswered.
#[test]
fn where_a_restart_fails_nothing_is_refuted_for_what_others_left_behind() {
    let counted = "n=$(cat starts 2>/dev/null || echo 0); echo $((n + 1)) > starts; [ $n -lt 3 ] || exit 1; ";
    let repo = desks(&format!("{counted}exec python3 desks.py {{port}}"));
    let told = repo.run(["generate", "--all", "--no-observe", "--format", "json"]).json();
    let confirming = &told["confirm"];
    let count = |key: &str| confirming[key].as_u64().unwrap();
    assert_eq!((count("refuted"), count("flaky")), (0, 0), "{confirming:#}");
    assert!(count("unanswered") > 0 && count("held") > 0, "{confirming:#}");
}

/// The write still answers 204, and only a later read shows the change. It is reported, not learnt, and accepted by its own id.
#[test]
fn a_transition_that_only_a_read_shows_is_seen_and_renewed_by_accept() {
    let repo = tickets();
    repo.run(["generate", "--all"]).ends(0);
    let repo = repo.commit("The suite").branch("archive");
    let repo = repo
        .edit("server.py", "CLOSED = \"CLOSED\"", "CLOSED = \"ARCHIVED\"")
        .edit(CODE, "ticket.title(), \"CLOSED\"", "ticket.title(), \"ARCHIVED\"")
        .commit("Archive what is closed");
    let seen = repo.run(["ci", "--since", "main", "--format", "json"]).ends(1).json();
    let changes = seen["changes"].as_array().unwrap();
    let against: Vec<&Value> = changes.iter().filter(|change| !change["s_id"].is_null()).collect();
    let [change] = against[..] else { panic!("{changes:#?}") };
    assert_eq!((&change["op_id"], &change["kind"]), (&"PUT /tickets/{id}/closed".into(), &"seen".into()), "{change:#}");
    assert!(change["what"].as_str().unwrap().contains("GET /tickets/{id} after PUT /tickets/{id}/closed"), "{change}");
    assert!(change["after"].as_str().unwrap().contains("ARCHIVED"), "{change}");
    assert_eq!(changes.len(), 1, "{changes:#?}");
    // The difference in the chain of two writes has the same cause and is reported with it.
    let what = "after POST /tickets and PUT /tickets/{id}/closed";
    let chained = change["also"].as_array().unwrap().iter().find(|also| also["what"].as_str().unwrap().contains(what));
    assert!(chained.is_some(), "{change:#}");

    // No command in between learns the change.
    repo.run(["generate", "--all"]).ends(0);
    repo.run(["ci", "--since", "main"]).ends(1);
    repo.run(["check"]).ends(1).says(&["ARCHIVED", "mastor replay"]);
    repo.run(["ci", "--since", "main"]).ends(1);
    repo.run(["review"]).ends(0).says(&["1 of 2", "then_put_tickets_closed", "ARCHIVED", "nothing was taken"]);

    let ids = [change, chained.unwrap()].map(|one| one["s_id"].as_str().unwrap());
    repo.run(["accept", ids[0], ids[1]]).ends(0).says(&["ARCHIVED"]);
    let close = sequences(&repo, CLOSE).remove(0);
    assert!(close.to_string().contains("ARCHIVED") && !close.to_string().contains("\"CLOSED\""), "{close}");
    let repo = repo.commit("Accept");
    let accepted = repo.run(["ci", "--since", "main", "--format", "json"]).ends(0).json();
    assert!(accepted["changes"].as_array().unwrap().iter().all(|change| change["accepted"] == true));
    repo.run(["check"]).ends(0).says(&["0 broken"]);
}

/// A follow-up is removed together with its write's oracle.
#[test]
fn a_follow_up_leaves_with_its_write() {
    let repo = tickets();
    repo.run(["generate", "--all"]).ends(0);
    let repo = repo.commit("The suite").branch("without");
    let text = repo.read(CODE);
    let (from, to) = (text.find("    @PutMapping").unwrap(), text.find("    @DeleteMapping").unwrap());
    let code = format!("{}{}", &text[..from], &text[to..]);
    let repo = repo.file(CODE, code).edit("server.py", "/closed\"", "/shut\"").commit("No closing");
    let seen = repo.run(["ci", "--since", "main", "--format", "json"]).ends(1).json();
    let changes: Vec<&Value> = seen["changes"].as_array().unwrap().iter().collect();
    assert!(changes.iter().all(|change| change["op_id"] == "PUT /tickets/{id}/closed"), "{changes:#?}");
    repo.run(["accept", "--all"]).ends(0);
    assert!(files(&repo).keys().all(|path| !path.contains("put-tickets-id-closed")), "{:?}", files(&repo).keys());
}

/// Once an operation's removal is accepted, follow-ups no longer read it; their other reads stay.
#[test]
fn a_removed_read_leaves_the_follow_ups() {
    let repo = tickets();
    repo.run(["generate", "--all"]).ends(0);
    let repo = repo.commit("The suite").branch("no-single-ticket");
    let text = repo.read(CODE);
    let (from, to) = (text.find("    @GetMapping(\"/{id}\")").unwrap(), text.find("    @PostMapping").unwrap());
    let code = format!("{}{}", &text[..from], &text[to..]);
    let repo = repo.file(CODE, code).edit("server.py", "elif one and", "elif False and").commit("No single ticket");
    let seen = repo.run(["ci", "--since", "main", "--format", "json"]).ends(1).json();
    let changes = seen["changes"].as_array().unwrap();
    assert!(changes.iter().all(|change| change["op_id"] == "GET /tickets/{id}"), "{changes:#?}");
    repo.run(["accept", "--all"]).ends(0);
    assert_eq!(steps(&sequences(&repo, CLOSE)[0]), ["PUT /tickets/{id}/closed", "GET /tickets"]);
    repo.run(["check"]).ends(0).says(&["0 broken"]);
    let repo = repo.commit("Accept");
    repo.run(["ci", "--since", "main"]).ends(0);
}
