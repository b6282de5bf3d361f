//! What code runs when a service starts, by names: what it may have put into the classes that it calls is not known.

use std::collections::{BTreeMap, BTreeSet};

use super::wiring::STEREOTYPES;
use crate::frameworks::context::startup::runs_at_start;
use crate::java::body::ExprKind;
use crate::java::facts::{MemberKind, Modifiers};
use crate::java::ids::{MemberId, TypeId};
use crate::java::interpret::objects::has;
use crate::java::project::Project;

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

/// Interfaces and classes whose methods something calls without a request.
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

/// Classes of which some method may run before the first request, or beside requests.
pub fn begun(project: &Project) -> BTreeSet<TypeId> {
    let mut by_name: BTreeMap<(&str, usize), Vec<MemberId>> = BTreeMap::new();
    let mut open: Vec<MemberId> = Vec::new();
    for ty in project.types() {
        let called = runs_at_start(project, ty)
            || project.library_supers(ty).iter().any(|name| CALLERS.contains(&name.rsplit('.').next().unwrap_or(name)));
        let is_component = has(&project.ty(ty).annotations, STEREOTYPES);
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
