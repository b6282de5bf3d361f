//! Derived changes taken from commits of long histories, for which a manual review found a wrong or missing report.

use crate::changes::{between, service, told};
use crate::derive::all_changes;

#[test]
fn conditions_that_only_begin_alike_are_two() {
    let code = |status: u16, value: u8| {
        format!(
            "@GetMapping(\"/items\") public ResponseEntity<String> all(@RequestParam(\"first\") String first, @RequestParam(\"second\") String second,
               @RequestParam(\"third\") String third, @RequestParam(\"fourth\") String fourth, @RequestParam(\"n\") int n) {{
               if (first.equals(\"a text of some forty letters, to be long\")) {{ if (second.equals(\"a text of some forty letters, to be long\")) {{
               if (third.equals(\"a text of some forty letters, to be long\")) {{ if (fourth.equals(\"a text of some forty letters, to be long\")) {{
               if (n == {value}) {{ return ResponseEntity.status({status}).build(); }} }} }} }} }}
               return ResponseEntity.ok(\"there\"); }}"
        )
    };
    let found = told(&between(&code(400, 1), &code(404, 2)));
    assert!(!found.is_empty());
    assert!(!found.iter().any(|one| one.starts_with("answers 404 where it answered 400")), "{found:#?}");
    let found = told(&between(&code(400, 1), &code(404, 1)));
    assert!(found.iter().any(|one| one.starts_with("answers 404 where it answered 400")), "{found:#?}");
}

#[test]
fn a_form_that_moved_is_shown_by_a_text_that_only_one_of_both_takes() {
    let code = |form: &str| {
        format!(
            "public static class Person {{ @Size(min = 1, max = 30) @Pattern(regexp = \"{form}\") public String name; @NotNull public String city; }}
             @ExceptionHandler(org.springframework.web.bind.MethodArgumentNotValidException.class)
             public ResponseEntity<List<String>> bad(org.springframework.web.bind.MethodArgumentNotValidException e) {{
               List<String> all = new ArrayList<>();
               for (org.springframework.validation.FieldError one : e.getBindingResult().getFieldErrors()) {{ all.add(one.getField()); }}
               return ResponseEntity.badRequest().body(all); }}
             @PostMapping(\"/people\") public ResponseEntity<Void> make(@Valid @RequestBody Person person) {{
               Outside.keep(person); return ResponseEntity.ok().build(); }}"
        )
    };
    let changes = between(&code("^[a-z]*$"), &code("^[a-z]+( [a-z]+)?$"));
    let [change] = changes.as_slice() else { panic!("{:#?}", told(&changes)) };
    assert_eq!(change.what, "name: matches ^[a-z]*$ → matches ^[a-z]+( [a-z]+)?$");
    let asked = serde_json::to_string(&change.witness.as_ref().unwrap().input).unwrap();
    assert!(asked.contains("\"a a\""), "{asked}");
}

#[test]
fn what_a_constructor_of_a_library_gives_is_never_null() {
    let all = |body: &str| {
        format!(
            "@GetMapping(\"/items\") public List<Item> all() {{ List<Item> all = new ArrayList<>(Outside.all()); {body} return all; }}"
        )
    };
    let found = between(&all(""), &all("if (all == null) { throw new Bad(); }"));
    assert!(found.is_empty(), "{:#?}", told(&found));
}

#[test]
fn an_exception_that_is_not_known_can_be_printed_and_asked_for_its_message() {
    let code = |status: u16| {
        format!(
            "@GetMapping(\"/items/{{id}}\") public ResponseEntity<String> one(@PathVariable(\"id\") int id) {{
               String text = \"\";
               try {{ text = Outside.text(id); }} catch (Exception e) {{ e.printStackTrace(); text = e.getMessage(); }}
               return ResponseEntity.status({status}).body(text); }}"
        )
    };
    let found = told(&between(&code(200), &code(202)));
    assert!(
        found.iter().any(|one| one.starts_with("answers 202 where it answered 200") && one.contains('→')),
        "{found:#?}"
    );
}

#[test]
fn a_write_is_also_tried_without_what_may_be_left_out() {
    let item = |column: &str| {
        format!(
            "package a; import jakarta.persistence.*;
             @Entity public class Item {{ @Id @GeneratedValue(strategy = GenerationType.IDENTITY) private Long id;
               private String name; {column} private String note;
               public Long getId() {{ return id; }} public String getName() {{ return name; }} public String getNote() {{ return note; }}
               public void setId(Long id) {{ this.id = id; }} public void setName(String name) {{ this.name = name; }}
               public void setNote(String note) {{ this.note = note; }} }}"
        )
    };
    let code = "public static class Draft { public String name; public String note; }
        @PostMapping(\"/items\") public ResponseEntity<Void> make(@RequestBody Draft draft) { Item item = new Item();
          item.setName(draft.name); item.setNote(draft.note); items.save(item); return ResponseEntity.noContent().build(); }
        @GetMapping(\"/items\") public List<Item> all() { return items.findAll(); }";
    let with = |column: &str| {
        service(code, &[("src/main/java/a/Item.java", item(column).as_str()), ("src/main/resources/data.sql", "")])
    };
    let found = told(&all_changes(&with(""), &with("@Column(nullable = false)")));
    assert!(found.iter().any(|one| one.starts_with("answers 500 where it answered 204")), "{found:#?}");
}

#[test]
fn a_statement_names_fields_without_the_row_that_it_looks_at() {
    let code = |otherwise: &str| {
        format!(
            "@jakarta.persistence.PersistenceContext jakarta.persistence.EntityManager manager;
             @org.springframework.transaction.annotation.Transactional
             @DeleteMapping(\"/items/{{id}}\") public ResponseEntity<Void> drop(@PathVariable(\"id\") long id) {{
               int n = manager.createQuery(\"DELETE FROM Item item WHERE id=\" + id).executeUpdate();
               return n > 0 ? ResponseEntity.noContent().build() : {otherwise}; }}"
        )
    };
    let found = told(&between(&code("ResponseEntity.notFound().build()"), &code("ResponseEntity.noContent().build()")));
    assert!(found.iter().any(|one| one.starts_with("answers 204 where it answered 404")), "{found:#?}");
    let found =
        told(&between(&code("ResponseEntity.notFound().build()"), &code("ResponseEntity.badRequest().build()")));
    assert_eq!(found.len(), 1, "{found:#?}");
}

#[test]
fn beans_are_ordered_by_a_property() {
    let code = |up: bool| {
        format!(
            "public static class Bean {{ private final String name; Bean(String name) {{ this.name = name; }} public String getName() {{ return name; }} }}
             @GetMapping(\"/beans\") public List<Bean> all() {{
               Set<Bean> found = new HashSet<>(); found.add(new Bean(\"rye\")); found.add(new Bean(\"Oat\")); found.add(new Bean(\"corn\"));
               List<Bean> sorted = new ArrayList<>(found);
               org.springframework.beans.support.PropertyComparator.sort(sorted,
                 new org.springframework.beans.support.MutableSortDefinition(\"name\", true, {up}));
               return sorted; }}"
        )
    };
    let found = between(&code(true), &code(false));
    let witness = found[0].witness.as_ref().unwrap();
    assert_eq!(witness.before, "200 [{\"name\":\"corn\"},{\"name\":\"Oat\"},{\"name\":\"rye\"}]");
    assert_eq!(witness.after, "200 [{\"name\":\"rye\"},{\"name\":\"Oat\"},{\"name\":\"corn\"}]");
}

#[test]
fn a_header_that_is_another_is_told_once_whatever_it_names() {
    let made = |place: &str| {
        format!(
            "public static class Draft {{ public Integer id; public String name; }}
             @PostMapping(\"/items\") public ResponseEntity<Void> make(@RequestBody Draft draft) {{
               if (draft.id != null && draft.id == 7) {{ Outside.seven(); }}
               return ResponseEntity.created(URI.create(\"{place}\" + draft.id)).build(); }}"
        )
    };
    let found = told(&between(&made("/itms/"), &made("/items/")));
    assert_eq!(found.iter().filter(|one| one.contains("the header Location")).count(), 1, "{found:#?}");
}

#[test]
fn elements_without_an_order_are_told_apart_by_what_names_them() {
    let code = |more: &str| {
        format!(
            "public static class Part {{ public int size = 3; {more} }}
             public static class Line {{ public Long id; public List<Part> parts = List.of(new Part()); Line(Item item) {{ id = item.getId(); }} }}
             @GetMapping(\"/lines\") public List<Line> lines() {{ List<Line> all = new ArrayList<>();
               for (Item item : items.findAll()) {{ all.add(new Line(item)); }} return all; }}"
        )
    };
    let changes = between(&code(""), &code("public int weight = 5;"));
    assert_eq!(told(&changes).len(), 1, "{:#?}", told(&changes));
    assert_eq!(changes[0].what, "the field [*].parts[*].weight is new on 200");
    assert_eq!(changes[0].effect, mastor::types::results::change::ChangeEffect::Additive);
}

#[test]
fn an_encoder_of_passwords_that_a_configuration_makes_encodes_whatever_is_there() {
    let config = "package a; import org.springframework.context.annotation.*; import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
        import org.springframework.security.crypto.password.PasswordEncoder;
        @Configuration public class Config { @Bean public PasswordEncoder encoder() { return new BCryptPasswordEncoder(); } }";
    let code = |role: &str| {
        format!(
            "@org.springframework.beans.factory.annotation.Autowired org.springframework.security.crypto.password.PasswordEncoder encoder;
             public static class Account {{ public String password; public String role; }}
             @PostMapping(\"/accounts\") public ResponseEntity<Account> make(@RequestBody Account account) {{
               if (account.role == null) {{ throw new Bad(); }}
               account.password = encoder.encode(account.password); account.role = {role}; return ResponseEntity.ok(account); }}"
        )
    };
    let with = |role: &str| service(&code(role), &[("src/main/java/a/Config.java", config)]);
    let found = told(&all_changes(&with("\"ROLE_\" + account.role.toUpperCase()"), &with("\"ROLE_\" + account.role")));
    assert!(found.iter().any(|one| one.starts_with("role has another value on 200")), "{found:#?}");
    let given = told(&all_changes(&with("account.role"), &with("account.password == null ? \"none\" : account.role")));
    assert!(given.is_empty(), "{given:#?}");
}

#[test]
fn a_row_is_one_object_within_a_session_alone() {
    let code = |same: &str| {
        format!(
            "@GetMapping(\"/items/{{id}}\") public ResponseEntity<Void> one(@PathVariable(\"id\") long id) {{
               Item one = items.findById(id).orElse(null); Item other = items.findById(id).orElse(null);
               if (one == null) {{ return ResponseEntity.notFound().build(); }}
               return {same} ? ResponseEntity.noContent().build() : ResponseEntity.badRequest().build(); }}"
        )
    };
    let apart = ("src/main/resources/application.properties", "spring.jpa.open-in-view=false");
    for same in ["one == other", "one.equals(other)"] {
        let found = told(&between(&code(same), &code("false")));
        assert!(found.iter().any(|one| one.starts_with("answers 400 where it answered 204")), "{found:#?}");
        let found = told(&all_changes(&service(&code(same), &[apart]), &service(&code("false"), &[apart])));
        assert!(!found.iter().any(|one| one.contains('→')), "{found:#?}");
    }
}

#[test]
fn a_row_keeps_the_key_of_what_it_refers_to_and_nothing_else_of_it() {
    let kind = "package a; import jakarta.persistence.*;
        @Entity public class Kind { @Id private Long id; private String name;
          public Long getId() { return id; } public void setId(Long id) { this.id = id; }
          public String getName() { return name; } public void setName(String name) { this.name = name; } }";
    let item = "package a; import jakarta.persistence.*;
        @Entity public class Item { @Id @GeneratedValue(strategy = GenerationType.IDENTITY) private Long id; @ManyToOne private Kind kind;
          public Long getId() { return id; } public void setId(Long id) { this.id = id; }
          public Kind getKind() { return kind; } public void setKind(Kind kind) { this.kind = kind; } }";
    let kinds = "package a; public interface Kinds extends org.springframework.data.jpa.repository.JpaRepository<Kind, Long> { }";
    let data = "insert into kind (id, name) values (1, 'bread'); insert into item (id, kind_id) values (7, 1);";
    let code = |given: &str| {
        format!(
            "@org.springframework.beans.factory.annotation.Autowired Kinds kinds;
             @PutMapping(\"/items/{{id}}\") public ResponseEntity<Void> put(@PathVariable(\"id\") long id, @RequestBody Kind kind) {{
               Item item = items.findById(id).orElse(null); if (item == null || kind.getId() == null || !kinds.existsById(kind.getId())) {{ throw new Bad(); }}
               item.setKind({given}); items.save(item); return ResponseEntity.noContent().build(); }}
             @GetMapping(\"/items/{{id}}\") public ResponseEntity<Item> one(@PathVariable(\"id\") long id) {{
               return items.findById(id).map(ResponseEntity::ok).orElseGet(() -> ResponseEntity.notFound().build()); }}"
        )
    };
    let dir = "src/main/java/a";
    let with = |given: &str| {
        let (of_kind, of_item, of_kinds) =
            (format!("{dir}/Kind.java"), format!("{dir}/Item.java"), format!("{dir}/Kinds.java"));
        let files =
            [(of_kind.as_str(), kind), (&of_item, item), (&of_kinds, kinds), ("src/main/resources/data.sql", data)];
        service(&code(given), &files)
    };
    let found = told(&all_changes(&with("kind"), &with("kinds.findById(kind.getId()).get()")));
    assert!(found.is_empty(), "{found:#?}");
    let found = told(&all_changes(&with("kind"), &with("null")));
    assert!(found.iter().any(|one| one.contains("GET /items/{id} after PUT /items/{id}")), "{found:#?}");
}

#[test]
fn what_a_row_refers_to_is_asked_for_by_keys_that_are_there() {
    let kind = "package a; import jakarta.persistence.*;
        @Entity public class Kind { @Id private Long id; private String name;
          public Long getId() { return id; } public void setId(Long id) { this.id = id; }
          public String getName() { return name; } public void setName(String name) { this.name = name; } }";
    let item = "package a; import jakarta.persistence.*;
        @Entity public class Item { @Id @GeneratedValue(strategy = GenerationType.IDENTITY) private Long id; private String name; @ManyToOne private Kind kind;
          public Long getId() { return id; } public void setId(Long id) { this.id = id; }
          public String getName() { return name; } public void setName(String name) { this.name = name; }
          public Kind getKind() { return kind; } public void setKind(Kind kind) { this.kind = kind; } }";
    let kinds = "package a; public interface Kinds extends org.springframework.data.jpa.repository.JpaRepository<Kind, Long> { }";
    let data = "insert into kind (id, name) values (5, 'bread'), (6, 'milk');";
    let code = |name: &str| {
        format!(
            "@PostMapping(\"/items\") public ResponseEntity<Item> make(@RequestBody Item item) {{
               item.getKind().getName(); item.setName({name}); return ResponseEntity.ok(items.save(item)); }}"
        )
    };
    let with = |name: &str| {
        let files = [
            ("src/main/java/a/Kind.java", kind),
            ("src/main/java/a/Item.java", item),
            ("src/main/java/a/Kinds.java", kinds),
            ("src/main/resources/data.sql", data),
        ];
        service(&code(name), &files)
    };
    let found = told(&all_changes(&with("\"A_\" + item.getName().toUpperCase()"), &with("\"A_\" + item.getName()")));
    assert!(found.iter().any(|one| one.starts_with("name has another value on 200")), "{found:#?}");
}
