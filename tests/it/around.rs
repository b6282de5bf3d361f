//! What stands around operations and decides some of them: rules of security, properties that the container gives, initialisers that are not
//! followed. Each is compared for the operations that it decides, and leaves all others as they were.

use crate::opaque::MORE;
use crate::states::{between, report, states};

const HANDLERS: &str = "private final Limits limits; public C(Limits limits) { this.limits = limits; }
  @GetMapping(\"/open/notes\") public int open() { return 1; }
  @GetMapping(\"/mine/{id}\") public int mine(@PathVariable(\"id\") int id) { return id; }
  @GetMapping(\"/limits\") public String limits() { return limits.most(); }";

const LIMITS: &str = "package a; import org.springframework.beans.factory.annotation.Value; import org.vendor.*;
@org.springframework.stereotype.Component public class Limits {
  static final org.slf4j.Logger LOG = org.slf4j.LoggerFactory.getLogger(Limits.class);
  static final Ranking RANKING = Ranking.of(org.vendor.Order.FIRST.then());
  static final java.util.Set<String> KINDS = java.util.Set.of(\"a\", \"b\");
  private final String least; private final String top; private final java.util.List<String> slots = new java.util.ArrayList<>();
  public Limits(@Value(\"${limits.least}\") String least, @Value(\"${limits.size}\") int size, Source source) {
    for (int i = 0; i < size; i++) { slots.add(null); }
    this.least = least; this.top = source.top().orElseThrow(); }
  public String most() { LOG.info(\"most {}\", Pairs.kv(\"least\", least)); if (KINDS.contains(least)) { return RANKING.first(top); } return \"none\"; } }";

const CHAIN: &str = "package a; import org.springframework.context.annotation.*; import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
@Configuration public class Guards { @Bean SecurityFilterChain chain(HttpSecurity http) throws Exception {
  http.csrf(csrf -> csrf.disable()).authorizeHttpRequests(auth -> auth
    .requestMatchers(\"/open/**\").permitAll()
    .anyRequest().authenticated()).apply(org.vendor.Tokens.checked());
  return http.build(); } }";

/// The state of each operation, and what is told, where this text of a file reads otherwise.
fn said(file: &str, was: &str, is: &str) -> (Vec<String>, Vec<String>) {
    let mut files: Vec<(&str, &str)> = MORE.to_vec();
    files.extend([("Limits.java", LIMITS), ("Guards.java", CHAIN)]);
    let text = files.iter().find(|(name, _)| *name == file).map(|(_, text)| *text).unwrap();
    assert!(text.contains(was), "{was}");
    let repo = between(HANDLERS, HANDLERS, &files)
        .file(&format!("src/main/java/a/{file}"), text.replacen(was, is, 1))
        .commit("Changed");
    let report = report(&repo);
    let told = report["changes"].as_array().unwrap().iter().map(|one| {
        format!("{} {}", one["op_id"].as_str().unwrap_or_default(), one["what"].as_str().unwrap_or_default())
    });
    (states(&report).into_iter().map(|(op, state)| format!("{op} {state}")).collect(), told.collect())
}

#[test]
fn a_rule_for_other_paths_leaves_an_operation_as_it_was() {
    let rule = ".requestMatchers(\"/open/**\")";
    let (states, told) = said(
        "Guards.java",
        rule,
        ".requestMatchers(\"/health\", \"/metrics/**\").permitAll()\n    .requestMatchers(\"/open/**\")",
    );
    let all = ["GET /limits same", "GET /mine/{id} same", "GET /open/notes same"].map(str::to_owned);
    assert_eq!((states.as_slice(), told.as_slice()), (&all[..], &[][..]));
    // For the operation that it is for it is told, and for no other.
    let (states, told) = said(
        "Guards.java",
        rule,
        ".requestMatchers(\"/mine/*\").hasRole(\"OWNER\")\n    .requestMatchers(\"/open/**\")",
    );
    assert!(
        told.iter().all(|what| what.contains("/mine/{id}"))
            && told.iter().any(|what| what.contains("`hasRole(\"OWNER\")`") && what.contains("`authenticated()`")),
        "{told:?}"
    );
    assert!(
        states.contains(&"GET /open/notes same".to_owned()) && states.contains(&"GET /mine/{id} changed".to_owned()),
        "{states:?}"
    );
    // Where all else but the rules changed as well, nothing is claimed.
    let (states, _) = said("Guards.java", "Tokens.checked()", "Tokens.unchecked()");
    assert!(states.len() == 3 && !states.iter().any(|state| state.ends_with(" same")), "{states:?}");
}

#[test]
fn another_property_that_the_container_gives_is_told() {
    let (states, told) = said("Limits.java", "${limits.least}", "${limits.lowest}");
    assert_eq!(states, ["GET /limits changed"], "{told:?}");
    assert!(
        told.iter()
            .any(|what| what.contains("@Value(\"${limits.lowest}\")") && what.contains("@Value(\"${limits.least}\")")),
        "{told:?}"
    );
}

#[test]
fn what_initialisers_that_are_not_followed_leave_is_one_value_in_both_revisions() {
    let (states, told) = said("Limits.java", "return \"none\";", "String none = \"none\"; return none;");
    assert_eq!((states.as_slice(), told.as_slice()), (&["GET /limits same".to_owned()][..], &[][..]));
    // A line of a log changes nothing, wherever it stands.
    let (states, _) =
        said("Limits.java", "this.least = least;", "LOG.info(\"at least {}\", least); this.least = least;");
    assert_eq!(states, ["GET /limits same"]);
    // What a library makes of a part of the line may fail.
    let (states, _) = said("Limits.java", "Pairs.kv(\"least\", least)", "Pairs.kv(least, \"least\")");
    assert_eq!(states, ["GET /limits undecided"]);
    // Where the initialiser itself changed, it is another one.
    let (states, _) = said("Limits.java", "Order.FIRST", "Order.LAST");
    assert_ne!(states, ["GET /limits same"]);
    // A constant beside one that is not followed is known.
    let (states, told) = said("Limits.java", "Set.of(\"a\", \"b\")", "Set.of(\"a\", \"c\")");
    assert_eq!(states, ["GET /limits changed"], "{told:?}");
}

#[test]
fn what_only_code_can_call_and_how_beans_are_wired_is_compared_where_it_is_used() {
    // A method that an unchanged one does not call, and the mark by which the container finds a constructor.
    let helper = "private int half(int all) { return all / 2; }\n  public String most() { String none = null; ";
    let (states, told) = said("Limits.java", "public String most() { ", helper);
    assert_eq!((states.as_slice(), told.as_slice()), (&["GET /limits same".to_owned()][..], &[][..]));
    let marked = "@org.springframework.beans.factory.annotation.Autowired public Limits(@Value";
    let (states, told) = said("Limits.java", "public Limits(@Value", marked);
    assert_eq!((states.as_slice(), told.as_slice()), (&["GET /limits same".to_owned()][..], &[][..]));
    // Settings for operators decide nothing.
    let files: Vec<(&str, &str)> =
        MORE.iter().copied().chain([("Limits.java", LIMITS), ("Guards.java", CHAIN)]).collect();
    let settings = "src/main/resources/application.properties";
    let with = |key: &str| {
        let repo =
            between(HANDLERS, HANDLERS, &files).file(settings, "limits.least=1\n").commit("Settings").branch("other");
        let repo = repo.file(settings, format!("limits.least=1\n{key}=a\n")).commit("More settings");
        let report = repo.run(["ci", "--since", "feature", "--format", "json"]).json();
        states_of(&report)
    };
    assert_eq!(with("management.endpoints.web.exposure.include"), ["same"; 3]);
    assert_eq!(with("spring.mvc.problemdetails.enabled"), ["changed"; 3]);
}

fn states_of(report: &serde_json::Value) -> Vec<String> {
    states(report).into_iter().map(|(_, state)| state).collect()
}

#[test]
fn what_scripts_say_of_a_table_is_told_for_who_uses_it() {
    let entity = "package a; import jakarta.persistence.*; @Entity @Table(name = \"notes\") public class Note { @Id Long id; String text; public String getText() { return text; } }";
    let rows = "package a; public interface NoteRows extends org.springframework.data.jpa.repository.JpaRepository<Note, Long> { }";
    let handlers = "private final NoteRows rows; public C(NoteRows rows) { this.rows = rows; }
      @GetMapping(\"/notes/{id}\") public String one(@PathVariable(\"id\") Long id) { return rows.findById(id).orElseThrow().getText(); }
      @GetMapping(\"/plain\") public int plain() { return 1; }";
    let files = [("Note.java", entity), ("NoteRows.java", rows)];
    let first = "src/main/resources/db/migration/V1__notes.sql";
    let repo = between(handlers, handlers, &files)
        .file(first, "create table notes (id bigint primary key, text varchar(40));\n")
        .commit("Table")
        .branch("other")
        .file("src/main/resources/db/migration/V2__unique.sql", "alter table notes add constraint one unique (text);\n")
        .commit("Unique");
    let report = repo.run(["ci", "--since", "feature", "--format", "json"]).json();
    let told: Vec<&str> =
        report["changes"].as_array().unwrap().iter().map(|one| one["what"].as_str().unwrap()).collect();
    assert_eq!(told, ["`V2__unique.sql` is new, and says something of the table `notes`"], "{}", report["compared"]);
}
