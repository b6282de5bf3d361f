//! The plan: the state of each operation after a change, and the inputs that differ.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::manifest::Changed;
use crate::op_id::OpId;

/// What a change does to an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Base and head differ on a code path: regenerate.
    Affected,
    /// They differ only in the environment: run the suite again, regenerate nothing.
    Recheck,
    /// No difference.
    Inherited,
    /// Only in head.
    New,
    /// Only in base.
    Retired,
}

impl State {
    /// All states, in counting order.
    pub const ALL: [Self; 5] = [Self::Affected, Self::Recheck, Self::Inherited, Self::New, Self::Retired];

    /// Lower-case name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Affected => "affected",
            Self::Recheck => "recheck",
            Self::Inherited => "inherited",
            Self::New => "new",
            Self::Retired => "retired",
        }
    }
}

/// One input that differs between base and head.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Because {
    /// `file#member` or `global:…`.
    pub input: String,
    /// What happened to it.
    pub change: Changed,
}

/// One operation of the plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PlannedOperation {
    /// Its name in head, or in base where it is retired.
    pub op_id: OpId,
    /// Its name in base, where that differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was: Option<OpId>,
    /// What the change does to it.
    pub state: State,
    /// The inputs that differ.
    pub because: Vec<Because>,
}

/// The two ends of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Since {
    /// The reference as asked for.
    #[serde(rename = "ref")]
    pub reference: String,
    /// The commit compared with: the merge base of that reference and HEAD.
    pub merge_base: String,
    /// What stands as head: a commit, or `work tree`.
    pub head: String,
    /// The whole id of that commit; none for a work tree that differs from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head_sha: Option<String>,
}

/// What a change does to all operations of a service.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Plan {
    /// The ends of the comparison; absent where nothing was compared.
    pub since: Option<Since>,
    /// Every operation of base and head, sorted by name.
    pub operations: Vec<PlannedOperation>,
    /// Number of operations by state; every state is there.
    pub counts: BTreeMap<String, usize>,
    /// Operations whose lock does not fit head, sorted.
    pub stale: Vec<OpId>,
    /// Main code that differs and that no operation reaches, neither in base nor in head.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unreached: Vec<Unreached>,
}

/// A member of main code, or the head of a type, that differs and that no operation reaches.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Unreached {
    /// `file#member`.
    pub input: String,
    /// What happened to it.
    pub change: Changed,
    /// Who refers to it: what makes it run itself, then some of the members that name it; empty where nothing does.
    pub referred_by: Vec<String>,
    /// Whether something that runs beside the operations (a bean, an entry that is no operation, an initialiser, a scheduled method, a method that a
    /// library calls) leads to it, so that the change may show though no operation reaches it.
    pub from_running: bool,
}

impl Plan {
    /// A plan of these operations, sorted and counted.
    pub fn new(since: Option<Since>, mut operations: Vec<PlannedOperation>, mut stale: Vec<OpId>) -> Self {
        operations.sort_by(|a, b| a.op_id.cmp(&b.op_id));
        stale.sort();
        let counts = State::ALL
            .into_iter()
            .map(|state| (state.as_str().to_owned(), operations.iter().filter(|o| o.state == state).count()))
            .collect();
        Self { since, operations, counts, stale, unreached: Vec::new() }
    }

    /// Operations that a run has to process (all but inherited ones), sorted.
    pub fn work(&self) -> impl Iterator<Item = &OpId> {
        self.operations.iter().filter(|o| o.state != State::Inherited).map(|o| &o.op_id)
    }

    /// The plan restricted to these operations; all others count as inherited.
    #[must_use]
    pub fn only(&self, mine: &BTreeSet<OpId>) -> Self {
        let mut operations = self.operations.clone();
        for operation in operations.iter_mut().filter(|operation| !mine.contains(&operation.op_id)) {
            operation.state = State::Inherited;
        }
        self.over(operations)
    }

    /// The complement of the plan, for `mastor audit`: inherited operations become affected, and all others inherited.
    #[must_use]
    pub fn left_out(&self) -> Self {
        let mut operations = self.operations.clone();
        for operation in &mut operations {
            operation.state = if operation.state == State::Inherited { State::Affected } else { State::Inherited };
        }
        self.over(operations)
    }

    /// The same plan with other states of the operations.
    fn over(&self, operations: Vec<PlannedOperation>) -> Self {
        Self { unreached: self.unreached.clone(), ..Self::new(self.since.clone(), operations, self.stale.clone()) }
    }

    /// Whether changed code that no operation reaches is called by something else that runs (a scheduled method, an
    /// initialiser), so that the change may still have an effect.
    pub fn runs_unreached(&self) -> bool {
        self.unreached.iter().any(|one| one.from_running)
    }

    /// Names of the operations in this state, sorted.
    pub fn in_state(&self, state: State) -> impl Iterator<Item = &OpId> {
        self.operations.iter().filter(move |o| o.state == state).map(|o| &o.op_id)
    }

    /// Number of operations in this state.
    pub fn count(&self, state: State) -> usize {
        self.in_state(state).count()
    }
}

/// One step of a chain from an operation's entry to what changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Chain {
    /// The input that changed, or that was asked for.
    pub changed: String,
    /// Entry first, what changed last; each `symbol` with how it is reached from the one before.
    pub path: Vec<String>,
}
