//! What a router function's handler reads from its request, found by constant names in its code: path variables,
//! parameters, headers and the body.

use crate::code::expressions::string_of;
use crate::endpoint::{BoundParam, Endpoint, Location};
use crate::paths;
use crate::record::Serving;
use crate::routing::Inputs;
use mastor_java::ir::body::{Body, ExprId, ExprKind};
use mastor_java::ir::facts::{Span, TypeRef};
use mastor_java::ir::ids::MemberId;
use mastor_java::ir::named::Named;

/// The type of a handler's parameter.
const REQUEST: &str = "ServerRequest";

/// Greatest number of method calls through which a request is followed.
const DEPTH: usize = 4;

/// Whether the handler of a functional route is followed.
pub fn is_followed(endpoint: &Endpoint) -> bool {
    endpoint.framework.serving == Serving::RouterFunction
        && endpoint.params.iter().any(|param| param.location == Location::Context && param.ty.simple() == REQUEST)
}

/// The values that a handler method reads; empty unless its only parameter is the request.
pub fn reads(inputs: &Inputs<'_>, entry: MemberId, raw_path: &str) -> Vec<BoundParam> {
    let params = &inputs.project.member(entry).params;
    let [request] = params.as_slice() else { return Vec::new() };
    if request.ty.simple() != REQUEST || request.ty.dims > 0 {
        return Vec::new();
    }
    let mut walk = Reads { inputs, found: Vec::new(), seen: Vec::new() };
    walk.member(entry, &request.name);
    bound(walk.found, read(&request.name, Location::Context, request.ty.clone()), raw_path)
}

/// The values that a handler lambda reads; empty if the type of its request is not clear.
pub fn reads_of_lambda(
    inputs: &Inputs<'_>,
    (member, body, lambda): (MemberId, &Body, ExprId),
    raw_path: &str,
) -> Vec<BoundParam> {
    let ExprKind::Lambda { params, .. } = &body.expr(lambda).kind else { return Vec::new() };
    let [request] = params.as_slice() else { return Vec::new() };
    // The router function is in the same package as its request type.
    let Named::Library(function) = inputs.project.resolve(member.ty, "RouterFunction") else { return Vec::new() };
    let Some(package) = function.strip_suffix("RouterFunction") else { return Vec::new() };
    let mut walk = Reads { inputs, found: Vec::new(), seen: Vec::new() };
    walk.within(member, body, Some(body.expr(lambda).span), &request.name);
    let ty = TypeRef::named(format!("{package}{REQUEST}"));
    bound(walk.found, read(&request.name, Location::Context, ty), raw_path)
}

/// The request parameter, followed by the values that are read from the request.
fn bound(mut found: Vec<BoundParam>, mut own: BoundParam, raw_path: &str) -> Vec<BoundParam> {
    let (_, variables) = paths::template(raw_path);
    // Path variables are required whether or not the handler reads them.
    for variable in variables {
        if !found.iter().any(|one| one.location == Location::Path && one.name == variable.name) {
            found.push(read(&variable.name, Location::Path, TypeRef::named("String")));
        }
    }
    found.retain(|one| one.location != Location::Path || raw_path.contains(&format!("{{{}", one.name)));
    let mut bodies = found.iter().filter(|one| one.location == Location::Body);
    if let (Some(first), Some(second)) = (bodies.next(), bodies.next())
        && first.ty != second.ty
    {
        found.retain(|one| one.location != Location::Body);
    }
    own.index = 0;
    std::iter::once(own).chain(found).collect()
}

/// A value that is read by its name; it is not an argument.
fn read(name: &str, location: Location, ty: TypeRef) -> BoundParam {
    let is_body = location == Location::Body;
    BoundParam {
        name: name.to_owned(),
        location,
        ty,
        required: is_body || location == Location::Path,
        default: None,
        index: usize::MAX,
        constraints: Vec::new(),
        validated: false,
    }
}

struct Reads<'r, 'a> {
    inputs: &'r Inputs<'a>,
    found: Vec<BoundParam>,
    seen: Vec<MemberId>,
}

impl Reads<'_, '_> {
    fn member(&mut self, member: MemberId, request: &str) {
        if self.seen.contains(&member) || self.seen.len() > DEPTH {
            return;
        }
        self.seen.push(member);
        let Some(body) = self.inputs.project.body(member) else { return };
        self.within(member, &body, None, request);
    }

    /// Finds the values that a part of a body reads from a request.
    fn within(&mut self, member: MemberId, body: &Body, stretch: Option<Span>, request: &str) {
        let is_inside = |span: Span| stretch.is_none_or(|around| around.start <= span.start && span.end <= around.end);
        for expr in body.exprs.iter().filter(|expr| is_inside(expr.span)) {
            let ExprKind::Call { target, name, args, .. } = &expr.kind else { continue };
            match target {
                Some(target) if is_named(body, *target, request) => self.direct(member, body, name, args),
                Some(target) => self.header(member, body, *target, (name, request), args),
                None => {}
            }
            for (index, arg) in args.iter().enumerate() {
                if !is_named(body, *arg, request) || !target.is_none_or(|at| is_this(body, at)) {
                    continue;
                }
                for next in self.inputs.project.find_method(member.ty, name, args.len()) {
                    let taken = self.inputs.project.member(next).params.get(index).map(|param| param.name.clone());
                    if let Some(taken) = taken {
                        self.member(next, &taken);
                    }
                }
            }
        }
    }

    fn direct(&mut self, member: MemberId, body: &Body, name: &str, args: &[ExprId]) {
        let text = || args.first().and_then(|arg| string_of(self.inputs.project, member.ty, body, *arg));
        let found = match (name, args) {
            ("pathVariable", [_]) => text().map(|(name, _)| read(&name, Location::Path, TypeRef::named("String"))),
            ("queryParam" | "param", [_]) => {
                text().map(|(name, _)| read(&name, Location::Query, TypeRef::named("String")))
            }
            ("bodyToMono" | "body", [class]) => match &body.expr(*class).kind {
                ExprKind::ClassLit(ty) => Some(read("body", Location::Body, ty.clone())),
                _ => None,
            },
            _ => None,
        };
        self.add(found);
    }

    /// `request.headers().firstHeader("…")`.
    fn header(
        &mut self,
        member: MemberId,
        body: &Body,
        target: ExprId,
        (name, request): (&str, &str),
        args: &[ExprId],
    ) {
        let ExprKind::Call { target: Some(inner), name: called, .. } = &body.expr(target).kind else { return };
        if called != "headers" || !is_named(body, *inner, request) || name != "firstHeader" {
            return;
        }
        let name = args.first().and_then(|arg| string_of(self.inputs.project, member.ty, body, *arg));
        self.add(name.map(|(name, _)| read(&name, Location::Header, TypeRef::named("String"))));
    }

    fn add(&mut self, found: Option<BoundParam>) {
        let Some(found) = found else { return };
        if !self.found.contains(&found) {
            self.found.push(found);
        }
    }
}

fn is_named(body: &Body, at: ExprId, name: &str) -> bool {
    matches!(&body.expr(at).kind, ExprKind::Name(own) if own == name)
}

fn is_this(body: &Body, at: ExprId) -> bool {
    matches!(&body.expr(at).kind, ExprKind::This(None))
}
