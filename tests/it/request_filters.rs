//! JAX-RS request filters: the rule `jax-rs-filters`. The expected answers are those of Jersey 2.41.

use mastor::types::Method;

use crate::loaded::Service;

const RESOURCE: &str = "package a; import javax.ws.rs.*; import javax.ws.rs.core.*; import javax.annotation.security.PermitAll; import java.util.*; \
    @Path(\"a\") @Produces(\"application/json\") public class R { \
    @GET @Path(\"{id}\") public String one(@PathParam(\"id\") int id) { return \"\" + id; } \
    @GET @PermitAll public Response all() { return Response.ok().build(); } \
    @DELETE @Path(\"{kind:x|y}\") public void remove() {} \
    @Guarded @GET @Path(\"inner/list\") public Response inner() { return Response.ok().build(); } }";

const IMPORTS: &str = "package a; import javax.ws.rs.*; import javax.ws.rs.core.*; import javax.ws.rs.container.*; \
    import javax.ws.rs.ext.*; import javax.annotation.security.*; import javax.servlet.http.*; import java.io.*; ";

const FILTER: &str = "public class F implements ContainerRequestFilter { @Context private ResourceInfo info; \
    @Context private HttpServletRequest request; \
    public void filter(ContainerRequestContext context) { \
    HttpSession session = request.getSession(false); \
    boolean known = context.getHeaderString(\"X-Key\") != null || session != null && session.getAttribute(\"user\") != null; \
    if (!known && !info.getResourceMethod().isAnnotationPresent(PermitAll.class)) { \
    if (context.getMethod().equals(\"DELETE\")) throw new WebApplicationException(Response.status(Response.Status.UNAUTHORIZED).build()); \
    context.abortWith(Response.status(403).entity(\"no\").build()); } } }";

const MAPPER: &str = "@Provider public class M implements ExceptionMapper<Exception> { \
    public Response toResponse(Exception e) { StringWriter text = new StringWriter(); e.printStackTrace(new PrintWriter(text)); \
    if (e instanceof WebApplicationException) \
    return Response.fromResponse(((WebApplicationException) e).getResponse()).entity(text.toString()).build(); \
    return Response.status(400).entity(text.toString()).build(); } }";

const REGISTERED: &str = "package a; import org.glassfish.jersey.server.ResourceConfig; public class App extends ResourceConfig { \
    public App() { register(R.class); register(F.class); register(M.class); } }";

fn service(filter: &str, application: &str) -> Service {
    Service::of([
        ("src/main/java/a/R.java", RESOURCE.to_owned()),
        ("src/main/java/a/Guarded.java", format!("{IMPORTS} @NameBinding public @interface Guarded {{}}")),
        ("src/main/java/a/F.java", format!("{IMPORTS}{filter}")),
        ("src/main/java/a/M.java", format!("{IMPORTS}{MAPPER}")),
        ("src/main/java/a/App.java", application.to_owned()),
    ])
}

/// The derived statuses of an operation, sorted and without repetition.
fn statuses(service: &Service, method: Method, path: &str) -> Vec<u16> {
    let derived = service.derive(method, path);
    let mut found: Vec<u16> = derived.candidates.iter().flat_map(|one| one.oracle.statuses()).collect();
    found.sort_unstable();
    found.dedup();
    found
}

#[test]
fn a_filter_refuses_before_parameters_are_bound() {
    let service = service(FILTER, REGISTERED);
    // A malformed number would give 404, but the filter answers before it is parsed.
    assert_eq!(statuses(&service, Method::Get, "/a/{id}"), [403]);
    assert_eq!(statuses(&service, Method::Get, "/a"), [200]);
    // Exception mappers handle the filter's exception. An unused path variable gets any value that the route accepts.
    assert_eq!(statuses(&service, Method::Delete, "/a/{kind}"), [401]);
    let derived = service.derive(Method::Delete, "/a/{kind}");
    assert_eq!(derived.candidates[0].oracle.input.path.get("kind").map(String::as_str), Some("x"));
}

#[test]
fn a_filter_that_may_not_be_registered_leaves_what_it_refuses_open() {
    let unnamed = REGISTERED.replace("register(F.class); ", "");
    let service = service(FILTER, &unnamed);
    assert_eq!(statuses(&service, Method::Get, "/a/{id}"), Vec::<u16>::new());
    assert_eq!(statuses(&service, Method::Get, "/a"), [200]);
}

#[test]
fn a_filter_that_is_bound_by_name_runs_for_what_bears_the_name() {
    let bound = "@Guarded @Provider public class F implements ContainerRequestFilter { \
        public void filter(ContainerRequestContext context) { context.abortWith(Response.status(402).build()); } }";
    let scanned = "package a; import javax.ws.rs.core.Application; @javax.ws.rs.ApplicationPath(\"/\") public class App extends Application {}";
    let service = service(bound, scanned);
    assert_eq!(statuses(&service, Method::Get, "/a/inner/list"), [402]);
    assert_eq!(statuses(&service, Method::Get, "/a"), [200]);
}
