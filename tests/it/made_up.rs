//! A made-up framework in one file: its record and its routes suffice for routes, closure, contexts and oracles of a service.

use std::collections::BTreeMap;

use mastor::config::{Overrides, services};
use mastor::extract;
use mastor::frameworks::code::annotations::find;
use mastor::frameworks::code::inheritance::methods;
use mastor::frameworks::record::{
    Advice, Beans, Binding, Body, Failures, Json, Kinds, Middleware, NOT_MODELLED, Record, Refusals, RequestFilters,
    Serving,
};
use mastor::frameworks::{
    BoundParam, Endpoint, FRAMEWORKS as KNOWN, Framework, Inputs, Location, Registration, Returns, Routes,
};
use mastor::java::project::brought::{Carries, LibraryException};
use mastor::revision::SourceTree;
use mastor::types::Method;
use mastor::types::event::Events;

use crate::loaded::Service;

static KINDS: Kinds = Kinds {
    missing_header: "courier.Missing",
    missing_cookie: "courier.Missing",
    missing_parameter: "courier.Missing",
    unreadable: "courier.Unreadable",
    mismatch: "courier.Mismatch",
};

/// The framework's exceptions: `Lost` is an `IllegalStateException` that carries its status; `Late` carries a message.
const THROWN: &[LibraryException] = &[
    LibraryException::new("courier.Lost", "java.lang.IllegalStateException").carrying(Carries::Status(Some(410))),
    LibraryException::new("courier.Late", "courier.Hitch").carrying(Carries::Message),
    LibraryException::new("courier.Hitch", "java.lang.RuntimeException"),
];

/// The framework *courier*: calls a method for each dispatch, answers 202 without a body, and 503 for uncaught exceptions.
static COURIER: Record = PLAIN;

/// A variant whose container creates only classes with `@Depository`.
static TIDY: Record = Record {
    name: "tidy",
    beans: Beans { stereotypes: &["Depository"], makes_unmarked: false, ..PLAIN.beans },
    ..PLAIN
};

const PLAIN: Record = Record {
    name: "courier",
    serving: Serving::Method,
    beans: Beans { makes_unmarked: true, marks: &["Dispatch"], ..NOT_MODELLED.beans },
    binding: Binding { refusals: Refusals::ByKind(&KINDS), requires_body: true, ..NOT_MODELLED.binding },
    failures: Failures {
        uncaught: 503,
        carriers: &["courier.Lost"],
        exceptions: THROWN,
        advice: Advice::Nobody,
        ..NOT_MODELLED.failures
    },
    body: Body { empty_status: 202, labels_texts: true, json: Json::Jackson, ..NOT_MODELLED.body },
    middleware: Middleware {
        security: false,
        request_filters: RequestFilters::Apart,
        around: &[("Postmark", "marks every dispatch")],
        ..NOT_MODELLED.middleware
    },
    ..NOT_MODELLED
};

/// Routes: `@Dispatch("GET /parcels/{id}")` on a method; `@From` marks query parameters.
fn routes(inputs: &Inputs<'_>) -> Routes {
    let (project, mut routes) = (inputs.project, Routes::default());
    for ty in project.types() {
        for method in methods(project, ty) {
            let facts = project.member(method.entry);
            let Some(found) = find(project, ty, &facts.annotations, &["courier.Dispatch"]) else { continue };
            let Some((verb, path)) = found.string(project, &["value"]).and_then(|text| {
                let (verb, path) = text.split_once(' ')?;
                Some((Method::parse(verb)?, path.to_owned()))
            }) else {
                continue;
            };
            let param = |(index, param): (usize, &mastor::java::ir::facts::Param)| {
                let in_path = path.contains(&format!("{{{}}}", param.name));
                BoundParam {
                    name: param.name.clone(),
                    location: if in_path { Location::Path } else { Location::Query },
                    ty: param.ty.clone(),
                    required: true,
                    default: None,
                    index,
                    constraints: Vec::new(),
                    validated: false,
                }
            };
            let (file, line) = inputs.place(method.entry);
            routes.endpoints.push(Endpoint {
                method: verb,
                path: path.clone(),
                raw_path: path.clone(),
                context_path: String::new(),
                entry: method.entry,
                receiver: ty,
                framework: Framework(&COURIER),
                how: "@Dispatch".to_owned(),
                rests_on: Vec::new(),
                rests_on_files: Vec::new(),
                file,
                line,
                consumes: Vec::new(),
                produces: Vec::new(),
                params: facts.params.iter().enumerate().map(param).collect(),
                returns: Returns::Value,
                success_status: None,
                any_method: false,
                lambda: None,
                made_from: None,
            });
        }
    }
    routes
}

const FRAMEWORKS: [Registration; 1] = [Registration { record: &COURIER, routes, exceptions: None }];

/// The routes of `tidy`.
fn tidy_routes(inputs: &Inputs<'_>) -> Routes {
    let mut routes = routes(inputs);
    routes.endpoints.iter_mut().for_each(|one| one.framework = Framework(&TIDY));
    routes
}

const CODE: &str = "package a; import courier.*;
public class Parcels {
  private final Depot depot;
  public Parcels(Depot depot) { this.depot = depot; }
  @Dispatch(\"GET /parcels/{id}\") public String one(int id) { return depot.name(id); }
  @Dispatch(\"POST /parcels/{id}/sent\") public void send(int id, int weight) { if (weight > 30) { throw new IllegalStateException(\"heavy\"); } }
}
class Rack { final String label; Rack() { label = \"parcel \"; } }
class Depot { private final Rack rack; Depot(Rack rack) { this.rack = rack; } String name(int id) { if (id < 1) { throw new IllegalArgumentException(\"none\"); } return rack.label + id; } }
class Stamp extends springframework.courier.Postmark { public void mark() { Ink.use(); } }
class Ink { static void use() { } }
class Nobody { void idle() { } }
";

fn service() -> Service {
    Service::by([("src/main/java/a/Parcels.java", CODE)], &FRAMEWORKS)
}

#[test]
fn its_routes_are_found() {
    let found: Vec<String> =
        service().endpoints.iter().map(|one| format!("{} {} by {}", one.method, one.path, one.framework)).collect();
    assert_eq!(found, ["GET /parcels/{id} by courier", "POST /parcels/{id}/sent by courier"]);
}

#[test]
fn its_closures_hold_what_its_handlers_run_and_what_runs_around_them() {
    let tree = SourceTree::from_memory([("src/main/java/a/Parcels.java", CODE)]);
    let settings = services(&tree, &Overrides::default()).unwrap().remove(0);
    let named = BTreeMap::new();
    let surface = extract::surface_with(&tree, &settings, None, &Events::silent(), (&named, &FRAMEWORKS)).unwrap();
    let analysis = extract::analyse(surface, &Events::silent());
    let reached = |op: &str| -> Vec<String> {
        let (_, closure) = analysis.closures.iter().find(|(op_id, _)| op_id.as_str() == op).unwrap();
        closure.members.keys().map(|member| analysis.surface.project.symbol(*member)).collect()
    };
    let one = reached("GET /parcels/{id}");
    let has = |name: &str| one.iter().any(|symbol| symbol.contains(name));
    assert!(has("Depot#name") && has("Rack#Rack()") && has("Stamp#mark") && has("Ink#use"), "{one:?}");
    assert!(!has("Nobody") && !has("#send"), "{one:?}");
}

#[test]
fn its_contexts_and_oracles_say_what_its_record_says() {
    let service = service();
    let answers = |method, path: &str| {
        let derived = service.derive(method, path);
        let mut statuses: Vec<u16> = derived.candidates.iter().flat_map(|one| one.oracle.statuses()).collect();
        statuses.sort_unstable();
        statuses.dedup();
        (statuses, derived.context)
    };
    let (statuses, context) = answers(Method::Get, "/parcels/{id}");
    assert_eq!(statuses, [200, 503]);
    assert_eq!(context.response_schema.success_status, Some(200));
    assert_eq!(context.request_params.iter().map(|param| param.name.as_str()).collect::<Vec<_>>(), ["id"]);
    let (statuses, context) = answers(Method::Post, "/parcels/{id}/sent");
    assert_eq!(statuses, [202, 503], "{context:?}");
    assert_eq!(context.response_schema.success_status, Some(202));
}

/// The statuses that are derived for one operation, each with its oracle as text.
fn derived(service: &Service, path: &str) -> Vec<(u16, String)> {
    let derived = service.derive(Method::Get, path);
    let mut found: Vec<(u16, String)> = Vec::new();
    for oracle in derived.candidates.iter().map(|one| &one.oracle) {
        found.extend(oracle.statuses().into_iter().map(|status| (status, format!("{:?}", oracle))));
    }
    found
}

#[test]
fn its_exceptions_extend_and_carry_what_its_record_says() {
    let code = "package a; import courier.*; public class Parcels {
      @Dispatch(\"GET /lost\") public String lost() { throw new Lost(\"gone\"); }
      @Dispatch(\"GET /found\") public String found() { try { throw new Lost(\"gone\"); } catch (IllegalStateException lost) { return \"found\"; } }
      @Dispatch(\"GET /late\") public String late() { try { throw new Late(\"at noon\"); } catch (RuntimeException late) { return late.getMessage(); } }
      @Dispatch(\"GET /hitch\") public String hitch() { throw new Late(\"at noon\"); }
    }";
    let service = Service::by([("src/main/java/a/Parcels.java", code)], &FRAMEWORKS);
    let statuses = |path: &str| -> Vec<u16> { derived(&service, path).into_iter().map(|(status, _)| status).collect() };
    assert_eq!(["/lost", "/found", "/late", "/hitch"].map(statuses), [[410], [200], [200], [503]]);
    assert!(derived(&service, "/late")[0].1.contains("at noon"));
    let unknown = Service::of([("src/main/java/a/Parcels.java", code)]);
    assert!(unknown.project.brought().exception("courier.Lost").is_none());
}

#[test]
fn its_stereotype_makes_a_bean() {
    let code = |mark: &str| {
        format!(
            "package a; import courier.*; @Depository public class Parcels {{ private final Shelf shelf;
              public Parcels(Shelf shelf) {{ this.shelf = shelf; }}
              @Dispatch(\"GET /shelf\") public String one() {{ return shelf.label(); }} }}
            interface Shelf {{ String label(); }}
            {mark} class Steel implements Shelf {{ public String label() {{ return \"steel\"; }} }}"
        )
    };
    let tidy = [Registration { record: &TIDY, routes: tidy_routes, exceptions: None }];
    let answers = |mark: &str| {
        let service = Service::by([("src/main/java/a/Parcels.java", code(mark))], &tidy);
        derived(&service, "/shelf").iter().any(|(status, shown)| *status == 200 && shown.contains("steel"))
    };
    assert!(answers("@Depository"));
    assert!(!answers("@Sorter"));
}

#[test]
fn no_advice_answers_where_its_record_says_so() {
    let advice = "package a; import org.springframework.web.bind.annotation.*; import org.springframework.http.HttpStatus;
        @RestControllerAdvice class Answers { @ExceptionHandler(RuntimeException.class) @ResponseStatus(HttpStatus.CONFLICT) void any() {} }
        @RestController class Other { @GetMapping(\"/y\") String y() { throw new IllegalStateException(); } }";
    let code = "package a; import courier.*; public class Parcels { @Dispatch(\"GET /x\") public String one() { throw new IllegalStateException(); } }";
    let both = [KNOWN[0], FRAMEWORKS[0]];
    let files = [("src/main/java/a/Parcels.java", code), ("src/main/java/a/Answers.java", advice)];
    let service = Service::by(files, &both);
    let statuses = |path: &str| derived(&service, path).iter().map(|(status, _)| *status).collect::<Vec<_>>();
    assert_eq!((statuses("/x"), statuses("/y")), (vec![503], vec![409]));
}
