//! Rules of frameworks before and after a handler: binding of parameters, and handlers of exceptions.

use mastor::frameworks::advice::{Thrown, rule_for};
use mastor::frameworks::record::Refusals;
use mastor::frameworks::{Endpoint, Location};
use mastor::types::Method;
use mastor::types::suite::assertion::Check;
use mastor::types::suite::input::Body;

use crate::loaded::Service;

/// Location, name, whether required, and default.
pub type Bound = (Location, String, bool, Option<String>);

impl Service {
    /// The bindings of the handler's parameters.
    pub fn bound(&self, method: Method, path: &str) -> Vec<Bound> {
        let params = &self.endpoint(method, path).params;
        params.iter().map(|p| (p.location, p.name.clone(), p.required, p.default.clone())).collect()
    }

    /// The status with which an endpoint answers a library's exception.
    fn status(&self, endpoint: &Endpoint, exception: &str) -> Option<u16> {
        rule_for(&self.project, &self.rules, endpoint, &Thrown::Library(exception.to_owned()))?.status
    }

    /// Handler and status with which an endpoint answers an exception.
    pub fn answer(&self, path: &str, exception: &str) -> Option<(Option<String>, Option<u16>)> {
        let endpoint = self.endpoint(Method::Get, path);
        let thrown = match self.project.by_fqn(exception) {
            Some(ty) => Thrown::Project(ty),
            None => Thrown::Library(exception.to_owned()),
        };
        let rule = rule_for(&self.project, &self.rules, endpoint, &thrown)?;
        Some((rule.handler.map(|member| self.project.member(member).name.clone()), rule.status))
    }
}

#[test]
fn spring_binds_by_annotation_type_and_default() {
    let service = Service::of([(
        "src/main/java/a/C.java",
        "package a; import org.springframework.web.bind.annotation.*; import java.util.Optional; \
         @RestController class C { \
         @PostMapping(\"/x/{id}\") void f(@PathVariable(\"id\") long key, @RequestParam(defaultValue = \"1\") int page, \
         @RequestParam(required = false) String q, @RequestParam Optional<Integer> o, @RequestHeader(\"X-A\") String h, \
         @RequestBody java.util.Map<String, String> b, int plain, java.security.Principal who, Form form) {} \
         static class Body {} static class Form {} }",
    )]);
    let some = |text: &str| Some(text.to_owned());
    let expected = [
        (Location::Path, "id".to_owned(), true, None),
        (Location::Query, "page".to_owned(), false, some("1")),
        (Location::Query, "q".to_owned(), false, None),
        (Location::Query, "o".to_owned(), false, None),
        (Location::Header, "X-A".to_owned(), true, None),
        (Location::Body, "b".to_owned(), true, None),
        (Location::Query, "plain".to_owned(), false, None),
        (Location::Context, "who".to_owned(), false, None),
        (Location::Model, "form".to_owned(), false, None),
    ];
    assert_eq!(service.bound(Method::Post, "/x/{id}"), expected);
    let endpoint = service.endpoint(Method::Post, "/x/{id}");
    let Refusals::ByKind(kinds) = endpoint.framework.binding.refusals else { panic!("no kinds") };
    let all = [kinds.missing_header, kinds.missing_parameter, kinds.missing_cookie, kinds.unreadable, kinds.mismatch];
    assert_eq!(all.map(|name| service.status(endpoint, name)), [Some(400); 5]);
}

#[test]
fn jax_rs_answers_404_where_path_or_query_cannot_be_converted() {
    let service = Service::of([(
        "src/main/java/a/R.java",
        "package a; import jakarta.ws.rs.*; import jakarta.ws.rs.core.Context; @Path(\"r\") public class R { \
         @POST @Path(\"{id}\") public String f(@PathParam(\"id\") long id, @QueryParam(\"n\") @DefaultValue(\"5\") int n, \
         @FormParam(\"s\") String s, @HeaderParam(\"X\") int x, @Context Object c, String body) { return body; } }",
    )]);
    let expected = [
        (Location::Path, "id".to_owned(), true, None),
        (Location::Query, "n".to_owned(), false, Some("5".to_owned())),
        (Location::Form, "s".to_owned(), false, None),
        (Location::Header, "X".to_owned(), false, None),
        (Location::Context, "c".to_owned(), false, None),
        (Location::Body, "body".to_owned(), false, None),
    ];
    assert_eq!(service.bound(Method::Post, "/r/{id}"), expected);
    let endpoint = service.endpoint(Method::Post, "/r/{id}");
    let Refusals::ByPlace(places) = endpoint.framework.binding.refusals else { panic!("no places") };
    let all = [places.not_found, places.bad_request];
    assert_eq!(all.map(|name| service.status(endpoint, name)), [Some(404), Some(400)]);
}

#[test]
fn the_nearest_handler_of_the_first_advice_answers() {
    let service = Service::of([
        ("src/main/java/a/Missing.java", "package a; public class Missing extends RuntimeException {}"),
        ("src/main/java/a/Gone.java", "package a; public class Gone extends Missing {}"),
        (
            "src/main/java/a/Teapot.java",
            "package a; import org.springframework.http.HttpStatus; import org.springframework.web.bind.annotation.ResponseStatus; \
             @ResponseStatus(HttpStatus.I_AM_A_TEAPOT) public class Teapot extends Exception {}",
        ),
        (
            "src/main/java/a/C.java",
            "package a; import org.springframework.web.bind.annotation.*; @RestController class C { @GetMapping(\"/c\") void f() {} \
             @ExceptionHandler @ResponseStatus(code = org.springframework.http.HttpStatus.CONFLICT) void local(IllegalStateException e) {} }",
        ),
        (
            "src/main/java/b/D.java",
            "package b; import org.springframework.web.bind.annotation.*; @RestController class D { @GetMapping(\"/d\") void f() {} }",
        ),
        (
            "src/main/java/a/Advice.java",
            "package a; import org.springframework.web.bind.annotation.*; @RestControllerAdvice class Advice { \
             @ExceptionHandler(Missing.class) void missing() {} @ExceptionHandler({Gone.class}) void gone() {} \
             @ExceptionHandler(RuntimeException.class) void any() {} }",
        ),
        (
            "src/main/java/b/First.java",
            "package b; import org.springframework.web.bind.annotation.*; import org.springframework.core.annotation.Order; \
             @Order(1) @ControllerAdvice(basePackages = \"b\") class First { @ExceptionHandler(RuntimeException.class) void first() {} }",
        ),
    ]);
    let by = |name: &str| Some((Some(name.to_owned()), None));
    assert_eq!(service.answer("/c", "a.Gone"), by("gone"));
    assert_eq!(service.answer("/c", "a.Missing"), by("missing"));
    assert_eq!(service.answer("/c", "java.lang.IllegalArgumentException"), by("any"));
    assert_eq!(service.answer("/c", "java.lang.IllegalStateException"), Some((Some("local".to_owned()), Some(409))));
    assert_eq!(service.answer("/d", "a.Gone"), by("first"));
    assert_eq!(service.answer("/c", "a.Teapot"), Some((None, Some(418))));
    let unsupported = "org.springframework.web.HttpMediaTypeNotSupportedException";
    assert_eq!(service.answer("/c", unsupported), Some((None, Some(415))));
    assert_eq!(service.answer("/c", "java.io.IOException"), None);
}

#[test]
fn mappers_answer_what_resources_throw() {
    let service = Service::of([
        (
            "src/main/java/a/R.java",
            "package a; import javax.ws.rs.*; @Path(\"r\") public class R { @GET public String f() { return null; } }",
        ),
        (
            "src/main/java/a/M.java",
            "package a; import javax.ws.rs.core.Response; import javax.ws.rs.ext.*; \
             @Provider public class M implements ExceptionMapper<IllegalArgumentException> { public Response toResponse(IllegalArgumentException e) { return null; } }",
        ),
    ]);
    assert_eq!(service.answer("/r", "java.lang.NumberFormatException"), Some((Some("toResponse".to_owned()), None)));
    assert_eq!(service.answer("/r", "javax.ws.rs.NotFoundException"), Some((None, Some(404))));
    assert_eq!(service.answer("/r", "java.lang.IllegalStateException"), None);
}

#[test]
fn exported_repositories_have_collections_items_and_searches() {
    let service = Service::of([
        (
            "pom.xml",
            "<project><dependencies><dependency><groupId>g</groupId><artifactId>spring-boot-starter-data-rest</artifactId></dependency></dependencies></project>",
        ),
        ("src/main/resources/application.properties", "spring.data.rest.base-path=/api\n"),
        ("src/main/java/a/Category.java", "package a; public class Category { long id; }"),
        (
            "src/main/java/a/Categories.java",
            "package a; import org.springframework.data.jpa.repository.JpaRepository; import java.util.List; \
             public interface Categories extends JpaRepository<Category, Long> { List<Category> findByName(String name); }",
        ),
    ]);
    let found: Vec<String> =
        service.endpoints.iter().map(|one| format!("{} {}{}", one.method, one.context_path, one.path)).collect();
    assert_eq!(
        found,
        [
            "GET /api/categories",
            "POST /api/categories",
            "GET /api/categories/search/findByName",
            "GET /api/categories/{id}",
            "PUT /api/categories/{id}",
            "PATCH /api/categories/{id}",
            "DELETE /api/categories/{id}"
        ]
    );
}

#[test]
fn a_body_that_is_read_as_text_is_sent_as_it_stands() {
    let service = Service::of([(
        "src/main/java/a/C.java",
        "package a; import org.springframework.web.bind.annotation.*; import org.springframework.http.*; \
         @RestController class C { @PostMapping(\"/echo\") ResponseEntity<String> f(@RequestBody String word) { \
         return word.equals(\"stop\") ? ResponseEntity.status(409).build() : ResponseEntity.ok(word); } }",
    )]);
    let derived = service.derive(Method::Post, "/echo");
    let found: Vec<(u16, Option<Body>)> =
        derived.candidates.iter().map(|one| (one.oracle.statuses()[0], one.oracle.input.body.clone())).collect();
    let text = |text: &str| Some(Body::Text { text: text.to_owned(), media_type: "text/plain".to_owned() });
    assert!(found.contains(&(409, text("stop"))) && found.contains(&(400, None)), "{found:?}");
    assert!(found.iter().all(|(_, body)| !matches!(body, Some(Body::Json { .. }))), "{found:?}");
}

const BOOKING: &str = "package a; import java.time.*; import java.util.*; import com.fasterxml.jackson.annotation.*; \
    import com.fasterxml.jackson.databind.annotation.*; import com.fasterxml.jackson.datatype.jsr310.ser.LocalDateSerializer; \
    import com.fasterxml.jackson.datatype.jsr310.deser.LocalDateDeserializer; \
    public class Booking { @JsonProperty(\"day\") private LocalDate date; private LocalDateTime at; private UUID id; \
    private Map<String, Integer> seats; @JsonIgnore private String secret; @JsonFormat(pattern = \"HH\") private LocalTime hour; \
    @JsonFormat(shape = JsonFormat.Shape.STRING, pattern = \"dd-MM-yyyy\") @JsonSerialize(using = LocalDateSerializer.class) \
    @JsonDeserialize(using = LocalDateDeserializer.class) private LocalDate until; \
    public LocalDate getUntil() { return until; } public void setUntil(LocalDate u) { until = u; } \
    public LocalDate getDate() { return date; } public void setDate(LocalDate d) { date = d; } \
    public LocalDateTime getAt() { return at; } public void setAt(LocalDateTime a) { at = a; } \
    public UUID getId() { return id; } public void setId(UUID i) { id = i; } \
    public Map<String, Integer> getSeats() { return seats; } public void setSeats(Map<String, Integer> s) { seats = s; } \
    public String getSecret() { return secret; } public void setSecret(String s) { secret = s; } \
    public LocalTime getHour() { return hour; } public void setHour(LocalTime h) { hour = h; } }";

#[test]
fn dates_identifiers_and_names_of_a_body_are_those_of_jackson() {
    let controller = "package a; import org.springframework.web.bind.annotation.*; \
        @RestController class C { @PostMapping(\"/bookings\") Booking f(@RequestBody Booking b) { \
        b.setDate(b.getDate().plusDays(20)); return b; } }";
    let of = |dependency: &str, booking: &str| {
        let pom = format!(
            "<project><artifactId>b</artifactId><dependencies><dependency><groupId>org.springframework.boot</groupId>\
             <artifactId>{dependency}</artifactId></dependency></dependencies></project>"
        );
        let service = Service::of([
            ("pom.xml", pom.as_str()),
            ("src/main/java/a/C.java", controller),
            ("src/main/java/a/Booking.java", booking),
        ]);
        service.derive(Method::Post, "/bookings").candidates
    };
    let found = of("spring-boot-starter-web", BOOKING);
    let made = found.iter().find(|one| one.oracle.statuses() == [200]).unwrap();
    let exact = |path: &str| {
        made.oracle.assertions.iter().find_map(|assertion| match &assertion.check {
            Check::Field { path: at, expected, .. } if at == path => expected.clone(),
            _ => None,
        })
    };
    assert_eq!(exact("day"), Some("2024-02-04".into()), "{:#?}", made.oracle);
    assert_eq!(exact("at"), Some("2024-01-15T10:30:15".into()));
    assert!(exact("id").is_some_and(|id| id.as_str().is_some_and(|id| id.starts_with("3f2504e0-"))));
    // Values with `@JsonFormat` have its format in request and answer.
    assert_eq!(exact("hour"), Some("09".into()), "{:#?}", made.oracle);
    assert_eq!(exact("until"), Some("15-02-2024".into()));
    assert!(format!("{:?}", made.oracle.input.body).contains("15-02-2024"));
    // A `timezone` in the annotation is not followed, so no successful request contains the field.
    let zoned = BOOKING.replace("pattern = \"HH\"", "pattern = \"HH\", timezone = \"UTC\"");
    let zoned = of("spring-boot-starter-web", &zoned);
    let read = zoned.iter().filter(|one| one.oracle.statuses() == [200]).map(|one| format!("{:?}", one.oracle.input));
    let read: Vec<String> = read.collect();
    assert!(!read.is_empty() && read.iter().all(|input| !input.contains("\"hour\"")), "{read:#?}");
    assert!(made.oracle.assertions.iter().all(|assertion| !format!("{assertion:?}").contains("secret")));
    // Letters in place of a date are refused before the handler runs.
    let letters = found.iter().find(|one| format!("{:?}", one.oracle.input.body).contains("abc")).unwrap();
    assert_eq!(letters.oracle.statuses(), [400]);
    // Without Jackson's module for `java.time`, it is unknown how dates are read.
    assert!(of("x", BOOKING).iter().all(|one| one.oracle.statuses() != [200]));
}

const RESOLVED: &str = "package a; import org.springframework.web.bind.annotation.*; import jakarta.validation.constraints.*;
@RestController class C {
  @interface Who { }
  @GetMapping(\"/named\") String named(@Who String who) { return \"x\"; }
  @GetMapping(\"/remarked\") String remarked(@NotNull @io.swagger.v3.oas.annotations.Parameter String q) { return \"x\"; }
  @GetMapping(\"/attribute\") String attribute(@RequestAttribute String q) { return \"x\"; }
  @GetMapping(\"/known/{id}\") String known(@PathVariable(\"id\") String id, jakarta.servlet.http.HttpServletRequest request) { return \"x\"; }
  @GetMapping(\"/open\") String open(String q) { return \"x\"; }
}";

const RESOLVER: &str =
    "package a; import org.springframework.web.method.support.*; import org.springframework.core.MethodParameter;
public class Resolver implements HandlerMethodArgumentResolver {
  public boolean supportsParameter(MethodParameter p) { return p.getParameterType() == String.class; }
}";

#[test]
fn what_a_resolver_may_find_is_not_known_and_what_the_framework_finds_first_is() {
    let of = |more: &[(&str, &str)]| {
        let own = ("src/main/java/a/C.java", RESOLVED);
        Service::of(more.iter().copied().chain([own]).collect::<Vec<_>>())
    };
    let asserts = |service: &Service, path: &str| !service.derive(Method::Get, path).candidates.is_empty();
    let plain = of(&[]);
    let location = |path: &str| plain.endpoint(Method::Get, path).params[0].location;
    assert_eq!((location("/named"), location("/attribute")), (Location::Resolved, Location::Resolved));
    assert_eq!(location("/remarked"), Location::Query);
    assert!(!asserts(&plain, "/named") && !asserts(&plain, "/attribute"));
    assert!(asserts(&plain, "/known/{id}") && asserts(&plain, "/open"));
    let resolving = of(&[("src/main/java/a/Resolver.java", RESOLVER)]);
    assert!(asserts(&resolving, "/known/{id}"), "{:?}", resolving.derive(Method::Get, "/known/{id}").notes);
    assert!(!asserts(&resolving, "/open"));
}

#[test]
fn an_unknown_annotation_of_a_resource_s_parameter_leaves_it_unknown() {
    let service = Service::of([(
        "src/main/java/a/R.java",
        "package a; import jakarta.ws.rs.*; @Path(\"r\") public class R { @interface Who { } \
         @POST public String f(@Who String who, @jakarta.validation.constraints.NotNull String body) { return body; } }",
    )]);
    let locations: Vec<Location> =
        service.endpoint(Method::Post, "/r").params.iter().map(|param| param.location).collect();
    assert_eq!(locations, [Location::Resolved, Location::Body]);
}

const BOXED: &str = "package a; import org.springframework.web.bind.annotation.*; import org.springframework.http.*;
@RestController class C {
  public enum Kind { A, B; public String toString() { return \"kind-\" + name(); } }
  public record Parcel(int count, String label) { }
  @PostMapping(\"/parcels\") String post(@RequestBody Parcel parcel) { return parcel.count() > 3 ? \"many\" : \"few\"; }
  @GetMapping(\"/kind\") java.util.List<Kind> kind() { return java.util.List.of(Kind.A); }
  @GetMapping(\"/problem\") ProblemDetail problem() { return ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, \"no\"); }
}";

#[test]
fn what_the_release_brings_decides_how_json_is_read_and_written() {
    let of = |release: &str| {
        let pom = format!(
            "<project><parent><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId>\
             <version>{release}</version></parent><artifactId>b</artifactId><dependencies><dependency>\
             <groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-web</artifactId></dependency></dependencies></project>"
        );
        Service::of([("pom.xml", pom.as_str()), ("src/main/java/a/C.java", BOXED)])
    };
    let told = |service: &Service, method: Method, path: &str| {
        let all = service.derive(method, path).candidates;
        let of = |one: &mastor::types::suite::oracle::Candidate| {
            format!("{} {:?} {:?}", one.oracle.statuses()[0], one.oracle.input.body, one.oracle.assertions)
        };
        all.iter().map(of).collect::<Vec<String>>()
    };
    let (three, four) = (of("3.5.7"), of("4.1.0"));
    let has = |service: &Service, path: &str, text: &str| {
        told(service, Method::Get, path).iter().any(|one| one.contains(text))
    };
    assert!(has(&three, "/kind", "String(\"A\")") && has(&four, "/kind", "String(\"kind-A\")"));
    assert!(has(&three, "/problem", "about:blank"));
    assert!(
        !has(&four, "/problem", "about:blank") && has(&four, "/problem", "Conflict")
            || has(&four, "/problem", "\"no\"")
    );
    // Jackson 3 refuses a missing primitive.
    let short = |service: &Service| {
        let all = told(service, Method::Post, "/parcels");
        let without = all.iter().filter(|one| one.contains("Json") && !one.contains("count"));
        without.map(|one| one[..3].to_owned()).collect::<Vec<String>>()
    };
    assert!(short(&three).iter().all(|status| status == "200"), "{:?}", told(&three, Method::Post, "/parcels"));
    assert!(short(&four).iter().all(|status| status == "400"), "{:?}", told(&four, Method::Post, "/parcels"));
}

#[test]
fn micronaut_binds_by_annotation_and_by_name() {
    let service = Service::of([(
        "src/main/java/a/C.java",
        "package a; import io.micronaut.http.annotation.*; import io.micronaut.core.annotation.Nullable; import java.util.Optional; \
         @Controller(\"/x\") class C { \
         @Post(\"/{id}{?page,q}\") void f(long id, @QueryValue(defaultValue = \"1\") int page, @Nullable String q, \
         @Header String contentType, @CookieValue(\"SID\") Optional<String> sid, @Body Form form, \
         io.micronaut.http.HttpRequest<?> request, String title) {} \
         @Get(\"/{id}\") void g(@PathVariable(\"id\") long key, int size) {} \
         static class Form {} }",
    )]);
    let expected = [
        (Location::Path, "id".to_owned(), true, None),
        (Location::Query, "page".to_owned(), false, Some("1".to_owned())),
        (Location::Query, "q".to_owned(), false, None),
        (Location::Header, "Content-Type".to_owned(), true, None),
        (Location::Cookie, "SID".to_owned(), false, None),
        (Location::Body, "form".to_owned(), true, None),
        (Location::Context, "request".to_owned(), false, None),
        // The binding of a body's property by name is not followed.
        (Location::Resolved, "title".to_owned(), true, None),
    ];
    assert_eq!(service.bound(Method::Post, "/x/{id}"), expected);
    let expected = [(Location::Path, "id".to_owned(), true, None), (Location::Query, "size".to_owned(), true, None)];
    assert_eq!(service.bound(Method::Get, "/x/{id}"), expected);
}

#[test]
fn micronaut_answers_exceptions_by_controllers_by_beans_and_by_itself() {
    let service = Service::of([(
        "src/main/java/a/C.java",
        "package a; import io.micronaut.http.annotation.*; import io.micronaut.http.annotation.Error; import io.micronaut.http.*; \
         import io.micronaut.http.server.exceptions.ExceptionHandler; \
         @Controller(\"/one\") class One { @Get void f() {} \
           @Error(IllegalStateException.class) HttpResponse<?> own(IllegalStateException e) { return HttpResponse.badRequest(); } } \
         @Controller(\"/two\") class Two { @Get void f() {} \
           @Error(global = true) HttpResponse<?> all(HttpRequest<?> r, ArithmeticException e) { return HttpResponse.badRequest(); } \
           @Error(status = HttpStatus.NOT_FOUND) HttpResponse<?> missing() { return HttpResponse.notFound(); } } \
         class Gone extends RuntimeException {} \
         @jakarta.inject.Singleton class Any implements ExceptionHandler<Exception, HttpResponse<?>> { \
           public HttpResponse<?> handle(HttpRequest request, Exception e) { return HttpResponse.serverError(); } } \
         @io.micronaut.context.annotation.Factory class Handlers { @jakarta.inject.Singleton \
           ExceptionHandler<java.io.IOException, HttpResponse<?>> broken() { return (request, e) -> HttpResponse.badRequest(); } } \
         @jakarta.inject.Singleton class Handler implements ExceptionHandler<Gone, HttpResponse<?>> { \
           public HttpResponse<?> handle(HttpRequest request, Gone e) { return HttpResponse.status(HttpStatus.GONE); } }",
    )]);
    let named = |name: &str| Some((Some(name.to_owned()), None));
    assert_eq!(service.answer("/one", "java.lang.IllegalStateException"), named("own"));
    assert_eq!(service.answer("/two", "java.lang.IllegalStateException"), named("handle"));
    assert_eq!(service.answer("/one", "java.lang.ArithmeticException"), named("all"));
    assert_eq!(service.answer("/one", "java.io.IOException"), named("broken"));
    assert_eq!(service.answer("/two", "a.Gone"), named("handle"));
    let violated = "jakarta.validation.ConstraintViolationException";
    assert_eq!(service.answer("/two", violated), Some((None, Some(400))));
}
