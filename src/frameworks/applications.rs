//! Applications: which classes of a repository can run in one process, by the modules that need one another.

use std::collections::BTreeSet;

use super::build::{Build, Module};

impl Build {
    /// Whether code of two files may run in one application: one module, one that needs the other, or a third that needs both and is
    /// started. What is not understood counts as yes.
    pub fn run_together(&self, one: &str, two: &str, is_started: impl Fn(&Module) -> bool) -> bool {
        let (Some(a), Some(b)) = (self.module_of(one), self.module_of(two)) else { return true };
        if a.dir == b.dir || [a, b].iter().any(|module| module.artifact.is_empty()) {
            return true;
        }
        if self.needs(a, b) || self.needs(b, a) {
            return true;
        }
        self.modules.iter().any(|top| (top.is_war || is_started(top)) && self.needs(top, a) && self.needs(top, b))
    }

    /// Whether the module of a file, one around it, or one that it needs names an artifact with this text.
    pub fn uses_near(&self, near: &str, text: &str) -> bool {
        self.names_near(near, |name| name.contains(text))
    }

    /// Whether the module of a file, one around it, or one that it needs names an artifact like this.
    pub fn names_near(&self, near: &str, is_meant: impl Fn(&str) -> bool) -> bool {
        let own = self.module_of(near);
        self.modules.iter().any(|module| {
            let counts = own.is_none_or(|own| {
                let around = module.dir.is_empty() || own.dir.starts_with(&format!("{}/", module.dir));
                module.dir == own.dir || around || self.needs(own, module)
            });
            counts && module.uses.iter().any(|name| is_meant(name))
        })
    }

    /// Whether a module needs another one, directly or not.
    fn needs(&self, module: &Module, other: &Module) -> bool {
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut open = vec![module];
        while let Some(at) = open.pop() {
            for next in &self.modules {
                let named = at.uses.iter().any(|name| name.rsplit(':').next() == Some(next.artifact.as_str()));
                if next.artifact.is_empty() || !named || !seen.insert(&next.dir) {
                    continue;
                }
                if next.dir == other.dir {
                    return true;
                }
                open.push(next);
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::resources::Resources;
    use super::*;

    #[test]
    fn two_services_over_one_library_do_not_run_together() {
        let pom = |artifact: &str, needs: &str| {
            format!(
                "<project><artifactId>{artifact}</artifactId><dependencies><dependency><groupId>a</groupId>\
                 <artifactId>{needs}</artifactId></dependency></dependencies></project>"
            )
        };
        let (core, rest, web) = (pom("core", "x"), pom("rest", "core"), pom("web", "core"));
        let build = Build::load(&Resources::from_texts(&[
            ("core/pom.xml", &core),
            ("rest/pom.xml", &rest),
            ("web/pom.xml", &web),
        ]));
        let together = |a: &str, b: &str| build.run_together(a, b, |_| false);
        assert!(together("rest/src/A.java", "core/src/B.java"));
        assert!(together("core/src/B.java", "web/src/C.java"));
        assert!(!together("rest/src/A.java", "web/src/C.java"));
    }
}
