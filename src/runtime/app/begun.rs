//! Startup state: which code may have changed state before a request, when the service starts or in requests that
//! should only read.

use std::collections::{BTreeMap, BTreeSet};

use super::around::Around;
use mastor_frameworks::code::stereotypes::is_component;
use mastor_frameworks::context::startup::runs_at_start;
use mastor_java::interpret::classes::objects::has;
use mastor_java::ir::body::{Body, ExprId, ExprKind};
use mastor_java::ir::calls::Target;
use mastor_java::ir::facts::{MemberKind, Modifiers};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::objects::usage::is_changing;
use mastor_java::project::index::Project;
use mastor_java::resolve::resolver::Resolver;

/// Annotations of methods that run without a request.
const CALLED: &[&str] = &[
    "PostConstruct",
    "EventListener",
    "TransactionalEventListener",
    "Scheduled",
    "Startup",
    "Observes",
    "Schedule",
    "Bean",
    "Produces",
    "Provides",
    "Autowired",
    "Inject",
    "PreDestroy",
];

/// Interfaces and classes whose methods run without a request.
const CALLERS: &[&str] = &[
    "ServletContextListener",
    "ApplicationListener",
    "InitializingBean",
    "SmartLifecycle",
    "SmartInitializingSingleton",
    "CommandLineRunner",
    "ApplicationRunner",
    "BeanPostProcessor",
    "Runnable",
    "Callable",
    "Thread",
    "TimerTask",
    "Job",
    "HttpServlet",
    "Application",
    "ResourceConfig",
];

/// Classes with a method that may run before the first request, or outside requests.
pub fn classes_run_at_startup(project: &Project) -> BTreeSet<TypeId> {
    let mut by_name: BTreeMap<(&str, usize), Vec<MemberId>> = BTreeMap::new();
    let mut open: Vec<MemberId> = Vec::new();
    for ty in project.types() {
        let called = runs_at_start(project, ty)
            || project.library_supers(ty).iter().any(|name| CALLERS.contains(&name.rsplit('.').next().unwrap_or(name)));
        let is_component = is_component(project, ty);
        for member in project.members(ty) {
            let facts = project.member(member);
            let runs = match facts.kind {
                MemberKind::Method => {
                    by_name.entry((&facts.name, facts.params.len())).or_default().push(member);
                    called
                        || has(&facts.annotations, CALLED)
                        || facts.name == "main" && facts.modifiers.has(Modifiers::STATIC)
                }
                MemberKind::Constructor => called || is_component && !facts.params.is_empty(),
                MemberKind::Initializer | MemberKind::StaticInitializer => called,
                _ => false,
            };
            if runs {
                open.push(member);
            }
        }
    }
    let mut seen: BTreeSet<MemberId> = open.iter().copied().collect();
    let mut found = BTreeSet::new();
    while let Some(member) = open.pop() {
        if project.member(member).kind == MemberKind::Method {
            found.insert(member.ty);
        }
        let Some(body) = project.body(member) else { continue };
        for expr in &body.exprs {
            let named = match &expr.kind {
                ExprKind::Call { target: None, name, args, .. } => project.find_method(member.ty, name, args.len()),
                ExprKind::Call { name, args, .. } => {
                    by_name.get(&(name.as_str(), args.len())).cloned().unwrap_or_default()
                }
                ExprKind::MethodRef { name, .. } => {
                    (0..4).flat_map(|arity| by_name.get(&(name.as_str(), arity)).cloned().unwrap_or_default()).collect()
                }
                _ => continue,
            };
            open.extend(named.into_iter().filter(|member| seen.insert(*member)));
        }
    }
    found
}

/// Methods that change a counter or a reference.
const STEPPING: &[&str] = &[
    "accumulate",
    "accumulateAndGet",
    "addAndGet",
    "compareAndSet",
    "decrement",
    "decrementAndGet",
    "getAndAccumulate",
    "getAndAdd",
    "getAndDecrement",
    "getAndIncrement",
    "getAndSet",
    "getAndUpdate",
    "increment",
    "incrementAndGet",
    "lazySet",
    "updateAndGet",
];

/// Fields that these handlers or the middleware change. Their values depend on the number of earlier requests, which
/// include health checks.
pub fn fields_changed_by_reads(
    resolver: &Resolver<'_>,
    reads: impl Iterator<Item = MemberId>,
    around: &Around,
) -> BTreeSet<MemberId> {
    let project = resolver.project();
    let filters = around.request_filters.iter().map(|filter| &filter.ty);
    let passed = around
        .filters
        .iter()
        .map(|filter| &filter.ty)
        .chain(filters)
        .chain(&around.interceptors)
        .chain(&around.aspects);
    let mut open: Vec<MemberId> = reads.chain(passed.flat_map(|ty| project.members(*ty))).collect();
    let mut seen: BTreeSet<MemberId> = open.iter().copied().collect();
    let mut found = BTreeSet::new();
    while let Some(member) = open.pop() {
        let Some(body) = resolver.body(member) else { continue };
        let resolved = resolver.resolve(member);
        for target in resolved.targets.values() {
            let Target::Methods(named) = target else { continue };
            let overriding = named.iter().flat_map(|named| project.overriders(*named));
            open.extend(named.iter().copied().chain(overriding).filter(|member| seen.insert(*member)));
        }
        let makes = !matches!(project.member(member).kind, MemberKind::Method);
        for expr in &body.exprs {
            if let Some(changed) = changed(&body, &expr.kind, makes)
                && let Some(Target::Field(field)) = resolved.targets.get(&changed)
            {
                found.insert(*field);
            }
        }
    }
    found
}

/// The expression that another expression changes, directly or by one of its elements. A constructor's assignments to
/// fields do not count.
fn changed(body: &Body, expr: &ExprKind, makes: bool) -> Option<ExprId> {
    let at = match expr {
        ExprKind::Call { target, name, .. } | ExprKind::MethodRef { target, name, .. }
            if is_changing(name) || STEPPING.contains(&name.as_str()) =>
        {
            (*target)?
        }
        ExprKind::Assign { target, .. } | ExprKind::IncDec { target, .. } if !makes => *target,
        _ => return None,
    };
    match &body.expr(at).kind {
        ExprKind::Index { target, .. } => Some(*target),
        _ => Some(at),
    }
}
