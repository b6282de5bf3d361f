//! SQL in `JdbcTemplate` calls: oracles derived from the tables that scripts create.

use std::path::Path;

use mastor::types::Method;
use serde_json::{Value, json};

use crate::loaded::{Service, files};
use crate::stores::{Told, answers};

fn notes(more: &[(&str, &str)]) -> Service {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/spring-jdbc");
    let mut all = files(&dir);
    all.retain(|(path, _)| !more.iter().any(|(other, _)| other == path));
    all.extend(more.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())));
    Service::of(all)
}

fn told(service: &Service, method: Method, path: &str) -> Vec<Told> {
    answers(&service.derive(method, path))
}

fn field(of: &Told, name: &str) -> Option<Value> {
    of.2.iter().find(|(path, _)| path == name).map(|(_, value)| value.clone())
}

fn of<'t>(all: &'t [Told], input: &str) -> &'t Told {
    all.iter().find(|one| one.0 == input).unwrap_or_else(|| panic!("{input}: {all:?}"))
}

#[test]
fn rows_are_found_by_plain_queries_and_mapped_by_code_class_or_properties() {
    let service = notes(&[]);
    let one = told(&service, Method::Get, "/notes/{id}");
    assert_eq!(field(of(&one, "1"), "title"), Some(json!("bread")));
    assert!(one.iter().any(|one| one.1 == 404), "{one:?}");
    let strict = told(&service, Method::Get, "/strict/{id}");
    assert!(strict.iter().any(|one| one.1 == 500), "no row is an exception: {strict:?}");
    let open = told(&service, Method::Get, "/open");
    assert!(open.iter().any(|one| one.1 == 200), "{open:?}");
    let titles = told(&service, Method::Get, "/titles");
    assert_eq!(field(of(&titles, ""), ""), Some(json!(["tea", "milk", "bread"])));
    let by = told(&service, Method::Get, "/titles/{title}");
    assert_eq!(field(of(&by, "bread"), "weight"), Some(json!(3)));
    assert_eq!(field(of(&by, "milk"), "done"), Some(json!(true)));
    let count = told(&service, Method::Get, "/counts/{title}");
    assert_eq!(field(of(&count, "bread"), ""), Some(json!(1)));
    let owner = told(&service, Method::Get, "/owners/{id}");
    assert_eq!(field(of(&owner, "2"), "fullName"), Some(json!("Luc")));
}

#[test]
fn changes_are_counted_and_refused_as_the_database_does_it() {
    let service = notes(&[]);
    let statuses = |method: Method, path: &str| -> Vec<u16> {
        let mut all: Vec<u16> = told(&service, method, path).iter().map(|one| one.1).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    let insert = told(&service, Method::Post, "/notes");
    assert!(insert.iter().any(|one| one.1 == 201) && insert.iter().any(|one| one.1 == 400), "{insert:?}");
    assert!(insert.iter().any(|one| one.0.starts_with("bread") && one.1 == 409), "{insert:?}");
    assert!(insert.iter().any(|one| one.0.ends_with("&99999") && one.1 == 500), "{insert:?}");
    assert_eq!(statuses(Method::Put, "/notes/{id}/done"), [204, 400, 404]);
    let removed = told(&service, Method::Delete, "/owners/{id}");
    assert_eq!((of(&removed, "1").1, of(&removed, "2").1), (500, 204), "a note refers to the first");
}

#[test]
fn what_is_not_plain_or_may_be_changed_elsewhere_is_open() {
    let path = "src/main/java/com/acme/notes/NoteDao.java";
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/spring-jdbc");
    let dao = std::fs::read_to_string(dir.join(path)).unwrap();
    let found = |more: &[(&str, &str)]| {
        told(&notes(more), Method::Get, "/notes/{id}").iter().any(|one| matches!(one.1, 200 | 404))
    };
    assert!(found(&[(path, dao.as_str())]));
    let joined =
        dao.replace("SELECT * FROM notes WHERE id = ?", "SELECT * FROM notes LEFT JOIN owners ON 1 = 1 WHERE id = ?");
    assert!(!found(&[(path, joined.as_str())]));
    let starter = "package com.acme.notes; import org.springframework.boot.CommandLineRunner; import org.springframework.stereotype.Component; \
        @Component public class Start implements CommandLineRunner { public void run(String... args) { } }";
    assert!(!found(&[("src/main/java/com/acme/notes/Start.java", starter)]));
    let outside = "spring.datasource.url=jdbc:postgresql://localhost/notes\n";
    assert!(!found(&[("src/main/resources/application.properties", outside)]));
}
