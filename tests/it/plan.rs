//! `operations`, `plan` and `why` on the bundled example: which operations a change affects.

use crate::support::Repo;

const ADVICE: &str = "src/main/java/com/example/orders/web/ApiExceptionHandler.java";
const SERVICE: &str = "src/main/java/com/example/orders/order/DefaultOrderService.java";
const ZONES: &str = "src/main/java/com/example/orders/shipping/ZoneDirectory.java";
const PRODUCTS: &str = "src/main/java/com/example/orders/product/ProductController.java";
const PROPERTIES: &str = "src/main/resources/application.properties";
const SEED: &str = "src/main/resources/data.sql";

/// Operations in this state when the work tree is compared with `main`.
fn in_state(repo: &Repo, state: &str) -> Vec<String> {
    let plan = repo.json(["plan", "--since", "main", "--format", "json"]);
    let operations = plan["operations"].as_array().unwrap().iter().filter(|o| o["state"] == state);
    operations.map(|o| o["op_id"].as_str().unwrap().to_owned()).collect()
}

fn affected(repo: &Repo) -> Vec<String> {
    in_state(repo, "affected")
}

#[test]
fn every_operation_of_the_document_has_its_entry() {
    let repo = Repo::example();
    let found = repo.json(["operations", "--format", "json"]);
    let operations = found["operations"].as_array().unwrap();
    assert_eq!(operations.len(), 15);
    assert!(operations.iter().all(|o| o["status"] == "matched" && o["entry"]["line"].as_u64().unwrap() > 1));
    let quotes = operations.iter().find(|o| o["op_id"] == "GET /quotes").unwrap();
    assert_eq!(quotes["entry"]["class"], "com.example.orders.quote.QuoteController");
    assert_eq!(quotes["entry"]["method"], "quote(int,long,String)");
    repo.run(["operations"]).ends(0).says(&["15 operations: 15 matched"]);
}

#[test]
fn a_change_of_one_method_flags_what_reaches_it_and_nothing_else() {
    let repo = Repo::example().edit(ZONES, "\"neighbour\", 3", "\"neighbour\", 4");
    assert_eq!(affected(&repo), ["GET /shipping/zones/{country}", "POST /customers"]);
    let why = repo.json(["why", "GET /shipping/zones/{country}", "--since", "main", "--format", "json"]);
    let chain = &why["chains"][0];
    assert!(chain["changed"].as_str().unwrap().ends_with("ZoneDirectory.java#ZoneDirectory.find(String)"), "{chain}");
    let path: Vec<&str> = chain["path"].as_array().unwrap().iter().map(|step| step.as_str().unwrap()).collect();
    assert!(path[0].contains("ShippingController") && path[0].ends_with("(entry)"), "{path:?}");
    assert!(path.len() >= 2 && path[path.len() - 2].contains("ShippingController"), "{path:?}");
    assert!(path[path.len() - 1].contains("ZoneDirectory#find"), "{path:?}");
}

#[test]
fn comments_formatting_tests_and_prose_flag_nothing() {
    let repo = Repo::example()
        .edit(ZONES, "return null;", "return    null; // we do not ship there")
        .edit(ZONES, "/** The countries we ship to. */", "/** Where we ship to. */\n")
        .edit("README.md", "#", "##")
        .edit("src/test/java/com/example/orders/shipping/ZoneDirectoryTest.java", "@Test", "/* t */ @Test")
        .file("src/test/java/com/example/orders/NewTest.java", "class NewTest {}");
    assert_eq!(affected(&repo), [""; 0]);
    assert_eq!(in_state(&repo, "recheck"), [""; 0]);
    assert_eq!(in_state(&repo, "inherited").len(), 15);
}

#[test]
fn an_advice_flags_what_can_throw_to_it() {
    let repo = Repo::example().edit(ADVICE, "\"illegal_transition\"", "\"illegal\"");
    assert_eq!(affected(&repo), ["PUT /orders/{id}/status"]);
}

#[test]
fn a_property_flags_what_reads_it() {
    let repo = Repo::example().edit(PROPERTIES, "orders.currency=EUR", "orders.currency=CHF");
    let affected = affected(&repo);
    assert!(affected.contains(&"GET /quotes".to_owned()), "{affected:?}");
    assert!(!affected.contains(&"GET /shipping/zones/{country}".to_owned()), "{affected:?}");
    // The property's readers are known, so no other operation is to be rechecked.
    assert_eq!(in_state(&repo, "recheck"), [""; 0]);
    let repo =
        Repo::example().edit(PROPERTIES, "orders.currency=EUR", "orders.currency=EUR\nspring.jpa.open-in-view=false");
    assert_eq!(in_state(&repo, "recheck").len(), 15);
}

#[test]
fn a_property_that_another_one_holds_flags_its_readers() {
    let repo = Repo::new()
        .file(
            "src/main/java/a/A.java",
            "package a; import org.springframework.web.bind.annotation.*; import org.springframework.beans.factory.annotation.Value;\n\
             @RestController class A { @Value(\"${shop.title}\") String title; @GetMapping(\"/x\") String x() { return title; }\n\
             @GetMapping(\"/y\") String y() { return \"y\"; } }",
        )
        .file("src/main/resources/application.properties", "shop.title=Shop of ${shop.owner}\nshop.owner=Ann\n")
        .commit("One")
        .edit("src/main/resources/application.properties", "Ann", "Bea");
    assert_eq!(affected(&repo), ["GET /x"]);
    assert_eq!(in_state(&repo, "inherited"), ["GET /y"]);
}

#[test]
fn a_bean_that_only_libraries_take_asks_for_a_recheck() {
    let repo = Repo::new()
        .file(
            "src/main/java/a/A.java",
            "package a; import org.springframework.web.bind.annotation.*;\n\
             @RestController class A { @GetMapping(\"/x\") String x() { return \"x\"; } }",
        )
        .file(
            "src/main/java/a/C.java",
            "package a; import org.springframework.context.annotation.*; import javax.sql.DataSource; import x.Docket;\n\
             @Configuration class C { @Bean DataSource source() { return make(1); } @Bean Docket docs() { return null; } }",
        )
        .commit("One")
        .edit("src/main/java/a/C.java", "make(1)", "make(2)");
    assert_eq!(in_state(&repo, "recheck"), ["GET /x"]);
    let repo = repo.commit("Two").branch("more").edit("src/main/java/a/C.java", "return null", "return other()");
    repo.git(["branch", "-f", "main", "more"]);
    assert_eq!(in_state(&repo, "inherited"), ["GET /x"]);
}

#[test]
fn a_configuration_that_is_given_what_it_sets_up_flags_all() {
    let repo = Repo::new()
        .file(
            "src/main/java/a/A.java",
            "package a; import org.springframework.web.bind.annotation.*;\n\
             @RestController class A { @GetMapping(\"/x\") String x() { return \"x\"; } }",
        )
        .file(
            "src/main/java/a/C.java",
            "package a; import org.springframework.context.annotation.*; import org.springframework.beans.factory.annotation.Autowired;\n\
             import org.springframework.security.config.annotation.authentication.builders.AuthenticationManagerBuilder;\n\
             @Configuration class C { @Autowired void global(AuthenticationManagerBuilder auth) throws Exception {\n\
             auth.jdbcAuthentication().usersByUsernameQuery(\"select name from users where name = ?\"); } }",
        )
        .file("src/main/resources/data.sql", "insert into users values ('ann');\ninsert into other values ('ann');\n")
        .commit("One");
    let repo = repo.edit("src/main/resources/data.sql", "users values ('ann')", "users values ('bea')");
    assert_eq!(affected(&repo), ["GET /x"]);
    let repo = repo.edit("src/main/resources/data.sql", "bea", "ann").edit(
        "src/main/java/a/C.java",
        "select name",
        "select id",
    );
    assert_eq!(affected(&repo), ["GET /x"]);
}

#[test]
fn the_class_that_says_what_a_service_is_made_of_flags_all() {
    let repo = Repo::new()
        .file("src/main/java/a/R.java", "package a; import javax.ws.rs.*; @Path(\"/x\") public class R { @GET public String x() { return \"x\"; } }")
        .file(
            "src/main/java/a/App.java",
            "package a; import java.util.*; import javax.ws.rs.*; import javax.ws.rs.core.Application;\n\
             @ApplicationPath(\"/\") public class App extends Application { public Set<Object> getSingletons() { return Set.of(new R()); } }",
        )
        .commit("One")
        .edit("src/main/java/a/App.java", "Set.of(new R())", "Set.of(new R(), new org.lib.Json())");
    assert_eq!(affected(&repo), ["GET /x"]);
}

#[test]
fn an_injected_implementation_flags_what_calls_its_interface() {
    let repo = Repo::example().edit(SERVICE, "an order is new only once", "an order is new once");
    assert_eq!(affected(&repo), ["PUT /orders/{id}/status"]);
}

#[test]
fn a_constant_in_a_guard_flags_the_guarded() {
    let repo = Repo::example().edit(PRODUCTS, "MIN_SKU_LENGTH = 4", "MIN_SKU_LENGTH = 3");
    assert_eq!(affected(&repo), ["GET /products/{sku}"]);
}

#[test]
fn a_constant_in_a_route_makes_another_operation() {
    let controller = |value: &str| {
        format!(
            "package a; import org.springframework.web.bind.annotation.*;\n\
             @RestController class A {{ static final String P = \"{value}\";\n\
             @GetMapping(P + \"/x\") String x() {{ return \"x\"; }} @GetMapping(\"/y\") String y() {{ return \"y\"; }} }}"
        )
    };
    let repo = Repo::new().file("src/main/java/a/A.java", controller("/one")).commit("one");
    let repo = repo.file("src/main/java/a/A.java", controller("/two"));
    let plan = repo.json(["plan", "--since", "main", "--format", "json"]);
    let states: Vec<(&str, &str)> = plan["operations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|o| (o["op_id"].as_str().unwrap(), o["state"].as_str().unwrap()))
        .collect();
    assert!(states.contains(&("GET /y", "inherited")), "{states:?}");
    assert!(states.contains(&("GET /two/x", "affected")) || states.contains(&("GET /two/x", "new")), "{states:?}");
}

#[test]
fn beans_that_are_injected_as_a_collection_flag_what_calls_them() {
    let registry = |field: &str, fill: &str, run: &str| {
        format!(
            "package a; import java.util.*; import org.springframework.stereotype.*; import org.springframework.web.bind.annotation.*;\n\
             interface Command {{ String run(); }}\n\
             @Component class One implements Command {{ public String run() {{ return \"1\"; }} }}\n\
             @Component class Idle {{ String run() {{ return \"1\"; }} }}\n\
             @Service class Registry {{ {field} Registry(List<Command> all) {{ {fill} }} String run() {{ {run} }} }}\n\
             @RestController class C {{ private final Registry registry; C(Registry registry) {{ this.registry = registry; }}\n\
             @GetMapping(\"/a\") String a() {{ return registry.run(); }} }}\n"
        )
    };
    let loops = "String all = \"\"; for (Command one : commands) { all += one.run(); } return all;";
    let forms = [
        registry("private final List<Command> commands;", "commands = all;", loops),
        registry("private final Object[] kept;", "kept = all.toArray();", "return ((Command) kept[0]).run();"),
        registry(
            "private final Map<String, Command> commands = new HashMap<>();",
            "for (Command one : all) { commands.put(one.run(), one); }",
            "return commands.get(\"a\").run();",
        ),
    ];
    for form in forms {
        let path = "src/main/java/a/C.java";
        let repo = Repo::new().file(path, &form).commit("first");
        let idle =
            repo.edit(path, "class Idle { String run() { return \"1\"", "class Idle { String run() { return \"2\"");
        assert_eq!(affected(&idle), [""; 0], "{form}");
        let repo = idle.edit(path, "public String run() { return \"1\"", "public String run() { return \"2\"");
        assert_eq!(affected(&repo), ["GET /a"], "{form}");
    }
}

/// A service with code that its operation does not reach: a job, a bean, a helper of the job, and unreferenced code.
fn beside() -> Repo {
    let file = |name: &str| format!("src/main/java/a/{name}.java");
    let spring = "package a; import org.springframework.stereotype.*; import org.springframework.web.bind.annotation.*; \
                  import org.springframework.scheduling.annotation.*;\n";
    Repo::new()
        .file(
            &file("C"),
            format!("{spring}@RestController class C {{ @GetMapping(\"/a\") String a() {{ return \"1\"; }} }}\n"),
        )
        .file(
            &file("Job"),
            format!(
                "{spring}@Component class Job {{ @Scheduled(fixedRate = 1) void tick() {{ new Helper().sweep(); }} }}\n"
            ),
        )
        .file(
            &file("Helper"),
            "package a; class Helper { void sweep() { int days = 1; } void idle() { int n = 1; } }\n",
        )
        .file(
            &file("Dead"),
            "package a; class Dead { static void first() { second(); } static void second() { int n = 1; } }\n",
        )
        .file(
            "src/test/java/a/HelperTest.java",
            "package a; class HelperTest { void tests() { new Helper().idle(); } }\n",
        )
        .commit("first")
}

#[test]
fn changed_code_that_no_operation_reaches_is_named_with_what_runs_it() {
    let helper = "src/main/java/a/Helper.java";
    let repo = beside()
        .edit(helper, "days = 1", "days = 2")
        .edit(helper, "int n = 1", "int n = 2")
        .edit("src/main/java/a/Dead.java", "static void second() { int n = 1; }", "static void second() { int n = 2; }")
        .edit("src/test/java/a/HelperTest.java", "new Helper()", "  new a.Helper()");
    let plan = || repo.json(["plan", "--since", "main", "--format", "json"]);
    let first = plan();
    assert_eq!(first["counts"]["affected"], 0);
    let told: Vec<(String, bool, String)> = first["unreached"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            let input = one["input"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
            (input, one["from_running"].as_bool().unwrap(), one["referred_by"].to_string())
        })
        .collect();
    let all = [
        ("Dead.java#Dead.second()", false, "[\"a.Dead#first()\"]"),
        ("Helper.java#Helper.idle()", false, "[]"),
        ("Helper.java#Helper.sweep()", true, "[\"a.Job#tick() (annotated @Scheduled)\"]"),
    ];
    assert_eq!(told, all.map(|(input, runs, by)| (input.to_owned(), runs, by.to_owned())));
    assert_eq!(plan(), first, "the cache says the same");
    repo.run(["plan", "--since", "main"]).ends(0).says(&[
        "3 changes of main code that no operation reaches",
        "Helper.java#Helper.sweep() changed (runs: a.Job#tick() (annotated @Scheduled))",
        "Helper.java#Helper.idle() changed (nothing refers to it)",
        "Dead.java#Dead.second() changed (referred to by a.Dead#first(), which nothing runs)",
    ]);
}

#[test]
fn code_that_comes_and_goes_beside_the_operations_is_named_and_what_an_operation_reaches_is_not() {
    let repo = beside()
        .remove("src/main/java/a/Dead.java")
        .edit("src/main/java/a/C.java", "return \"1\";", "return \"2\";")
        .file("src/main/java/a/New.java", "package a; class New { void fresh() {} }\n");
    let plan = repo.json(["plan", "--since", "main", "--format", "json"]);
    assert_eq!(plan["counts"]["affected"], 1);
    let told = plan["unreached"].as_array().unwrap().iter();
    let told: Vec<String> = told
        .map(|one| {
            format!(
                "{} {}",
                one["input"].as_str().unwrap().rsplit('/').next().unwrap(),
                one["change"].as_str().unwrap()
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            "Dead.java#Dead removed",
            "Dead.java#Dead.first() removed",
            "Dead.java#Dead.second() removed",
            "New.java#New added",
            "New.java#New.fresh() added"
        ]
    );
}

#[test]
fn a_plan_from_the_cache_says_the_same() {
    let repo = Repo::example().edit(ZONES, "Zone find(String country)", "Zone look(String country)");
    let plan = || repo.json(["plan", "--since", "main", "--format", "json"]);
    let first = plan();
    // The place of a removed member comes from the base, whose analysis is cached.
    let because = first["operations"].as_array().unwrap().iter().flat_map(|o| o["because"].as_array().unwrap());
    let inputs: Vec<&str> = because.map(|because| because["input"].as_str().unwrap()).collect();
    assert!(inputs.iter().any(|input| input.ends_with("ZoneDirectory.java#ZoneDirectory.find(String)")), "{inputs:?}");
    assert_eq!(plan(), first);
    repo.run(["plan", "--since", "main", "-v"]).ends(0).says(&["was analysed before"]);
    let repo = repo.edit(ZONES, "Zone look(String country)", "Zone find(String country)");
    assert_eq!(affected(&repo), [""; 0]);
}

#[test]
fn a_seed_flags_what_touches_its_table() {
    let repo = Repo::example().edit(SEED, "Mug, white", "Mug, red");
    let affected = affected(&repo);
    assert!(affected.contains(&"GET /products/{sku}".to_owned()), "{affected:?}");
    assert!(!affected.contains(&"GET /customers/{id}".to_owned()), "{affected:?}");
    assert!(!affected.contains(&"GET /quotes".to_owned()), "{affected:?}");
}

#[test]
fn what_chooses_the_seed_flags_what_reads_entities() {
    let properties = "src/main/resources/application.properties";
    let repo = Repo::example().edit(
        properties,
        "spring.jpa.open-in-view=false",
        "spring.jpa.open-in-view=false\nspring.sql.init.mode=never",
    );
    let affected = affected(&repo);
    assert!(affected.contains(&"GET /products/{sku}".to_owned()), "{affected:?}");
    assert!(!affected.contains(&"GET /quotes".to_owned()), "{affected:?}");
}

#[test]
fn a_seed_flags_what_uses_its_entity_and_not_what_only_loads_it() {
    let entity = |name: &str, body: &str| {
        format!(
            "package a; import jakarta.persistence.*; import java.util.*; @Entity public class {name} {{ @Id Long id; {body} }}"
        )
    };
    let repository = |name: &str| {
        format!(
            "package a; public interface {name}s extends org.springframework.data.jpa.repository.JpaRepository<{name}, Long> {{ }}"
        )
    };
    let repo = Repo::new()
        .file("src/main/java/a/Town.java", entity("Town", "String name; @OneToMany List<Person> people; public String getName() { return name; }"))
        .file("src/main/java/a/Person.java", entity("Person", "String name; @ManyToOne Town town; public Town getTown() { return town; }"))
        .file("src/main/java/a/Towns.java", repository("Town"))
        .file("src/main/java/a/Persons.java", repository("Person"))
        .file(
            "src/main/java/a/A.java",
            "package a; import org.springframework.web.bind.annotation.*;\n@RestController class A { private final Towns towns; \
             A(Towns towns) { this.towns = towns; } @GetMapping(\"/towns/{id}\") String town(@PathVariable Long id) { \
             return towns.findById(id).get().getName(); } }",
        )
        .file(
            "src/main/java/a/B.java",
            "package a; import org.springframework.web.bind.annotation.*;\n@RestController class B { private final Persons persons; \
             B(Persons persons) { this.persons = persons; } @GetMapping(\"/persons/{id}/town\") String town(@PathVariable Long id) { \
             return persons.findById(id).get().getTown().getName(); } }",
        )
        .file("src/main/resources/data.sql", "insert into town values (1, 'Ulm');\ninsert into person values (1, 'Ann', 1);\n")
        .commit("One");
    let repo = repo.edit("src/main/resources/data.sql", "Ann", "Bea");
    assert_eq!(affected(&repo), ["GET /persons/{id}/town"]);
    assert_eq!(in_state(&repo, "recheck"), ["GET /towns/{id}"]);
    let repo =
        repo.edit("src/main/resources/data.sql", "Bea", "Ann").edit("src/main/resources/data.sql", "Ulm", "Bonn");
    assert_eq!(affected(&repo), ["GET /persons/{id}/town", "GET /towns/{id}"]);
}

#[test]
fn a_build_file_makes_recheck() {
    let repo = Repo::example().edit("pom.xml", "<finalName>orders</finalName>", "<finalName>shop</finalName>");
    assert_eq!(affected(&repo), [""; 0]);
    assert_eq!(in_state(&repo, "recheck").len(), 15);
}

#[test]
fn operations_come_and_go() {
    let repo = Repo::example().edit(PRODUCTS, "@GetMapping(\"/{sku}\")", "@GetMapping(\"/by-sku/{sku}\")");
    let plan = repo.json(["plan", "--since", "main", "--format", "json"]);
    let states = plan["operations"].as_array().unwrap();
    assert!(states.iter().any(|o| o["state"] != "inherited"), "{states:?}");
    repo.run(["plan", "--since", "main"]).ends(0).says(&["/products/"]);
}

#[test]
fn a_name_that_is_none_gets_the_nearest() {
    let repo = Repo::example();
    repo.run(["why", "GET /quote"]).ends(0);
    repo.run(["why", "GET /qoutes"]).ends(2).says(&["did you mean `GET /quotes`?"]);
    repo.run(["plan", "--since", "main", "--format", "jsn"]).ends(2).says(&["json"]);
    repo.run(["plam"]).ends(2).says(&["plan"]);
}

#[test]
fn a_script_that_code_names_counts_and_one_that_is_only_served_does_not() {
    let code = "package a; import org.springframework.web.bind.annotation.*; @RestController class C { \
                @GetMapping(\"/a\") String a() { return getClass().getResource(\"/score.js\").toString(); } \
                @GetMapping(\"/b\") String b() { return \"b\"; } }";
    let repo = Repo::new()
        .file("src/main/java/a/C.java", code)
        .file("src/main/resources/score.js", "1")
        .file("src/main/resources/static/page.js", "1")
        .commit("first")
        .file("src/main/resources/score.js", "2")
        .file("src/main/resources/static/page.js", "2")
        .commit("second");
    let plan = repo.json(["plan", "--since", "HEAD~1", "--format", "json"]);
    let states: Vec<(&str, &str)> = plan["operations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|o| (o["op_id"].as_str().unwrap(), o["state"].as_str().unwrap()))
        .collect();
    assert_eq!(states, [("GET /a", "affected"), ("GET /b", "inherited")]);
}

#[test]
fn an_auth_file_that_cannot_be_read_stops_what_asks_the_service_and_nothing_else() {
    let repo = Repo::example()
        .file("mastor.toml", "[service]\nbase-url = \"http://127.0.0.1:9\"\nauth = \"auth.yaml\"\n")
        .file("auth.yaml", "auth: [{name: ")
        .edit(ZONES, "\"neighbour\", 3", "\"neighbour\", 4");
    assert_eq!(affected(&repo), ["GET /shipping/zones/{country}", "POST /customers"]);
    repo.run(["why", "POST /customers", "--since", "main"]).ends(0);
    repo.run(["generate", "--all"]).ends(2).says(&["auth.yaml"]);
}
