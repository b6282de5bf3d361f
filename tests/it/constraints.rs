//! Constraints that a project declares, and limits that depend on the clock: when a body is refused.

use std::collections::BTreeSet;

use mastor::types::Method;
use mastor::types::suite::assertion::{Check, StatusSet};
use mastor::types::suite::input::Body;
use serde_json::{Value, json};

use crate::loaded::Service;

const POM: &str = "<project><modelVersion>4.0.0</modelVersion><parent><groupId>org.springframework.boot</groupId>\
    <artifactId>spring-boot-starter-parent</artifactId><version>3.2.4</version></parent><artifactId>b</artifactId>\
    <dependencies><dependency><groupId>org.springframework.boot</groupId>\
    <artifactId>spring-boot-starter-validation</artifactId></dependency></dependencies></project>";

const DECLARED: &str = "package a; import jakarta.validation.*; import java.lang.annotation.*; import java.time.*; import java.util.*;
@Constraint(validatedBy = AgeValidator.class) @Retention(RetentionPolicy.RUNTIME) @interface Age {
  String message() default \"age\"; int most() default 50; Class<?>[] groups() default {}; Class<? extends Payload>[] payload() default {};
}
class AgeValidator implements ConstraintValidator<Age, LocalDate> {
  private int most;
  @Override public void initialize(Age age) { this.most = age.most(); }
  @Override public boolean isValid(LocalDate day, ConstraintValidatorContext context) {
    if (day == null) { return true; }
    LocalDate today = LocalDate.now();
    if (day.isAfter(today)) {
      context.disableDefaultConstraintViolation();
      context.buildConstraintViolationWithTemplate(\"not yet\").addConstraintViolation();
      return false;
    }
    return !day.isBefore(today.minusYears(most));
  }
}
@Constraint(validatedBy = {}) @Retention(RetentionPolicy.RUNTIME) @jakarta.validation.constraints.NotNull @jakarta.validation.constraints.Size(min = 3, max = 5)
@interface Code { String message() default \"code\"; Class<?>[] groups() default {}; Class<? extends Payload>[] payload() default {}; }
@Constraint(validatedBy = OneOfValidator.class) @Retention(RetentionPolicy.RUNTIME) @interface OneOf {
  String[] value(); String message() default \"one of\"; Class<?>[] groups() default {}; Class<? extends Payload>[] payload() default {};
}
class OneOfValidator implements ConstraintValidator<OneOf, String> {
  private List<String> known;
  @Override public void initialize(OneOf of) { this.known = Arrays.asList(of.value()); }
  @Override public boolean isValid(String value, ConstraintValidatorContext context) { return known.contains(value); }
}
@Constraint(validatedBy = RangeValidator.class) @Retention(RetentionPolicy.RUNTIME) @interface Range {
  String message() default \"range\"; Class<?>[] groups() default {}; Class<? extends Payload>[] payload() default {};
}
@Constraint(validatedBy = RangeValidator.class) @interface Unseen { String message() default \"unseen\"; }
class RangeValidator implements ConstraintValidator<Range, Span> {
  @Override public boolean isValid(Span span, ConstraintValidatorContext context) { return span.getFrom() <= span.getTo(); }
}";

const BODIES: &str = "package a; import java.time.*; import jakarta.validation.constraints.*;
class Pet { @Age private LocalDate born; @Code private String code; @OneOf({\"cat\", \"dog\"}) private String kind;
  public LocalDate getBorn() { return born; } public void setBorn(LocalDate born) { this.born = born; }
  public String getCode() { return code; } public void setCode(String code) { this.code = code; }
  public String getKind() { return kind; } public void setKind(String kind) { this.kind = kind; } }
@Range class Span { private int from; private int to;
  public int getFrom() { return from; } public void setFrom(int from) { this.from = from; }
  public int getTo() { return to; } public void setTo(int to) { this.to = to; } }
class Person { private LocalDate born; public LocalDate getBorn() { return born; } public void setBorn(LocalDate born) { this.born = born; } }
class Grouped { @OneOf(value = \"never\", groups = Override.class) private String kind;
  public String getKind() { return kind; } public void setKind(String kind) { this.kind = kind; } }
@Unseen class Loose { private int from; private int to;
  public int getFrom() { return from; } public void setFrom(int from) { this.from = from; }
  public int getTo() { return to; } public void setTo(int to) { this.to = to; } }
class Visit { @Future private LocalDate day; @PastOrPresent private LocalDate asked;
  public LocalDate getDay() { return day; } public void setDay(LocalDate day) { this.day = day; }
  public LocalDate getAsked() { return asked; } public void setAsked(LocalDate asked) { this.asked = asked; } }";

const CONTROLLER: &str = "package a; import jakarta.validation.Valid; import java.time.*; import java.time.temporal.ChronoUnit;
import org.springframework.http.ResponseEntity; import org.springframework.web.bind.annotation.*;
@RestController class C {
  @ExceptionHandler(org.springframework.web.bind.MethodArgumentNotValidException.class)
  ResponseEntity<String> invalid(org.springframework.web.bind.MethodArgumentNotValidException e) {
    StringBuilder all = new StringBuilder();
    for (org.springframework.validation.FieldError error : e.getBindingResult().getFieldErrors()) { all.append(error.getField()).append(' ').append(error.getDefaultMessage()); }
    return ResponseEntity.status(400).body(all.toString());
  }
  @PostMapping(\"/pets\") ResponseEntity<String> pet(@Valid @RequestBody Pet pet) { return ResponseEntity.status(201).body(pet.getKind()); }
  @PostMapping(\"/spans\") ResponseEntity<String> span(@Valid @RequestBody Span span) { return ResponseEntity.status(201).body(\"ok\"); }
  @PostMapping(\"/gaps\") ResponseEntity<String> gap(@Valid @RequestBody Loose gap) { return ResponseEntity.status(201).body(\"ok\"); }
  @PostMapping(\"/grouped\") ResponseEntity<String> grouped(@Valid @RequestBody Grouped body) { return ResponseEntity.status(201).body(\"ok\"); }
  @PostMapping(\"/visits\") ResponseEntity<String> visit(@Valid @RequestBody Visit visit) { return ResponseEntity.status(201).body(\"ok\"); }
  @PostMapping(\"/adults\") ResponseEntity<String> adult(@RequestBody Person person) {
    return Period.between(person.getBorn(), LocalDate.now()).getYears() < 18 ? ResponseEntity.status(403).build() : ResponseEntity.ok(\"come in\");
  }
  @GetMapping(\"/late\") String late() {
    long days = ChronoUnit.DAYS.between(LocalDate.of(2000, 1, 1), LocalDate.now());
    return days > 366 * 5 && System.currentTimeMillis() - 1000L < 4_000_000_000_000L ? \"late\" : \"early\";
  }
  @GetMapping(\"/soon\") String soon() { return LocalDate.now().isBefore(LocalDate.of(2035, 1, 1)) ? \"soon\" : \"past\"; }
  @GetMapping(\"/wrapped\") String wrapped() {
    int low = Long.valueOf(System.currentTimeMillis()).intValue();
    return low > 0 || System.currentTimeMillis() * 100_000_000L > 0 ? \"plus\" : \"minus\";
  }
  @GetMapping(\"/ticks\") String ticks() { return System.nanoTime() > 5 ? \"many\" : \"few\"; }
}";

fn service() -> Service {
    Service::of([
        ("pom.xml", POM),
        ("src/main/java/a/C.java", CONTROLLER),
        ("src/main/java/a/Declared.java", DECLARED),
        ("src/main/java/a/Bodies.java", BODIES),
    ])
}

/// The body of each oracle with its expected status.
fn told(path: &str) -> Vec<(Value, u16)> {
    let derived = service().derive(Method::Post, path);
    let told = derived.candidates.iter().filter_map(|one| {
        let status = one.oracle.assertions.iter().find_map(|assertion| match &assertion.check {
            Check::Status { expected: StatusSet::One(status) } => Some(*status),
            _ => None,
        })?;
        match &one.oracle.input.body {
            Some(Body::Json { json }) => Some((json.clone(), status)),
            _ => None,
        }
    });
    told.collect()
}

/// The values of `field` in bodies with this status that differ from an accepted body in this field only.
fn values(told: &[(Value, u16)], field: &str, status: u16) -> BTreeSet<String> {
    let taken: Vec<&Value> = told.iter().filter(|(_, status)| *status == 201).map(|(body, _)| body).collect();
    let alone = |body: &Value| {
        taken.iter().any(|one| {
            let mut with = (*one).clone();
            with[field] = body[field].clone();
            with == *body
        })
    };
    let of = told.iter().filter(|(body, own)| *own == status && alone(body));
    of.map(|(body, _)| body[field].to_string()).collect()
}

#[test]
fn validators_of_the_project_are_run_on_what_is_sent() {
    let told = told("/pets");
    let born = (values(&told, "born", 201), values(&told, "born", 400));
    assert!(born.0.iter().any(|day| day.starts_with("\"2024")), "{told:?}");
    assert!(born.1.contains("\"1900-01-15\"") && born.1.contains("\"2999-01-15\""), "{told:?}");
    let kinds = (values(&told, "kind", 201), values(&told, "kind", 400));
    assert!(kinds.0.contains("\"cat\"") && kinds.1.contains("\"sample2\""), "{told:?}");
}

#[test]
fn what_a_validator_tells_of_a_violation_is_told() {
    let derived = service().derive(Method::Post, "/pets");
    let said = |day: &str| {
        let one = derived.candidates.iter().find(|one| match &one.oracle.input.body {
            Some(Body::Json { json }) => json["born"] == day && json["kind"] == "cat",
            _ => false,
        });
        serde_json::to_string(&one.unwrap().oracle.assertions).unwrap()
    };
    assert!(said("2999-01-15").contains("born not yet"), "{}", said("2999-01-15"));
    assert!(said("1900-01-15").contains("born age"), "{}", said("1900-01-15"));
}

#[test]
fn a_constraint_is_what_it_is_composed_of() {
    let told = told("/pets");
    let (taken, refused) = (values(&told, "code", 201), values(&told, "code", 400));
    let lengths = |of: &BTreeSet<String>| of.iter().map(|code| code.len() - 2).collect::<BTreeSet<_>>();
    assert!(taken.iter().all(|code| (3..=5).contains(&(code.len() - 2))), "{taken:?}");
    assert!(lengths(&refused).contains(&2) && lengths(&refused).contains(&6), "{told:?}");
}

#[test]
fn a_constraint_on_a_class_is_run_on_the_whole_body() {
    let told = told("/spans");
    let of = |status: u16| told.iter().filter(move |(_, own)| *own == status).map(|(body, _)| body);
    let places = |body: &Value| (body["from"].as_i64().unwrap_or(0), body["to"].as_i64().unwrap_or(0));
    assert!(of(201).next().is_some() && of(201).all(|body| places(body).0 <= places(body).1), "{told:?}");
    let refused = |body: &Value| body["from"].is_number() && body["to"].is_number() && places(body).0 > places(body).1;
    assert!(of(400).any(refused), "{told:?}");
}

#[test]
fn a_constraint_that_is_not_there_at_run_time_refuses_nothing() {
    let told = told("/gaps");
    let answered = |status: u16| told.iter().filter(|(_, own)| *own == status).count();
    let refused =
        told.iter().filter(|(body, status)| *status == 400 && body["from"].is_number() && body["to"].is_number());
    assert!(answered(201) > 0 && refused.count() == 0, "{told:?}");
}

#[test]
fn a_constraint_of_another_group_refuses_nothing_for_certain() {
    let told = told("/grouped");
    assert!(!told.iter().any(|(body, status)| *status == 400 && body["kind"].is_string()), "{told:?}");
}

#[test]
fn what_lies_far_from_today_is_past_or_future_for_certain() {
    let told = told("/visits");
    let taken: Vec<&Value> = told.iter().filter(|(_, status)| *status == 201).map(|(body, _)| body).collect();
    assert!(taken.contains(&&json!({"day": "2999-01-15", "asked": "2024-02-15"})), "{told:?}");
    let early = values(&told, "day", 400);
    assert!(early.iter().any(|day| day.starts_with("\"1900") || day.starts_with("\"2024")), "{told:?}");
    assert!(values(&told, "asked", 400).contains("\"2999-01-15\""), "{told:?}");
}

#[test]
fn an_age_is_certain_where_no_day_of_a_test_changes_it() {
    let asked = |path: &str| -> Vec<(String, String)> {
        let derived = service().derive(Method::Get, path);
        let one = |oracle: &mastor::types::suite::oracle::Oracle| {
            let query: Vec<String> = oracle.input.query.iter().map(|(_, value)| value.clone()).collect();
            let said: Vec<String> =
                oracle.assertions.iter().map(|a| serde_json::to_string(&a.check).unwrap()).collect();
            (query.join("&"), said.join(" "))
        };
        derived.candidates.iter().map(|one_of| one(&one_of.oracle)).collect()
    };
    let adult = told("/adults");
    let status = |day: &str| adult.iter().find(|(body, _)| body["born"] == day).map(|(_, status)| *status);
    assert_eq!((status("1900-01-15"), status("2999-01-15")), (Some(200), Some(403)), "{adult:?}");
    // A child born in 2024 comes of age before the last year in which the suite may run.
    assert_eq!(status("2024-01-15"), None, "{adult:?}");
    assert!(asked("/late").iter().any(|(_, said)| said.contains("late")), "{:?}", asked("/late"));
    for open in ["/soon", "/ticks", "/wrapped"] {
        let said = asked(open);
        assert!(
            !said.iter().any(|(_, said)| ["soon", "past", "many", "few", "plus", "minus"]
                .iter()
                .any(|word| said.contains(word))),
            "{said:?}"
        );
    }
}
