//! `mastor strength`: PITest mutates the code that the suite's operations reach, and runs the exported tests on each mutant, with the application or the
//! harness of slices in their JVM.

use std::collections::{BTreeMap, BTreeSet};

use crate::pipeline::repository::comparison::{Comparison, analyse, compare};
use crate::pipeline::repository::workspace::{BaseRevision, Head, Workspace, cache_folder, out_folder, unwritable};
use crate::pipeline::service::java_bench::{Bench, split};
use crate::pipeline::service::launches::{in_jvm, launches, unconfigured};
use crate::pipeline::service::live::{accounts, users};
use crate::pipeline::service::revisions::{on_work_tree, to_the_end};
use crate::pipeline::slices::for_strength::{Harness, harnesses};
use crate::pipeline::strength::fast::{OWN, approximate};
use crate::pipeline::strength::places::{Lines, Named, Places, changed};
use crate::pipeline::strength::run::{MUTANTS_BY, Outcome};
use crate::pipeline::strength::work::{ApplicationOf, StrengthOptions, WithSlices, Work};
use mastor_config::{ServiceSettings, Settings, StrengthSetting};
use mastor_extract::Analysis;
use mastor_probe::service::{Instance, Place, port};
use mastor_publish::exports::junit;
use mastor_publish::json::{Envelope, to_text};
use mastor_publish::{Export, Exported, InJvm};
use mastor_strength::strength as counted;
use mastor_suite::{OUT_DIR, Suite};
use mastor_types::OpId;
use mastor_types::account::Accounts;
use mastor_types::error::{Exit, Failure};
use mastor_types::results::plan::Since;
use mastor_types::results::strength::{Measured, Strength};

/// Measures the committed suite of each service, and writes `strength.json` to the repository's `.mastor/out`.
///
/// # Errors
/// Exit 2 for a damaged suite, or where there is no JDK, no Maven or no main class; exit 3 without a suite, or where
/// there is nothing to mutate; exit 4 where the application does not build or start.
pub fn strength(
    workspace: &Workspace,
    head: &Head,
    options: &StrengthOptions,
) -> Result<Vec<(String, Strength)>, Failure> {
    let mut done = Vec::new();
    for settings in workspace.services(&head.tree)? {
        let suite = Suite::load(&head.tree, &settings.dir);
        if let Some(problem) = suite.problems.first() {
            return Err(Failure::new(Exit::Usage, problem.to_string()).hint("restore it with `git checkout`"));
        }
        if suite.oracle_count() > 0 {
            done.push((settings.name.clone(), of_service(workspace, head, &settings, &suite, options)?));
        }
    }
    if done.is_empty() {
        return Err(Failure::new(Exit::Nothing, "no suite is committed").hint("`mastor generate --all` makes one"));
    }
    write(workspace, &done)?;
    Ok(done)
}

fn of_service(
    workspace: &Workspace,
    head: &Head,
    settings: &Settings,
    suite: &Suite,
    options: &StrengthOptions,
) -> Result<Strength, Failure> {
    match &options.since {
        None => {
            let analysis = analyse(workspace, settings, &head.tree)?;
            let strength = of_revision(workspace, settings, suite, &analysis, None, options)?;
            Ok(Strength { head: head.whole_id(), ..strength })
        }
        Some(since) => {
            let base = workspace.base(Some(since), head)?;
            let comparison = compare(workspace, settings, &base, head)?;
            of_change(workspace, settings, (&base, head), &comparison, suite, options)
        }
    }
}

/// Measures the members that a change touches.
fn of_change(
    workspace: &Workspace,
    settings: &Settings,
    (base, head): (&BaseRevision, &Head),
    comparison: &Comparison,
    suite: &Suite,
    options: &StrengthOptions,
) -> Result<Strength, Failure> {
    let strength = of_revision(workspace, settings, suite, &comparison.head, Some(changed(comparison)), options)?;
    Ok(Strength { head: head.whole_id(), since: Some(base.commit.id.to_string()), ..strength })
}

fn of_revision(
    workspace: &Workspace,
    settings: &Settings,
    suite: &Suite,
    analysis: &Analysis,
    lines: Option<Vec<Lines>>,
    options: &StrengthOptions,
) -> Result<Strength, Failure> {
    let of: BTreeSet<OpId> = suite.operations.keys().cloned().collect();
    let places = Places::of(analysis, Some(&of));
    let strength = if lines.as_ref().is_some_and(Vec::is_empty) {
        workspace
            .events
            .said("no member that an operation of the suite reaches has changed: there is nothing to mutate");
        let tests = BTreeMap::new();
        counted(&[], &Named { places: &places, tree: &analysis.surface.tree, tests: &tests })
    } else if options.fast {
        approximate(workspace, settings, analysis, suite, (&places, lines.as_deref()))?
    } else {
        let lines = lines.as_deref();
        Measuring { workspace, settings, suite, analysis, places: &places, lines, options }.strength()?
    };
    let mutants_by = if options.fast { OWN } else { MUTANTS_BY };
    Ok(Strength { mutants_by: mutants_by.to_owned(), approximate: options.fast, ..strength })
}

/// Measures a change for `ci`, as the settings say; a failure is reported, and does not end the run.
pub(in crate::pipeline) fn for_ci(
    workspace: &Workspace,
    settings: &Settings,
    between: (&BaseRevision, &Head),
    comparison: &Comparison,
) -> Option<Strength> {
    if settings.strength == StrengthSetting::Off {
        return None;
    }
    let suite = Suite::load(&between.1.tree, &settings.dir);
    if suite.oracle_count() == 0 {
        return None;
    }
    let fast = settings.strength == StrengthSetting::Fast;
    let measured = of_change(workspace, settings, between, comparison, &suite, &StrengthOptions::in_ci(fast));
    measured.map_err(|failure| workspace.events.said(format!("the strength was not measured: {failure}"))).ok()
}

/// Writes `strength.json` to the repository's `.mastor/out`.
pub(in crate::pipeline) fn write(workspace: &Workspace, done: &[(String, Strength)]) -> Result<(), Failure> {
    let out = workspace.root.join(OUT_DIR);
    out_folder(&out)?;
    let fields = done.iter().map(|(name, strength)| (name.clone(), strength.without_times())).collect();
    let text = to_text(&Envelope::new("strength", fields));
    mastor_store::write(&out.join("strength.json"), text.as_bytes()).map_err(unwritable)
}

/// The last measurement, if it was of this very change.
pub fn measured(workspace: &Workspace, name: &str, since: &Since) -> Option<Measured> {
    let found = last_measured(workspace, name)?;
    let same = found.head.is_some() && found.head == since.head_sha && found.since.as_ref() == Some(&since.merge_base);
    same.then_some(Measured { approximate: found.approximate, totals: found.totals, operations: found.operations })
}

/// The last measurement of a service, whatever its revision.
pub fn last_measured(workspace: &Workspace, name: &str) -> Option<Strength> {
    let text = fs_err::read_to_string(workspace.root.join(OUT_DIR).join("strength.json")).ok()?;
    match serde_json::from_str::<Envelope<Strength>>(&text).ok()? {
        Envelope::One { fields, .. } => Some(fields),
        Envelope::Many { services, .. } => services.into_iter().find(|one| one.name == name).map(|one| one.fields),
    }
}

/// The input of a measurement: a suite on one revision of a service.
#[derive(Clone, Copy)]
struct Measuring<'m> {
    workspace: &'m Workspace,
    settings: &'m Settings,
    suite: &'m Suite,
    analysis: &'m Analysis,
    places: &'m Places,
    lines: Option<&'m [Lines]>,
    options: &'m StrengthOptions,
}

impl<'m> Measuring<'m> {
    /// Measures the suite on the application, on slices, or on both.
    fn strength(&self) -> Result<Strength, Failure> {
        let outcome = match self.options.slices {
            WithSlices::Off => self.on_application()?,
            WithSlices::Only => self.in_slices()?,
            WithSlices::On => self.on_application()?.with(self.in_slices()?),
            WithSlices::Auto => match self.on_application() {
                Err(failure) if matches!(failure.exit, Exit::NotReady | Exit::Nothing) => {
                    let why = format!("slices are measured in place of the application: {}", failure.message);
                    self.workspace.events.said(why);
                    let and = |other: Failure| failure.hint(format!("nor are there slices: {}", other.message));
                    self.in_slices().map_err(and)?
                }
                measured => measured?,
            },
        };
        let named = Named { places: self.places, tree: &self.analysis.surface.tree, tests: &outcome.known };
        let mut strength = counted(&outcome.mutants, &named);
        strength.totals.generated = outcome.generated;
        strength.branches = outcome.branches;
        strength.tests = outcome.tests;
        strength.alone = outcome.alone;
        strength.not_run = outcome.not_run;
        strength.seconds = Some((outcome.seconds * 10.0).round() / 10.0);
        Ok(strength)
    }

    /// Runs mutants against the suite's exported tests, which start the real application.
    fn on_application(&self) -> Result<Outcome, Failure> {
        let Self { workspace, settings, suite, analysis, options, .. } = *self;
        let launch = launches(&analysis.surface, &settings.dir, "").into_iter().next();
        let jvm = in_jvm(&analysis.surface, settings);
        let accounts = accounts(workspace, settings);
        let exported = self.exported(suite, (&jvm, &accounts))?;
        if exported.tests.is_empty() {
            return Err(Failure::new(Exit::Nothing, "no oracle of the suite can be run on it")
                .hint("`mastor generate` confirms what is only assumed, on the service or in slices"));
        }
        let own = settings.service.clone().or_else(|| settings.switched_off.clone());
        let mut spec = own.unwrap_or_else(|| unconfigured(launch.as_ref()));
        let main = options.main.clone().or_else(|| jvm.main.clone()).ok_or_else(|| {
            Failure::new(Exit::Usage, "no main class was found").hint("name it: `--main com.acme.Application`")
        })?;
        spec.env.insert("MASTOR_MAIN".to_owned(), main);
        let place = on_work_tree(workspace, settings)?;
        if jvm.env.values().any(|value| value.contains("{port}")) {
            let port = port::choose(&spec, Instance::Head)
                .map_err(crate::pipeline::service::revisions::service_failure)?
                .to_string();
            for (name, value) in &jvm.env {
                spec.env.insert(name.clone(), value.replace("{port}", &port));
            }
            spec.env.insert("MASTOR_PORT".to_owned(), port);
        }
        if let Some(service) = &settings.service {
            let users = users(workspace, service)?;
            for (name, variables) in &exported.users {
                let values = users.settings(name);
                let known =
                    variables.iter().filter_map(|(says, variable)| Some((variable.clone(), values.get(says)?.clone())));
                spec.env.extend(known);
            }
        }
        let application = match &options.class_path {
            Some(given) => ApplicationOf::Built(split(given)),
            None => ApplicationOf::Launch(Box::new(launch)),
        };
        to_the_end(workspace, self.work((spec, place), exported, (jvm, application))?.measure(&analysis.surface.tree))
    }

    /// Runs mutants against the oracles that hold in slices: tests start the harness of each application that serves
    /// operations.
    fn in_slices(&self) -> Result<Outcome, Failure> {
        let Self { workspace, settings, suite, analysis, options, .. } = *self;
        let place = on_work_tree(workspace, settings)?;
        let given = (options.main.as_deref(), options.class_path.as_ref());
        to_the_end(workspace, async {
            let of = (place, &analysis.surface, suite);
            let (harnesses, left_out) = harnesses((workspace, settings), of, given).await?;
            let mut all = Outcome::default();
            all.tests.left_out = left_out;
            for (number, harness) in harnesses.into_iter().enumerate() {
                let Harness { spec, place, class_path, jvm, operations } = harness;
                let held = Suite { operations, ..Suite::default() };
                let exported = self.exported(&held, (&jvm, &Accounts::new()))?;
                let work = self.work((spec, place), exported, (jvm, ApplicationOf::Built(class_path)))?;
                let outcome = work.measure(&analysis.surface.tree).await?;
                all = all.with(outcome.named(&format!("slices {}: ", number + 1)));
            }
            Ok(all)
        })
    }

    /// A suite as exported tests.
    fn exported(&self, suite: &Suite, (jvm, accounts): (&InJvm, &Accounts)) -> Result<Exported, Failure> {
        let export = Export { in_jvm: Some(jvm), accounts, ..Export::of(&self.settings.name, "", suite) };
        junit::junit(&export).map_err(|error| Failure::new(Exit::Internal, error.to_string()))
    }

    fn work(
        &self,
        (spec, place): (ServiceSettings, Place),
        exported: Exported,
        (jvm, application): (InJvm, ApplicationOf),
    ) -> Result<Work<'m>, Failure> {
        let Self { workspace, settings, places, lines, options, .. } = *self;
        let dir = cache_folder(&workspace.service_dir(settings))?.join("strength");
        let bench = Bench { spec, place, dir, events: &workspace.events };
        Ok(Work { bench, exported, jvm, application, places, lines, options })
    }
}
