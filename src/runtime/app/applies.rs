//! Decides which classes apply to an operation: its application must run them, and their conditions must hold.

use crate::subject::Subject;
use mastor_frameworks::record::Threads;
use mastor_java::ir::constant::Constant;
use mastor_java::ir::facts::Value;
use mastor_java::ir::ids::TypeId;

/// Whether a class counts for an operation: the application that serves the operation may run it.
pub fn counts(subject: &Subject<'_>, ty: TypeId) -> bool {
    may_run(subject, subject.project.path_of(ty))
}

/// Whether the conditions on a class hold under the project's properties; `None` if unknown.
pub fn is_active(subject: &Subject<'_>, ty: TypeId) -> Option<bool> {
    let near = &subject.endpoint.file;
    let mut all = true;
    for annotation in &subject.project.ty(ty).annotations {
        let texts = |name: &str| -> Option<Vec<String>> {
            let Some(value) = annotation.arg(name) else { return Some(Vec::new()) };
            match subject.project.eval(ty, value).value {
                Constant::Str(text) => Some(vec![text]),
                Constant::Array(items) => items
                    .into_iter()
                    .map(|item| if let Constant::Str(text) = item { Some(text) } else { None })
                    .collect(),
                _ => None,
            }
        };
        match annotation.simple() {
            "Profile" => {
                let active = subject.properties.get(near, "spring.profiles.active").map(|p| p.value.clone());
                let active: Vec<String> =
                    active.unwrap_or_default().split(',').map(|name| name.trim().to_owned()).collect();
                let wanted = texts("value")?;
                if wanted.iter().any(|wanted| wanted.contains(['&', '|', '('])) {
                    return None;
                }
                all &= wanted.iter().any(|wanted| match wanted.strip_prefix('!') {
                    Some(not) => !active.iter().any(|name| name == not),
                    None => active.contains(wanted),
                });
            }
            "ConditionalOnProperty" => {
                let prefix = texts("prefix")?.into_iter().next().map(|text| format!("{text}.")).unwrap_or_default();
                let wanted = texts("havingValue")?.into_iter().next();
                let missing = matches!(annotation.arg("matchIfMissing"), Some(Value::Bool(true)));
                for name in texts("name")?.into_iter().chain(texts("value")?) {
                    let set =
                        subject.properties.get(near, &format!("{prefix}{name}")).map(|p| p.value.trim().to_owned());
                    all &= match (set, &wanted) {
                        (None, _) => missing,
                        (Some(set), Some(wanted)) if !wanted.is_empty() => set.eq_ignore_ascii_case(wanted),
                        (Some(set), _) => set != "false",
                    };
                }
            }
            name if name.starts_with("Conditional") => return None,
            _ => {}
        }
    }
    Some(all)
}

/// Whether the application that serves an operation may run the code of a file.
pub fn may_run(subject: &Subject<'_>, path: &str) -> bool {
    runs_with(subject, &subject.endpoint.file, path)
}

/// Whether one application may run the code of both files.
pub fn runs_with(subject: &Subject<'_>, one: &str, two: &str) -> bool {
    subject.build.applications.run_together(one, two)
}

/// Whether WebFlux serves an operation. If Spring MVC is present too, MVC serves it.
pub fn is_reactive(subject: &Subject<'_>) -> bool {
    let (endpoint, build) = (subject.endpoint, subject.build);
    let may_be = endpoint.framework.threads == Threads::ByBuild;
    let servlet = |artifact: &str| {
        let bringing = ["webmvc", "-data-rest", "-hateoas", "starter-web-services", "eureka-server"];
        artifact.ends_with("spring-boot-starter-web") || bringing.iter().any(|name| artifact.contains(name))
    };
    may_be && build.uses_near(&endpoint.file, "webflux") && !build.names_near(&endpoint.file, servlet)
}
