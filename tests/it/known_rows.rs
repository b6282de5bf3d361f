//! What is known of rows and of objects that a store was handed: rows at hand, fields that a store sets, fields that a
//! library declares, pages that are asked for.

use crate::states::{between, first, report, states};

const JPA: &str = "org.springframework.data.jpa.repository.JpaRepository";

fn repository(of: &str) -> String {
    format!("package a; public interface {of}Rows extends {JPA}<{of}, Long> {{ }}")
}

const PLAN: &str = "package a; import jakarta.persistence.*; @Entity public class Plan { @Id @GeneratedValue private Long id; private int months; private String owner;
  public Long getId() { return id; } public int getMonths() { return months; } public void setMonths(int months) { this.months = months; }
  public String getOwner() { return owner; } public void setOwner(String owner) { this.owner = owner; } }";

const USER: &str = "package a; import jakarta.persistence.*; @Entity public class User { @Id private Long id; @OneToOne private Plan plan;
  public Long getId() { return id; } public Plan getPlan() { return plan; } }";

#[test]
fn a_row_that_is_looked_up_by_its_own_key_is_the_row_at_hand() {
    let (plans, users) = (repository("Plan"), repository("User"));
    let handlers = |test: &str| {
        format!(
            "private final UserRows users; private final PlanRows plans; public C(UserRows users, PlanRows plans) {{ this.users = users; this.plans = plans; }}
  @PutMapping(\"/users/{{id}}\") public int put(@PathVariable(\"id\") Long id, @RequestParam(\"months\") int months) {{
    User user = users.findById(id).orElseThrow();
    if (user.getPlan().getMonths() == months) {{ return 0; }}
    Plan plan = plans.findById(user.getPlan().getId()).orElseThrow(() -> new IllegalStateException(\"none\"));
    if (plan.getMonths() {test} months) {{ plan.setMonths(months); plans.save(plan); return 1; }} return 2; }}"
        )
    };
    let files = [("Plan.java", PLAN), ("User.java", USER), ("PlanRows.java", &plans), ("UserRows.java", &users)];
    let told = first(&handlers("!="), &handlers("=="), &files);
    // No second plan with other months, and no plan that is not found.
    assert!(
        told.starts_with("no longer calls `plans.save(user.plan)`")
            || told.starts_with("no longer calls `planRows.save(user.plan)`"),
        "{told}"
    );
    assert!(!told.contains("finds no") && !told.contains("plan.months == months"), "{told}");
    let found = report(&between(&handlers("!="), &handlers("!= months + 0 || plan.getMonths() !="), &files));
    assert!(states(&found).iter().all(|(_, state)| state != "changed"), "{}", found["changes"]);
}

#[test]
fn a_store_sets_no_field_of_an_entity_but_those_that_it_generates() {
    let plans = repository("Plan");
    let handlers = |of: &str| {
        format!(
            "private final PlanRows plans; private final org.vendor.Shelf shelf; public C(PlanRows plans, org.vendor.Shelf shelf) {{ this.plans = plans; this.shelf = shelf; }}
  @PostMapping(\"/plans\") public int add(@RequestParam(\"months\") int months) {{
    Plan plan = new Plan(); plan.setMonths(months); plans.save(plan); return shelf.take({of}); }}"
        )
    };
    let files = [("Plan.java", PLAN), ("PlanRows.java", plans.as_str())];
    let told = first(&handlers("plan.getId().intValue()"), &handlers("plan.getOwner().length()"), &files);
    // What the code has not set is null, under no condition.
    assert_eq!(told, "answers 500 where it answered 200");
}

#[test]
fn fields_that_a_library_declares_are_read_and_written() {
    let row = "package a; public class Row extends org.vendor.mongo.ActiveRow { public String name; }";
    let handlers = |write: &str, read: &str| {
        format!(
            "@PostMapping(\"/rows\") public String add(@RequestParam(value = \"key\", required = false) String key) {{
    Row row = new Row(); row.name = \"n\"; if (key {write} null) {{ row.id = new org.vendor.mongo.Key(key); }} org.vendor.mongo.ActiveRow.persist(row); return String.valueOf(row.{read}); }}"
        )
    };
    let files = [("Row.java", row)];
    // What is written is not dropped.
    let told = first(&handlers("!=", "name"), &handlers("==", "name"), &files);
    assert!(told.contains("ActiveRow.persist") && told.contains("id"), "{told}");
    let told = first(&handlers("!=", "id"), &handlers("!=", "name"), &files);
    assert!(told.starts_with("gives `\"n\"`"), "{told}");
    // What is read is not what stops a comparison.
    let handlers = |size: &str| {
        format!(
            "@DeleteMapping(\"/rows/{{id}}\") public ResponseEntity<Void> remove(@PathVariable(\"id\") String id) {{
    Row row = org.vendor.mongo.Finder.findRow(id, Row.class); List<Row> others = org.vendor.mongo.Finder.listRows(row.id);
    if (others.size() > {size}) {{ return ResponseEntity.badRequest().build(); }} return ResponseEntity.noContent().build(); }}"
        )
    };
    let told = first(&handlers("0"), &handlers("1"), &files);
    assert!(told.starts_with("answers 204 where it answered 400") && told.contains("holds one"), "{told}");
}

#[test]
fn pages_are_told_by_the_number_that_differs() {
    let plans = repository("Plan");
    let handlers = |test: &str| {
        format!(
            "private final PlanRows plans; public C(PlanRows plans) {{ this.plans = plans; }}
  @GetMapping(\"/plans\") public List<Plan> list(@RequestParam(defaultValue = \"0\") int page, @RequestParam(defaultValue = \"10\") int size) {{
    if ({test} || size <= 0) {{ page = 0; size = 10; }}
    return plans.findAll(org.springframework.data.domain.PageRequest.of(page, size)).getContent(); }}"
        )
    };
    let files = [("Plan.java", PLAN), ("PlanRows.java", plans.as_str())];
    let told = first(&handlers("page < 0"), &handlers("page <= 0"), &files);
    assert!(told.contains("with `10` for `size` where it was `size`") && told.contains("page == 0"), "{told}");
}

#[test]
fn a_mapper_sets_whatever_it_finds() {
    let plans = repository("Plan");
    let handlers = |then: &str| {
        format!(
            "private final PlanRows plans; private final org.vendor.Mapper mapper; public C(PlanRows plans, org.vendor.Mapper mapper) {{ this.plans = plans; this.mapper = mapper; }}
  @PatchMapping(\"/plans/{{id}}\") public void patch(@PathVariable(\"id\") Long id, @RequestBody Map<String, String> given) {{
    Plan made = new Plan(); mapper.map(given, made);
    Plan row = plans.findById(id).orElseThrow(); if (made.getOwner() != null) {{ {then} }} plans.save(row); }}"
        )
    };
    let files = [("Plan.java", PLAN), ("PlanRows.java", plans.as_str())];
    let told = first(&handlers("row.setOwner(made.getOwner());"), &handlers(""), &files);
    assert!(told.contains("old `owner`") && told.contains("plan.owner is not null"), "{told}");
}

#[test]
fn a_row_that_may_have_been_written_since_is_looked_up_again() {
    let plans = repository("Plan");
    let handlers = |owner: &str| {
        format!(
            "private final PlanRows plans; private final org.vendor.Billing billing; public C(PlanRows plans, org.vendor.Billing billing) {{ this.plans = plans; this.billing = billing; }}
  @PutMapping(\"/plans/{{id}}\") public String close(@PathVariable(\"id\") Long id) {{
    Plan plan = plans.findById(id).orElseThrow(); billing.close(plan.getId()); return {owner}; }}"
        )
    };
    let files = [("Plan.java", PLAN), ("PlanRows.java", plans.as_str())];
    let again = "plans.findById(plan.getId()).orElseThrow().getOwner()";
    let found = report(&between(&handlers(again), &handlers("plan.getOwner()"), &files));
    assert!(states(&found).iter().all(|(_, state)| state != "same"), "{}", found["compared"]);
}
