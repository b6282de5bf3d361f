//! Base and head of a service, analysed and compared; and single operations of a revision.

use mastor_frameworks::FRAMEWORKS;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::pipeline::repository::moved::with_moved_classes;
use crate::pipeline::repository::planning::{Side, key, of_sides};
use crate::pipeline::repository::relevant::is_same;
use crate::pipeline::repository::workspace::{BaseRevision, Head, Workspace, failure};
use crate::pipeline::service::live::logins;
use mastor_config::{Settings, did_you_mean};
use mastor_extract::{self as extract, Analysis, Fingerprints, Surface, SurfaceError};
use mastor_frameworks::persistence::initial::Files;
use mastor_revision::SourceTree;
use mastor_runtime as runtime;
use mastor_types::error::{Exit, Failure};
use mastor_types::results::agents::NamedEntry;
use mastor_types::results::plan::{Because, Chain, Plan, State};
use mastor_types::results::report::Why;
use mastor_types::{Hash, OpId};

/// Base and head of one service, analysed by this binary, with the plan.
#[derive(Clone)]
pub struct Comparison {
    /// The base.
    pub base: Arc<Analysis>,
    /// The head.
    pub head: Arc<Analysis>,
    /// What the change does to each operation.
    pub plan: Plan,
    /// Changed members that run in other applications of the repository.
    pub elsewhere: BTreeSet<String>,
    /// Whether classes moved, so that `base` names them as the head does. An operation that the plan calls affected may then
    /// have no changed input.
    pub has_moved_classes: bool,
}

/// Reads the operations of one revision of a service; their closures are not computed.
///
/// # Errors
/// Exit 2 where its document cannot be used.
pub fn surface(workspace: &Workspace, settings: &Settings, tree: &SourceTree) -> Result<Surface, Failure> {
    let surface = extract::surface(tree, settings, Some(&workspace.cache), &workspace.events).map_err(unusable);
    workspace.tell_of_cache();
    surface
}

fn unusable(error: SurfaceError) -> Failure {
    if let SurfaceError::Incomplete(error) = error {
        return failure(error);
    }
    Failure::new(Exit::Usage, error.to_string())
        .hint("name another with `openapi` in mastor.toml, or `openapi = false` for none")
}

/// Analyses one revision of a service with entries that a model has just named.
///
/// # Errors
/// As for [`analyse`].
pub fn analyse_with(
    workspace: &Workspace,
    settings: &Settings,
    tree: &SourceTree,
    named: &[NamedEntry],
) -> Result<Analysis, Failure> {
    let named = named.iter().map(|one| (one.op_id.clone(), one.entry.clone())).collect();
    let surface =
        extract::surface_with(tree, settings, Some(&workspace.cache), &workspace.events, (&named, FRAMEWORKS));
    Ok(analysed(workspace, settings, surface.map_err(unusable)?))
}

/// Analyses one revision of a service.
///
/// # Errors
/// Exit 2 where its document cannot be used.
pub fn analyse(workspace: &Workspace, settings: &Settings, tree: &SourceTree) -> Result<Analysis, Failure> {
    let surface = surface(workspace, settings, tree)?;
    Ok(analysed(workspace, settings, surface))
}

fn analysed(workspace: &Workspace, settings: &Settings, surface: Surface) -> Analysis {
    Analysis { users: logins(workspace, settings), ..extract::analyse(surface, &workspace.events) }
}

/// Compares base and head of a service.
///
/// # Errors
/// Exit 2 where the document of the head cannot be used. If the document of the base cannot be used, the routes of the
/// base become its operations, and a message says so.
pub fn compare(
    workspace: &Workspace,
    settings: &Settings,
    base: &BaseRevision,
    head: &Head,
) -> Result<Comparison, Failure> {
    workspace.events.started("analysing", Some(2));
    let (old, new) = if is_same(&base.tree, &head.tree) {
        let both = Arc::new(analyse(workspace, settings, &head.tree)?);
        (both.clone(), both)
    } else {
        let (old, new) =
            rayon::join(|| analyse_base(workspace, settings, &base.tree), || analyse(workspace, settings, &head.tree));
        (Arc::new(old?), Arc::new(new?))
    };
    let comparison = compare_analyses(workspace, settings, (old, new), base, head);
    workspace.events.finished(format!(
        "{} operations, {} affected",
        comparison.head.operations.len(),
        comparison.plan.count(State::Affected)
    ));
    Ok(comparison)
}

/// Plans what a change does to every operation of a service, from the fingerprints of both revisions alone: those of a
/// revision that was analysed before come from the cache.
///
/// # Errors
/// As for [`compare`].
pub fn plan(workspace: &Workspace, settings: &Settings, base: &BaseRevision, head: &Head) -> Result<Plan, Failure> {
    workspace.events.started("analysing", Some(2));
    let (of_base, of_head) = (key(settings, &base.tree), key(settings, &head.tree));
    let side = |key: Hash, tree: &SourceTree| {
        if let Some(kept) = Fingerprints::load(&workspace.cache, key) {
            workspace.events.detail(format!("{} was analysed before", tree.label()));
            return Ok(Side::Kept(kept));
        }
        let analysis = analyse(workspace, settings, tree)?;
        Fingerprints::keep(&analysis, &workspace.cache, key);
        Ok(Side::Analysed(Arc::new(analysis)))
    };
    let old = || {
        let without_document = |_| Ok(Side::Analysed(Arc::new(analyse_base(workspace, settings, &base.tree)?)));
        side(of_base, &base.tree).or_else(without_document)
    };
    let (old, new) = if of_base == of_head {
        (None, side(of_head, &head.tree)?)
    } else {
        let (old, new) = rayon::join(old, || side(of_head, &head.tree));
        (Some(old?), new?)
    };
    let plan = of_sides(settings, old.as_ref().unwrap_or(&new), &new, base, head);
    let affected = plan.count(State::Affected);
    workspace.events.finished(format!("{} operations, {affected} affected", new.operations().len()));
    // Freeing the analyses takes long: it happens in the background.
    rayon::spawn(move || drop((old, new)));
    Ok(plan)
}

/// Compares two analyses of a service. If classes moved to another package, what follows compares the base as if they had
/// been there before; the plan is that of the base as it is.
pub fn compare_analyses(
    workspace: &Workspace,
    settings: &Settings,
    (old, new): (Arc<Analysis>, Arc<Analysis>),
    base: &BaseRevision,
    head: &Head,
) -> Comparison {
    let mut plan = of_sides(settings, &Side::Analysed(old.clone()), &Side::Analysed(new.clone()), base, head);
    let elsewhere = crate::pipeline::repository::elsewhere::take(settings, &new.surface, &mut plan);
    let tree = with_moved_classes(&old.surface.project, &new.surface.project, &base.tree);
    let moved = tree.and_then(|tree| analyse_base(workspace, settings, &tree).ok()).map(Arc::new);
    let has_moved_classes = moved.is_some();
    Comparison { base: moved.unwrap_or(old), head: new, plan, elsewhere, has_moved_classes }
}

/// Analyses a base; if its document cannot be used, its routes become its operations.
///
/// # Errors
/// As for [`analyse`], without the document.
pub fn analyse_base(workspace: &Workspace, settings: &Settings, tree: &SourceTree) -> Result<Analysis, Failure> {
    analyse(workspace, settings, tree).or_else(|failure| {
        workspace.events.said(format!("the base's document is left out: {failure}"));
        let without = Settings { openapi: mastor_config::OpenApiSetting::None, ..settings.clone() };
        analyse(workspace, &without, tree)
    })
}

/// Data that all operations of a revision share.
pub fn shared(analysis: &Analysis) -> runtime::Shared<'_> {
    let surface = &analysis.surface;
    let near = surface.endpoints.first().map_or("", |endpoint| endpoint.file.as_str());
    let names = analysis.operations.iter().map(|operation| operation.op_id.clone()).collect();
    let mut shared = runtime::Shared::of(&Files {
        project: &surface.project,
        resources: &surface.resources,
        properties: &surface.properties,
        build: &surface.build,
        near,
    });
    shared.names = names;
    shared.users.clone_from(&analysis.users);
    shared.targets.clone_from(&analysis.targets);
    shared
}

impl Comparison {
    /// The same revisions with another plan.
    #[must_use]
    pub fn with_plan(&self, plan: Plan) -> Self {
        Self { plan, ..self.clone() }
    }

    /// The shared data of the operations of base and of head.
    pub fn shared(&self) -> (runtime::Shared<'_>, runtime::Shared<'_>) {
        (shared(&self.base), shared(&self.head))
    }

    /// Why an operation is affected: chains from its entry to what changed, in the order of the plan's reasons. At most
    /// `Why::CHAINS` of them are given.
    pub fn why(&self, op_id: &OpId) -> Why {
        let none = Why { op_id: op_id.clone(), chains: Vec::new(), left_out: 0 };
        let Some(planned) = self.plan.operations.iter().find(|o| o.op_id == *op_id) else { return none };
        let was = planned.was.as_ref().unwrap_or(op_id);
        let (Some(new), Some(old)) = (self.head.manifest(op_id), self.base.manifest(was)) else { return none };
        let shown =
            |input: &str| self.head.place(input).or_else(|| self.base.place(input)).unwrap_or_else(|| input.to_owned());
        let inputs: BTreeMap<String, String> =
            new.diff(old).into_iter().map(|change| (shown(&change.input), change.input)).collect();
        let chain = |because: &Because| {
            let input = inputs.get(&because.input)?;
            let path = self.head.chain(op_id, input).or_else(|| self.base.chain(was, input));
            let path = path.unwrap_or_else(|| self.head.direct(op_id, input));
            Some(Chain { changed: because.input.clone(), path })
        };
        let told: Vec<&Because> =
            planned.because.iter().filter(|because| inputs.contains_key(&because.input)).collect();
        let chains: Vec<Chain> = told.iter().take(Why::CHAINS).filter_map(|because| chain(because)).collect();
        Why { left_out: told.len() - chains.len(), chains, ..none }
    }

    /// The chains of every affected operation.
    pub fn whys(&self) -> Vec<Why> {
        self.plan.in_state(State::Affected).map(|op_id| self.why(op_id)).collect()
    }
}

/// The input of an engine for one operation of a revision; `None` if the operation has no entry.
pub fn subject<'a>(
    analysis: &'a Analysis,
    shared: &'a runtime::Shared<'a>,
    op_id: &'a OpId,
) -> Option<runtime::Subject<'a>> {
    let surface = &analysis.surface;
    Some(runtime::Subject {
        op_id,
        project: &surface.project,
        endpoint: analysis.endpoint(op_id)?,
        endpoints: &surface.endpoints,
        exceptions: &surface.exceptions,
        files: &surface.tree,
        properties: &surface.properties,
        build: &surface.build,
        document: surface.document.as_ref(),
        shared,
    })
}

/// The operation that the user means: exact, in any letter case, with other parameter names, or by a unique part of its
/// name.
///
/// # Errors
/// Exit 2 with the nearest name.
pub fn find_operation(analysis: &Analysis, asked: &str) -> Result<OpId, Failure> {
    let names: Vec<&OpId> = analysis.operations.iter().map(|o| &o.op_id).collect();
    operation_among(&names, asked)
}

/// Finds an operation among these names, as [`find_operation`] does.
///
/// # Errors
/// Exit 2 with the nearest name.
pub fn operation_among(names: &[&OpId], asked: &str) -> Result<OpId, Failure> {
    if let Some(op_id) = OpId::parse(asked) {
        let fits = |name: &&&OpId| ***name == op_id || name.erased() == op_id.erased();
        if let Some(name) = names.iter().find(|name| ***name == op_id).or_else(|| names.iter().find(fits)) {
            return Ok((*name).clone());
        }
    }
    let parts: Vec<&&OpId> =
        names.iter().filter(|name| name.as_str().to_lowercase().contains(&asked.to_lowercase())).collect();
    if let [one] = parts[..] {
        return Ok((*one).clone());
    }
    let failure = Failure::new(Exit::Usage, format!("no operation is named {asked}"));
    Err(match did_you_mean(asked, names.iter().map(|name| name.as_str())) {
        Some(near) => failure.hint(format!("did you mean `{near}`?")),
        None => failure.hint("`mastor operations` lists them"),
    })
}
