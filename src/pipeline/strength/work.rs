//! The input of `mastor strength`: one service with its tests, and the options.

use std::time::Duration;

use crate::pipeline::service::java_bench::Bench;
use crate::pipeline::strength::places::{Lines, Places};
use mastor_frameworks::launch::Launch;
use mastor_publish::{Exported, InJvm};

/// The options of `mastor strength`.
#[derive(Debug, Clone)]
pub struct StrengthOptions {
    /// Measure only members that changed since this revision.
    pub since: Option<String>,
    /// Use mastor's own mutants, run by the interpreter.
    pub fast: bool,
    /// The main class.
    pub main: Option<String>,
    /// The class path of the application, built already.
    pub class_path: Option<String>,
    /// How many mutants run again, each alone.
    pub alone: usize,
    /// Time limit of all mutants together.
    pub within: Duration,
    /// Whether branches that no test takes are counted, if there is a JVM.
    pub branches: bool,
    /// What the tests run on.
    pub slices: WithSlices,
}

/// What the tests of a measurement run on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum WithSlices {
    /// The application, started in the JVM of the tests; slices where it does not start, or where no test of the suite
    /// can be run on it
    #[default]
    Auto,
    /// The application, and slices beside it: a mutant is noticed where either notices it
    On,
    /// The application alone
    Off,
    /// Slices alone
    Only,
}

impl StrengthOptions {
    /// The options of `ci`.
    pub fn in_ci(fast: bool) -> Self {
        let within = Duration::from_secs(30 * 60);
        let slices = WithSlices::Auto;
        Self { since: None, fast, main: None, class_path: None, alone: 0, within, branches: false, slices }
    }
}

/// The application that tests start.
#[derive(Debug, Clone)]
pub enum ApplicationOf {
    /// Built already: its class path.
    Built(Vec<String>),
    /// To be built as this launch says.
    Launch(Box<Option<Launch>>),
}

/// One service to be measured.
pub struct Work<'a> {
    /// Where it is built and run.
    pub bench: Bench<'a>,
    /// The exported tests.
    pub exported: Exported,
    /// How the application starts.
    pub jvm: InJvm,
    /// The class path of the application, or how the project is built.
    pub application: ApplicationOf,
    /// Members that mutants are made of.
    pub places: &'a Places,
    /// Lines that mutants are made of; all if it is `None`.
    pub lines: Option<&'a [Lines]>,
    /// What was asked.
    pub options: &'a StrengthOptions,
}

impl Work<'_> {
    /// Options of every JVM that runs the application: the service's own, and where it has none, those for a fast
    /// start.
    pub fn jvm_options(&self) -> Vec<String> {
        let own = &self.jvm.options;
        let mut options = own.clone();
        if !own.iter().any(|option| option.starts_with("-XX:+Use") && option.ends_with("GC")) {
            options.push("-XX:+UseSerialGC".to_owned());
        }
        if !own.iter().any(|option| option.starts_with("-XX:TieredStopAtLevel") || option.starts_with("-XX:-Tiered")) {
            options.push("-XX:TieredStopAtLevel=1".to_owned());
        }
        options
    }
}
