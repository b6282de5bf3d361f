//! Applications: which code and configuration of a repository can be part of one process.

use mastor_java::build::layout::{Layout, ModuleId};

/// Which modules of a repository can be in one application; all of them if no build was read.
#[derive(Debug, Clone, Default)]
pub struct Applications {
    layout: Option<Layout>,
    /// For each module, whether every other one can be in the same application.
    together: Vec<Vec<bool>>,
}

impl Applications {
    /// The applications of a repository's modules; `together` says for each pair whether it can be in one application.
    pub fn new(layout: Layout, together: Vec<Vec<bool>>) -> Self {
        Self { layout: Some(layout), together }
    }

    /// Whether code of two files can be in one application.
    pub fn run_together(&self, one: &str, two: &str) -> bool {
        let Some(layout) = &self.layout else { return true };
        self.modules_run_together(layout.module_of(one), layout.module_of(two))
    }

    /// Whether code of two modules can be in one application.
    pub fn modules_run_together(&self, one: ModuleId, two: ModuleId) -> bool {
        self.together.get(one.0 as usize).and_then(|row| row.get(two.0 as usize)).copied().unwrap_or(true)
    }

    /// Whether the application of the code in `code` can read a file other than code. Files in a folder around its
    /// module count too.
    pub fn reads(&self, code: &str, file: &str) -> bool {
        let Some(layout) = &self.layout else { return true };
        let around = &layout.modules()[layout.module_of(file).0 as usize].dir;
        around.is_empty() || code.starts_with(&format!("{around}/")) || self.run_together(code, file)
    }
}
