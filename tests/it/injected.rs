//! JAX-RS resources: parameters from an extension, converters of the framework, and custom annotations for HTTP methods.

use mastor::types::Method;

use crate::loaded::Service;

const RESOURCE: &str = "package a; import javax.ws.rs.*; import javax.ws.rs.core.*; import io.dropwizard.auth.Auth;
@Path(\"a\") @Produces(\"application/json\") public class R {
  public enum Kind { BIG, SMALL }
  @GET @Path(\"plain/{id}\") public Response plain(@PathParam(\"id\") int id, @Context UriInfo info) { return Response.ok().build(); }
  @GET @Path(\"auth/{id}\") public Response auth(@PathParam(\"id\") int id, @Auth User user) { return Response.ok().build(); }
  @GET @Path(\"own/{id}\") public Response own(@PathParam(\"id\") int id, @Tenant User user) { return Response.ok().build(); }
  @GET @Path(\"made/{id}\") public Response made(@PathParam(\"id\") int id, @Context User user) { return Response.ok().build(); }
  @GET @Path(\"kind/{kind}\") public Response kind(@PathParam(\"kind\") Kind kind) { return Response.ok().build(); }
  @CHANGE @Path(\"verbs/{id}\") public Response change(@PathParam(\"id\") int id) { return Response.ok().build(); }
  @io.dropwizard.jersey.PATCH @Path(\"verbs/old\") public Response old() { return Response.ok().build(); }
  @OPTIONS @Path(\"verbs/old\") public Response options() { return Response.ok().build(); }
}";

const CHANGE: &str =
    "package a; import java.lang.annotation.*; @Target(ElementType.METHOD) @Retention(RetentionPolicy.RUNTIME)
@javax.ws.rs.HttpMethod(\"PATCH\") public @interface CHANGE { }";

fn service(artifact: &str) -> Service {
    let pom = format!(
        "<project><modelVersion>4.0.0</modelVersion><artifactId>b</artifactId><dependencies><dependency>\
         <groupId>{artifact}</groupId><artifactId>{artifact}-core</artifactId><version>1</version></dependency></dependencies></project>"
    );
    let scanned = "package a; import javax.ws.rs.core.Application; @javax.ws.rs.ApplicationPath(\"/\") public class App extends Application {}";
    Service::of([
        ("pom.xml", pom.as_str()),
        ("src/main/java/a/R.java", RESOURCE),
        ("src/main/java/a/User.java", "package a; public class User { }"),
        ("src/main/java/a/Tenant.java", "package a; public @interface Tenant { }"),
        ("src/main/java/a/CHANGE.java", CHANGE),
        ("src/main/java/a/App.java", scanned),
    ])
}

fn statuses(service: &Service, method: Method, path: &str) -> Vec<u16> {
    let derived = service.derive(method, path);
    let mut found: Vec<u16> = derived.candidates.iter().flat_map(|one| one.oracle.statuses()).collect();
    found.sort_unstable();
    found.dedup();
    found
}

#[test]
fn what_an_extension_gives_leaves_the_answer_open() {
    let service = service("jersey");
    assert_eq!(statuses(&service, Method::Get, "/a/plain/{id}"), [200, 404]);
    for (path, by) in [("/a/auth/{id}", "@Auth"), ("/a/own/{id}", "@Tenant"), ("/a/made/{id}", "@Context")] {
        assert_eq!(statuses(&service, Method::Get, path), [0_u16; 0], "{path}");
        let notes = service.derive(Method::Get, path).notes;
        assert!(notes.iter().any(|note| note.contains(by) && note.contains("in the handler's stead")), "{notes:?}");
    }
}

#[test]
fn a_converter_of_the_framework_s_refuses_in_its_own_way() {
    assert_eq!(statuses(&service("jersey"), Method::Get, "/a/kind/{kind}"), [200, 404]);
    assert_eq!(statuses(&service("dropwizard"), Method::Get, "/a/kind/{kind}"), [200]);
}

#[test]
fn annotations_that_carry_a_method_make_operations() {
    let service = service("jersey");
    assert_eq!(statuses(&service, Method::Patch, "/a/verbs/{id}"), [200, 404]);
    assert_eq!(statuses(&service, Method::Patch, "/a/verbs/old"), [200]);
    assert_eq!(statuses(&service, Method::Options, "/a/verbs/old"), [200]);
}
