//! Quarkus: what is told of its services, and what must not be told of them.

use mastor::frameworks::Location;
use mastor::types::Method;
use mastor::types::suite::assertion::Check;
use mastor::types::suite::oracle::{Certainty, Oracle};
use serde_json::json;

use crate::loaded::Service;

const REST: &str = "quarkus-rest-jackson";

/// A build file with these extensions of Quarkus.
fn pom(artifacts: &[&str]) -> String {
    let one =
        |name: &&str| format!("<dependency><groupId>io.quarkus</groupId><artifactId>{name}</artifactId></dependency>");
    let all: String = artifacts.iter().map(one).collect();
    format!(
        "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>b</artifactId><version>1</version>\
         <dependencies>{all}</dependencies></project>"
    )
}

const IMPORTS: &str = "package a; import jakarta.ws.rs.*; import jakarta.ws.rs.core.*; import java.util.*; \
    import org.jboss.resteasy.reactive.RestResponse; import org.jboss.resteasy.reactive.ResponseStatus; \
    import org.jboss.resteasy.reactive.RestQuery; import org.jboss.resteasy.reactive.RestHeader; \
    import org.jboss.resteasy.reactive.DateFormat; import org.jboss.resteasy.reactive.RestPath; import org.jboss.resteasy.reactive.RestCookie; import org.jboss.resteasy.reactive.RestForm; \
    import org.jboss.resteasy.reactive.server.ServerExceptionMapper; \
    import org.jboss.resteasy.reactive.server.ServerRequestFilter; import jakarta.ws.rs.container.ContainerRequestContext; \
    import io.smallrye.mutiny.Uni; import io.smallrye.mutiny.Multi; import io.quarkus.panache.common.Sort; \
    import org.eclipse.microprofile.config.inject.ConfigProperty; import jakarta.validation.Valid; \
    import jakarta.validation.constraints.*; import jakarta.annotation.security.*; import jakarta.transaction.Transactional; ";

/// A service of these extensions, this code and these further files.
fn service(artifacts: &[&str], code: &str, more: &[(&str, &str)]) -> Service {
    let mut files =
        vec![("pom.xml".to_owned(), pom(artifacts)), ("src/main/java/a/R.java".to_owned(), format!("{IMPORTS}{code}"))];
    files.extend(more.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())));
    Service::of(files)
}

/// What is told of an operation, one line an oracle: its path and query, the status, what the body is, and `assumed`.
fn told(service: &Service, method: Method, path: &str) -> Vec<String> {
    let derived = service.with(method, path, mastor::derive::derive);
    let line = |oracle: &Oracle| {
        let mut words: Vec<String> = oracle.input.path.values().cloned().collect();
        words.extend(oracle.input.query.iter().map(|(name, value)| format!("{name}={value}")));
        words.push(oracle.statuses()[0].to_string());
        words.extend(oracle.assertions.iter().filter_map(|assertion| match &assertion.check {
            Check::Field { path, expected: Some(value), .. } => Some(format!("{path}:{value}")),
            _ => None,
        }));
        words.extend((oracle.certainty() != Certainty::Certain).then(|| "assumed".to_owned()));
        words.join(" ")
    };
    derived.candidates.iter().map(|candidate| line(&candidate.oracle)).collect()
}

/// Whether a line begins with these words.
fn has(lines: &[String], begin: &str) -> bool {
    lines.iter().any(|line| line.starts_with(begin) && !line.ends_with("assumed"))
}

#[test]
fn a_parameter_with_the_name_of_a_path_variable_is_one_where_quarkus_rest_serves() {
    let code = "@Path(\"x/{id}\") public class R { \
        @POST public String f(long id, @RestQuery String q, @RestQuery(\"p\") int page, @RestHeader String xTrace, \
        @RestCookie String sid, @RestForm String name, UriInfo uri, Map<String, String> body) { return q; } }";
    let expected = [
        (Location::Path, "id", true),
        (Location::Query, "q", false),
        (Location::Query, "p", false),
        (Location::Header, "X-Trace", false),
        (Location::Cookie, "sid", false),
        (Location::Form, "name", false),
        (Location::Context, "uri", false),
        (Location::Body, "body", false),
    ];
    let bound = service(&[REST], code, &[]).bound(Method::Post, "/x/{id}");
    let bound: Vec<_> =
        bound.iter().map(|(location, name, required, _)| (*location, name.as_str(), *required)).collect();
    assert_eq!(bound, expected);
    // RESTEasy Classic follows the specification: what has no annotation is the body.
    let code = "@Path(\"x/{id}\") public class R { @POST public String f(String id) { return id; } }";
    let code = format!("package a; import jakarta.ws.rs.*; {code}");
    let classic = Service::of([
        ("pom.xml".to_owned(), pom(&["quarkus-resteasy-jackson"])),
        ("src/main/java/a/R.java".to_owned(), code),
    ]);
    assert_eq!(classic.bound(Method::Post, "/x/{id}")[0].0, Location::Body);
    assert_eq!(classic.endpoint(Method::Post, "/x/{id}").framework.name, "quarkus-resteasy");
}

#[test]
fn an_optional_holds_what_is_sent_and_dates_are_read_in_their_iso_form() {
    let code = "@Path(\"x\") public class R { \
        @GET @Path(\"o\") public String o(@RestQuery Optional<Integer> n) { return n.map(m -> \"n\" + m).orElse(\"none\"); } \
        @GET @Path(\"d/{day}\") public int d(java.time.LocalDate day) { return day.getYear(); } \
        @GET @Path(\"f/{day}\") public int f(@DateFormat(pattern = \"dd.MM.yyyy\") @RestPath java.time.LocalDate day) { return day.getYear(); } \
        @GET @Path(\"b\") public String b(@BeanParam Given given) { return given.word == null ? \"none\" : given.word; } } \
        class Given { @RestQuery String word; }";
    let service = service(&[REST], code, &[]);
    let lines = told(&service, Method::Get, "/x/o");
    assert!(has(&lines, "200 :\"none\"") && has(&lines, "n=1 200 :\"n1\"") && has(&lines, "n=abc 404"), "{lines:?}");
    let lines = told(&service, Method::Get, "/x/d/{day}");
    assert!(has(&lines, "2024-01-15 200 :2024") && has(&lines, "abc 404"), "{lines:?}");
    // Another form is not followed.
    let lines = told(&service, Method::Get, "/x/f/{day}");
    assert!(!has(&lines, "2024-01-15"), "{lines:?}");
    let lines = told(&service, Method::Get, "/x/b");
    assert!(has(&lines, "200 :\"none\"") && has(&lines, "word=sample 200 :\"sample\""), "{lines:?}");
}

#[test]
fn a_mapper_of_a_resource_answers_for_it_alone_and_the_closest_type_counts() {
    let code = "@Path(\"one\") public class R { @GET public String f() { return \"\"; } \
          @ServerExceptionMapper public RestResponse<String> own(IllegalStateException e) { return RestResponse.notFound(); } } \
        @Path(\"two\") class Two { @GET public String f() { return \"\"; } } \
        class Mappers { @ServerExceptionMapper({ArithmeticException.class, Gone.class}) public Response some(Exception e) { return null; } \
          @ServerExceptionMapper public Response all(Throwable e) { return null; } } \
        class Gone extends RuntimeException {}";
    let quarkus = service(&[REST], code, &[]);
    let named = |name: &str| Some((Some(name.to_owned()), None));
    assert_eq!(quarkus.answer("/one", "java.lang.IllegalStateException"), named("own"));
    assert_eq!(quarkus.answer("/two", "java.lang.IllegalStateException"), named("all"));
    assert_eq!(quarkus.answer("/two", "a.Gone"), named("some"));
    // The framework's own mappers are closer than one of all exceptions.
    let violated = "io.quarkus.hibernate.validator.runtime.jaxrs.ResteasyReactiveViolationException";
    assert_eq!(quarkus.answer("/two", violated), Some((None, Some(400))));
    assert_eq!(quarkus.answer("/two", "jakarta.validation.ConstraintViolationException"), Some((None, Some(500))));
    assert_eq!(quarkus.answer("/two", "io.quarkus.security.ForbiddenException"), Some((None, Some(403))));
    // A mapper of the project for the same type takes its place, and one that is closer comes first.
    let more = "@jakarta.ws.rs.ext.Provider class Mine implements jakarta.ws.rs.ext.ExceptionMapper<jakarta.validation.ConstraintViolationException> { \
        public Response toResponse(jakarta.validation.ConstraintViolationException e) { return null; } }";
    let mapped = service(&[REST], &format!("{code} {more}"), &[]);
    assert_eq!(mapped.answer("/two", "jakarta.validation.ConstraintViolationException"), named("toResponse"));
}

#[test]
fn statuses_come_from_responses_annotations_and_nothing() {
    let code = "@Path(\"x\") public class R { \
        @GET @Path(\"made/{n}\") public RestResponse<String> made(int n) { \
          return n > 5 ? RestResponse.ResponseBuilder.create(RestResponse.Status.ACCEPTED, \"later\").header(\"X-A\", \"b\").build() \
            : RestResponse.status(Response.Status.CONFLICT, \"now\"); } \
        @GET @Path(\"said\") @ResponseStatus(203) public String said() { return \"a\"; } \
        @GET @Path(\"none\") public String none() { return null; } \
        @DELETE @Path(\"gone\") public void gone() {} }";
    let service = service(&[REST], code, &[]);
    let made = told(&service, Method::Get, "/x/made/{n}");
    assert!(has(&made, "6 202 :\"later\"") && has(&made, "1 409 :\"now\""), "{made:?}");
    assert!(has(&made, "abc 404"), "{made:?}");
    assert!(has(&told(&service, Method::Get, "/x/said"), "203 :\"a\""));
    assert!(has(&told(&service, Method::Get, "/x/none"), "204"));
    assert!(has(&told(&service, Method::Delete, "/x/gone"), "204"));
}

#[test]
fn a_response_with_a_body_that_an_exception_carries_is_no_case_for_a_mapper() {
    let code = "@Path(\"x/{n}\") public class R { @GET public String f(int n) { \
          if (n > 5) throw new WebApplicationException(Response.status(409).entity(\"taken\").build()); \
          throw new NotFoundException(\"none\"); } } \
        class Mappers { @ServerExceptionMapper public Response all(Exception e) { return Response.status(418).build(); } }";
    let lines = told(&service(&[REST], code, &[]), Method::Get, "/x/{n}");
    assert!(has(&lines, "6 409") && has(&lines, "1 418"), "{lines:?}");
}

#[test]
fn a_uni_is_followed_step_by_step_unless_something_else_gives_its_item() {
    let code = "@Path(\"x\") public class R { \
        @GET @Path(\"{n}\") public Uni<String> f(int n) { \
          return Uni.createFrom().item(() -> n > 5 ? \"big\" : null) \
            .onItem().ifNull().failWith(() -> new NotFoundException()) \
            .onItem().transform(text -> text + \"!\").map(String::toUpperCase); } \
        @GET @Path(\"saved/{n}\") public Uni<Response> g(int n) { \
          return Uni.createFrom().<String>item(() -> { if (n > 5) throw new IllegalStateException(); return null; }) \
            .chain(text -> Uni.createFrom().item(Response.ok(\"ok\").build())) \
            .onFailure(IllegalStateException.class).recoverWithItem(() -> Response.status(409).build()); } \
        @GET @Path(\"all\") public Multi<Integer> all() { return Multi.createFrom().items(1, 2, 3).filter(n -> n > 1).map(n -> n * 2); } \
        @GET @Path(\"open\") public Uni<String> open() { return Uni.createFrom().emitter(e -> e.complete(\"x\")); } }";
    let service = service(&[REST], code, &[]);
    let lines = told(&service, Method::Get, "/x/{n}");
    assert!(has(&lines, "6 200 :\"BIG!\"") && has(&lines, "1 404"), "{lines:?}");
    let lines = told(&service, Method::Get, "/x/saved/{n}");
    assert!(has(&lines, "6 409") && has(&lines, "1 200 :\"ok\""), "{lines:?}");
    assert!(has(&told(&service, Method::Get, "/x/all"), "200 :[4,6]"));
    let open = told(&service, Method::Get, "/x/open");
    assert!(!has(&open, "200") && !has(&open, "204"), "{open:?}");
}

#[test]
fn settings_are_those_of_the_files_for_the_profile_that_a_built_service_has() {
    let code = "@Path(\"x\") public class R { \
        @ConfigProperty(name = \"a.limit\", defaultValue = \"10\") int limit; \
        @ConfigProperty(name = \"a.other\", defaultValue = \"10\") int other; \
        @ConfigProperty(name = \"a.missing\") int missing; \
        @GET @Path(\"limit\") public int limit() { return limit; } \
        @GET @Path(\"other\") public int other() { return other; } \
        @GET @Path(\"missing\") public int missing() { return missing; } }";
    let settings = |text: &str| [("src/main/resources/application.properties", text.to_owned())];
    let with = |text: &str| {
        let more = settings(text);
        let more: Vec<(&str, &str)> = more.iter().map(|(path, text)| (*path, text.as_str())).collect();
        service(&[REST], code, &more)
    };
    let plain = with("a.limit=3\n%test.a.limit=4\n%dev.a.limit=5\n");
    assert!(has(&told(&plain, Method::Get, "/x/limit"), "200 :3"));
    assert!(has(&told(&plain, Method::Get, "/x/other"), "200 :10"));
    // What no file sets and has no default may be set where the service is started.
    let missing = told(&plain, Method::Get, "/x/missing");
    assert!(!missing.iter().any(|line| line.contains(":0") || line.contains(":10")), "{missing:?}");
    assert!(has(&told(&with("a.limit=3\n%prod.a.limit=4\n"), Method::Get, "/x/limit"), "200 :4"));
    let named = with("quarkus.profile=test\na.limit=3\n%prod.a.limit=4\n%test.a.limit=5\n");
    assert!(has(&told(&named, Method::Get, "/x/limit"), "200 :5"));
}

const PANACHE: [&str; 3] = [REST, "quarkus-hibernate-orm-panache", "quarkus-jdbc-h2"];

const SETTINGS: (&str, &str) = (
    "src/main/resources/application.properties",
    "quarkus.datasource.db-kind=h2\nquarkus.datasource.jdbc.url=jdbc:h2:mem:a\n\
     quarkus.hibernate-orm.database.generation=drop-and-create\nquarkus.hibernate-orm.sql-load-script=import.sql\n",
);

const ROWS: (&str, &str) = (
    "src/main/resources/import.sql",
    "insert into Note (id, title, done) values (7, 'milk', false), (8, 'bread', true);\n",
);

const ENTITY: &str = "@jakarta.persistence.Entity class Note extends io.quarkus.hibernate.orm.panache.PanacheEntity { \
    public String title; public boolean done; \
    static Note byTitle(String title) { return find(\"title\", title).firstResult(); } } \
    @jakarta.enterprise.context.ApplicationScoped class Notes implements io.quarkus.hibernate.orm.panache.PanacheRepository<Note> { \
    List<Note> open() { return list(\"done = ?1\", Sort.by(\"title\"), false); } }";

#[test]
fn panache_reads_and_changes_the_rows_of_its_entity() {
    let code = format!(
        "@Path(\"n\") public class R {{ Notes notes; R(Notes notes) {{ this.notes = notes; }} \
        @GET @Path(\"{{id}}\") public Note one(long id) {{ Note n = Note.findById(id); if (n == null) throw new NotFoundException(); return n; }} \
        @GET @Path(\"title/{{title}}\") public Note title(String title) {{ return Note.byTitle(title); }} \
        @GET @Path(\"open\") public List<Note> open() {{ return notes.open(); }} \
        @GET @Path(\"count\") public long count() {{ return notes.count(\"done\", true); }} \
        @DELETE @Path(\"{{id}}\") @Transactional public boolean gone(long id) {{ return notes.deleteById(id); }} \
        @POST @Transactional public Response add(Note note) {{ note.persist(); return Response.status(201).entity(note).build(); }} \
        @PUT @Path(\"{{id}}\") public Note set(long id) {{ Note n = Note.<Note>findByIdOptional(id).orElseThrow(NotFoundException::new); n.persist(); return n; }} \
        @PUT @Path(\"all\") @Transactional public long all() {{ return Note.update(\"done = true\"); }} }} {ENTITY}"
    );
    let rows = service(&PANACHE, &code, &[SETTINGS, ROWS]);
    let one = told(&rows, Method::Get, "/n/{id}");
    assert!(one.iter().any(|line| line.starts_with("7 200") && line.contains("title:\"milk\"")), "{one:?}");
    assert_eq!(one.iter().filter(|line| line.contains(" 404")).count(), 2, "{one:?}");
    let titled = told(&rows, Method::Get, "/n/title/{title}");
    assert!(titled.iter().any(|line| line.starts_with("bread 200") && line.contains("id:8")), "{titled:?}");
    assert!(has(&titled, "sample 204"), "{titled:?}");
    let open = told(&rows, Method::Get, "/n/open");
    assert!(open[0].contains("\"title\":\"milk\"") && !open[0].contains("bread"), "{open:?}");
    assert!(has(&told(&rows, Method::Get, "/n/count"), "200 :1"));
    let gone = told(&rows, Method::Delete, "/n/{id}");
    assert!(has(&gone, "7 200 :true") && has(&gone, "1 200 :false"), "{gone:?}");
    // An update by a query is not followed; without a transaction nothing is told of what is kept.
    assert!(!has(&told(&rows, Method::Put, "/n/all"), "200"));
    let set = told(&rows, Method::Put, "/n/{id}");
    assert!(!has(&set, "7 200") && !has(&set, "7 500"), "{set:?}");
    // Without rows of a script the key of what is new is taken by nobody.
    let empty = service(&PANACHE, &code, &[SETTINGS]);
    assert!(has(&told(&empty, Method::Post, "/n"), "201"));
    assert!(!has(&told(&empty, Method::Get, "/n/{id}"), "7 200"));
}

#[test]
fn whether_a_script_has_run_is_open_where_no_setting_names_it() {
    let code = format!(
        "@Path(\"n\") public class R {{ @GET @Path(\"count\") public long count() {{ return Note.count(); }} }} {ENTITY}"
    );
    let unset = SETTINGS.1.replace("quarkus.hibernate-orm.sql-load-script=import.sql\n", "");
    let lines = told(&service(&PANACHE, &code, &[(SETTINGS.0, &unset), ROWS]), Method::Get, "/n/count");
    assert!(!lines.iter().any(|line| line.contains(':')), "{lines:?}");
    assert!(has(&told(&service(&PANACHE, &code, &[SETTINGS, ROWS]), Method::Get, "/n/count"), "200 :2"));
    let none = SETTINGS.1.replace("=import.sql", "=no-file");
    assert!(has(&told(&service(&PANACHE, &code, &[(SETTINGS.0, &none), ROWS]), Method::Get, "/n/count"), "200 :0"));
}

#[test]
fn who_may_call_is_assumed_and_what_everybody_may_call_is_certain() {
    let code = "@Path(\"x\") @RolesAllowed(\"user\") public class R { \
        @GET @Path(\"kept\") public String kept() { return \"a\"; } \
        @GET @Path(\"open\") @PermitAll public String open() { return \"b\"; } }\
        @Path(\"y\") class Two { @GET @Path(\"api/a\") public String a() { return \"c\"; } @GET @Path(\"b\") public String b() { return \"d\"; } }";
    let settings = "quarkus.http.auth.permission.api.paths=/y/*\nquarkus.http.auth.permission.api.policy=authenticated\n\
        quarkus.http.auth.permission.free.paths=/y/b\nquarkus.http.auth.permission.free.policy=permit\n";
    let service = service(&[REST], code, &[("src/main/resources/application.properties", settings)]);
    assert_eq!(told(&service, Method::Get, "/x/kept"), ["200 :\"a\" assumed"]);
    assert_eq!(told(&service, Method::Get, "/x/open"), ["200 :\"b\""]);
    assert_eq!(told(&service, Method::Get, "/y/api/a"), ["200 :\"c\" assumed"]);
    assert_eq!(told(&service, Method::Get, "/y/b"), ["200 :\"d\""]);
}

#[test]
fn filters_by_annotation_are_assumed_to_pass_the_request_on() {
    let code = "@Path(\"x\") public class R { @GET public String f() { return \"a\"; } }";
    let filter = "class Filters { @ServerRequestFilter public Response check(ContainerRequestContext c) { return Response.status(418).build(); } }";
    assert_eq!(told(&service(&[REST], code, &[]), Method::Get, "/x"), ["200 :\"a\""]);
    assert_eq!(told(&service(&[REST], &format!("{code} {filter}"), &[]), Method::Get, "/x"), ["200 :\"a\" assumed"]);
}

#[test]
fn jackson_writes_null_and_json_b_leaves_it_out() {
    let code = "@Path(\"x\") public class R { @GET public Shown f() { return new Shown(); } } \
        class Shown { public String name; public int size = 2; }";
    let exact = |artifact: &str, code: &str| {
        let derived = service(&[artifact], code, &[]).derive(Method::Get, "/x");
        let all = derived.candidates.iter().flat_map(|one| one.oracle.assertions.clone());
        all.filter_map(|assertion| match assertion.check {
            Check::Field { path, expected, .. } => Some((path, expected)),
            _ => None,
        })
        .collect::<Vec<_>>()
    };
    let jackson = exact(REST, code);
    assert!(jackson.iter().any(|(path, _)| path == "name"), "{jackson:?}");
    let binding = exact("quarkus-rest-jsonb", code);
    assert!(binding.contains(&("size".to_owned(), Some(json!(2)))), "{binding:?}");
    assert!(!binding.iter().any(|(path, _)| path == "name"), "{binding:?}");
    // What annotations of JSON-B say is not followed.
    let marked = code.replace("public int size", "@jakarta.json.bind.annotation.JsonbProperty(\"s\") public int size");
    assert_eq!(exact("quarkus-rest-jsonb", &marked), []);
}

#[test]
fn a_violated_constraint_is_400_where_the_validator_is_in_the_build() {
    let code = "@Path(\"x\") public class R { \
        @GET public String f(@RestQuery @Min(3) int n) { return \"a\"; } \
        @POST public String g(@NotNull @Valid Made made) { return made.name; } } \
        class Made { @NotBlank public String name; }";
    let with = service(&[REST, "quarkus-hibernate-validator"], code, &[]);
    let lines = told(&with, Method::Get, "/x");
    assert!(has(&lines, "n=2 400") && has(&lines, "n=3 200"), "{lines:?}");
    let lines = told(&with, Method::Post, "/x");
    assert!(has(&lines, "400") && !has(&lines, "500"), "{lines:?}");
    let without = told(&service(&[REST], code, &[]), Method::Get, "/x");
    assert!(!has(&without, "n=2 400"), "{without:?}");
}

#[test]
fn resources_of_rest_data_and_reactive_routes_are_found_and_nothing_is_told_of_their_answers() {
    let code = format!(
        "class R {{ @io.quarkus.vertx.web.Route(path = \"/hi/:name\", methods = io.quarkus.vertx.web.Route.HttpMethod.GET) \
           String hi(@io.quarkus.vertx.web.Param String name, @io.quarkus.vertx.web.Param String q) {{ return name; }} }} \
         interface NotesResource extends io.quarkus.hibernate.orm.rest.data.panache.PanacheEntityResource<Note, Long> {{ \
           @io.quarkus.rest.data.panache.MethodProperties(exposed = false) boolean delete(Long id); }} {ENTITY}"
    );
    let found = service(&PANACHE, &code, &[]);
    let mut all: Vec<String> = found.endpoints.iter().map(|one| format!("{} {}", one.method, one.path)).collect();
    all.sort();
    let expected =
        ["GET /hi/{name}", "GET /notes", "GET /notes/count", "GET /notes/{id}", "POST /notes", "PUT /notes/{id}"];
    assert_eq!(all, expected);
    let bound = found.bound(Method::Get, "/hi/{name}");
    assert_eq!([bound[0].0, bound[1].0], [Location::Path, Location::Query]);
    for path in ["/hi/{name}", "/notes"] {
        assert!(!has(&told(&found, Method::Get, path), ""), "{path}");
    }
}
