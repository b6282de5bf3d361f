//! What is told where a method that the change asks has several ways to one answer, and where a call stays but is made
//! in another order or number.

use crate::states::{between, report};
use crate::support::Repo;

const CHECKS: &str = "package a; import org.vendor.docs.*;
public class Checks { private final Short shortKey = new Short(); private final Long longKey = new Long();
  public boolean valid(int kind, String key) {
    if (kind == 1) { return shortKey.isValid(key); }
    if (kind == 2) { return longKey.isValid(key); }
    return false; } }";

const MEMBERS: &str = "package a; import org.springframework.stereotype.Service;
@Service public class Members { private final org.vendor.Rows rows; private final org.vendor.Mailer mailer; private final Checks checks = new Checks();
  public Members(org.vendor.Rows rows, org.vendor.Mailer mailer) { this.rows = rows; this.mailer = mailer; }
  public String add(int kind, String key) {
    if (!checks.valid(kind, key)) { throw new IllegalArgumentException(\"key\"); }
    if (rows.knows(key)) { throw new IllegalStateException(\"known\"); }
    rows.insert(key);
    return key; }
  public void touch(String key) {
    rows.touch(key);
    mark(key);
    mailer.send(key);
    rows.close(key); }
  private void mark(String key) { rows.touch(key); } }";

const HANDLERS: &str = "private final Members members;
  public C(Members members) { this.members = members; }
  @PostMapping(\"/members\") public String add(@RequestParam(\"kind\") int kind, @RequestParam(\"key\") String key) { return members.add(kind, key); }
  @PutMapping(\"/members/{key}\") public void touch(@PathVariable(\"key\") String key) { members.touch(key); }";

/// What is told after `was` is replaced by `is` in one of the two classes.
fn told(was: &str, is: &str) -> Vec<String> {
    let files = [("Members.java", MEMBERS), ("Checks.java", CHECKS)];
    let (name, text) = files.into_iter().find(|(_, text)| text.contains(was)).expect("the text is in one of them");
    let repo: Repo = between(HANDLERS, HANDLERS, &files);
    let repo = repo.file(&format!("src/main/java/a/{name}"), text.replacen(was, is, 1)).commit("Changed");
    let changes = report(&repo)["changes"].as_array().unwrap().clone();
    changes.iter().map(|change| change["what"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_method_with_several_ways_to_its_answer_is_said_by_that_answer() {
    let found = told("new IllegalArgumentException(\"key\")", "new IllegalArgumentException(\"other\")");
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].ends_with(" (checks.valid(kind, key) is false)"), "{found:#?}");
}

#[test]
fn two_changes_of_one_edit_are_not_told_under_one_condition() {
    let found = told("!checks.valid(kind, key)", "checks.valid(kind, key)");
    let under = |start: &str| found.iter().find(|one| one.starts_with(start)).unwrap_or_else(|| panic!("{found:#?}"));
    let (refused, let_in) = (under("answers 500 where"), under("answers 200 where"));
    assert!(refused.contains("(checks.valid(kind, key) and "), "{found:#?}");
    assert!(let_in.contains("(checks.valid(kind, key) is false and "), "{found:#?}");
}

#[test]
fn conditions_around_the_change_are_said_with_those_before_it_that_decide() {
    let found = told("return longKey.isValid(key)", "return longKey.isValid(\"\")");
    assert!(found[0].contains("kind == 2"), "{found:#?}");
    let found = told("if (kind == 2)", "if (kind == 3)");
    assert!(
        found[0].contains("kind == 3") && found[0].contains("longKey") || found[0].contains("isValid"),
        "{found:#?}"
    );
}

#[test]
fn a_call_that_is_still_made_is_told_by_how_often() {
    let found = told("private void mark(String key) { rows.touch(key); }", "private void mark(String key) { }");
    assert_eq!(found, ["calls `rows.touch(key)` once where it called it twice"]);
    let found = told("mailer.send(key);", "mailer.send(key); mailer.send(key);");
    assert_eq!(found, ["calls `mailer.send(key)` twice where it called it once"]);
}

#[test]
fn two_calls_that_change_places_are_told_as_such() {
    let found = told("mailer.send(key);\n    rows.close(key);", "rows.close(key);\n    mailer.send(key);");
    assert_eq!(found, ["calls `rows.close(key)` before `mailer.send(key)` where it called it after"]);
}

const UPLOADS: &str = "package a; import java.math.BigDecimal; import org.springframework.http.HttpStatus; import org.springframework.stereotype.Service;
@Service public class Uploads { private final org.vendor.Store store;
  public Uploads(org.vendor.Store store) { this.store = store; }
  @io.github.resilience4j.circuitbreaker.annotation.CircuitBreaker(name = \"store\", fallbackMethod = \"notUploaded\")
  public String upload(String name, int size) {
    if (size > 100) { throw new IllegalArgumentException(\"size\"); }
    store.put(name, size);
    return name; }
  public String notUploaded(String name, int size, Exception e) { throw new Unavailable(); }
  public String price(Price price) {
    if (price.amount().compareTo(BigDecimal.ZERO) < 0) { throw new IllegalStateException(\"negative\"); }
    store.price(price.name(), price.amount());
    return \"kept\"; } }
@org.springframework.web.bind.annotation.ResponseStatus(HttpStatus.SERVICE_UNAVAILABLE) class Unavailable extends RuntimeException { }";

const PRICE: &str = "package a; public record Price(@jakarta.validation.constraints.NotNull java.math.BigDecimal amount, String name) { }";

const UPLOAD_HANDLERS: &str = "private final Uploads uploads;
  public C(Uploads uploads) { this.uploads = uploads; }
  @PostMapping(\"/uploads\") public String upload(@RequestParam(\"name\") String name, @RequestParam(\"size\") int size) { return uploads.upload(name, size); }
  @PostMapping(\"/prices\") public String price(@Valid @RequestBody Price price, org.springframework.validation.BindingResult errors) {
    if (price.name() == null) { errors.rejectValue(\"name\", \"missing\"); }
    if (errors.hasErrors()) { throw new UnsupportedOperationException(\"errors\"); }
    return uploads.price(price); }";

/// What is told after `was` is replaced by `is` in the uploads.
fn told_of_uploads(was: &str, is: &str) -> Vec<String> {
    assert!(UPLOADS.contains(was), "{was}");
    let repo = between(UPLOAD_HANDLERS, UPLOAD_HANDLERS, &[("Uploads.java", UPLOADS), ("Price.java", PRICE)]);
    let repo = repo.file("src/main/java/a/Uploads.java", UPLOADS.replacen(was, is, 1)).commit("Changed");
    let changes = report(&repo)["changes"].as_array().unwrap().clone();
    changes.iter().map(|change| change["what"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn an_exception_goes_to_the_fallback_that_an_annotation_names() {
    assert_eq!(told_of_uploads("size > 100", "size >= 100"), ["answers 503 where it answered 200 (size == 100)"]);
    let found = told_of_uploads("throw new Unavailable()", "throw new IllegalStateException()");
    assert_eq!(found, ["answers 500 where it answered 503 (size > 100)"]);
}

#[test]
fn a_decimal_number_is_compared_in_words_and_an_error_that_was_reported_is_there() {
    let found = told_of_uploads("compareTo(BigDecimal.ZERO) < 0", "compareTo(BigDecimal.ZERO) <= 0");
    assert_eq!(found, ["answers 500 where it answered 200 (amount == 0)"]);
}

/// The changes after an event is no longer published, in a project with this listener.
fn told_without_event(listener: &str) -> Vec<String> {
    let handlers = |code: &str| {
        format!(
            "private final org.springframework.context.ApplicationEventPublisher events;
  public C(org.springframework.context.ApplicationEventPublisher events) {{ this.events = events; }}
  @PostMapping(\"/made\") public String made(@RequestParam(\"name\") String name) {{ {code} return name; }}"
        )
    };
    let listener =
        format!("package a; @org.springframework.stereotype.Component public class Listener {{ {listener} }}");
    let event = "package a; public record Made(String name) { }";
    let files = [("Made.java", event), ("Listener.java", listener.as_str())];
    let repo = between(&handlers("events.publishEvent(new Made(name));"), &handlers(""), &files);
    let changes = report(&repo)["changes"].as_array().unwrap().clone();
    changes.iter().map(|change| change["what"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn an_event_is_told_where_something_listens_to_it() {
    let of = |ty: &str| {
        format!(
            "private final org.vendor.Mailer mailer = new org.vendor.Mailer(); @org.springframework.context.event.EventListener public void on({ty} event) {{ mailer.send(event); }}"
        )
    };
    for heard in ["Made", "Object"] {
        let found = told_without_event(&of(heard));
        assert!(
            found[0].starts_with("no longer calls `applicationEventPublisher.publishEvent("),
            "{heard}: {found:#?}"
        );
    }
    assert_eq!(told_without_event(&of("String")), [] as [&str; 0]);
    assert_eq!(
        told_without_event(&of("org.springframework.boot.context.event.ApplicationReadyEvent")),
        [] as [&str; 0]
    );
}

#[test]
fn patterns_of_a_security_chain_may_come_in_any_order() {
    let chain = |patterns: &str| {
        format!("package a; import org.springframework.context.annotation.*; import org.springframework.security.config.web.server.ServerHttpSecurity; import org.springframework.security.web.server.SecurityWebFilterChain;
@Configuration public class Security {{ @Bean public SecurityWebFilterChain chain(ServerHttpSecurity http) {{
  return http.authorizeExchange(all -> all.pathMatchers({patterns}).permitAll().anyExchange().authenticated()).build(); }} }}")
    };
    let handler = "@GetMapping(\"/open\") public String open() { return \"open\"; }";
    let changes = |patterns: &str| {
        let repo = between(handler, handler, &[("Security.java", &chain("\"/open\", \"/shut\""))]);
        let repo = repo.file("src/main/java/a/Security.java", chain(patterns)).commit("Changed");
        report(&repo)["changes"].as_array().unwrap().len()
    };
    assert_eq!(changes("\"/shut\", \"/open\""), 0);
    assert_ne!(changes("\"/shut\", \"/others\""), 0);
}
