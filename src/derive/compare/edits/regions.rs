//! Regions: the smallest parts in which the bodies of a member in base and head differ. The code before and after them
//! has the same form in both, so only the regions run, from any state (mutual summaries of loops: Hawblitzel and
//! others, CADE 2013).

use std::collections::BTreeSet;
use std::rc::Rc;

use mastor_java::interpret::engine::region::{EnclosingBlock, EnclosingPart, Region, RegionCode, Variable};
use mastor_java::interpret::linking::alike::{Pairs, keeps_names, paired_parameters, read_alike};
use mastor_java::interpret::linking::code::Code;
use mastor_java::interpret::linking::form::{Forms, Token};
use mastor_java::ir::body::{BinaryOp, ExprId, ExprKind, Root, StmtId, StmtKind};
use mastor_java::project::index::Project;

/// A body and its project.
type Of<'c> = (&'c Project, &'c Code);

/// The differing parts of two bodies.
pub struct BodyDiff<'c> {
    of: [Of<'c>; 2],
    levels: [Vec<EnclosingBlock>; 2],
    middle: [RegionCode; 2],
    /// The variables of both bodies, by their slots in base and head.
    variables: Vec<([u32; 2], Variable)>,
}

impl<'c> BodyDiff<'c> {
    /// Compares the code of one member in base and head; `None` if all of it differs, or it is not understood.
    pub fn of(old: Of<'c>, new: Of<'c>) -> Option<Self> {
        let (Some(Root::Stmt(was)), Some(Root::Stmt(is))) = (old.1.body.root, new.1.body.root) else { return None };
        // An explicit constructor call runs before the body.
        let calls_first = [old.1, new.1].iter().any(|code| !code.resolved.constructor_calls.is_empty());
        if calls_first || !read_alike(old, new) {
            return None;
        }
        let forms = [Forms::of(old.0, old.1), Forms::of(new.0, new.1)];
        let pairs = paired_parameters(old.1, new.1);
        let mut narrowing = Narrowing { forms, codes: [old.1, new.1], pairs, levels: Default::default() };
        let middle = narrowing.lists([&[was], &[is]])?;
        let Narrowing { pairs, levels, forms, .. } = narrowing;
        let is_all = |at: usize| {
            let only = levels[at].iter().all(|level| level.before.is_empty() && level.around.is_none());
            let root = [was, is][at];
            only && matches!(&middle[at], RegionCode::Statements(ids) if *ids == forms[at].flat(&[root]))
        };
        let types_agree = pairs.forth.iter().all(|(a, b)| {
            let ty = |at: usize, slot: u32| [old.1, new.1][at].locals.get(slot as usize).map(|ty| forms[at].ty(ty));
            ty(0, *a) == ty(1, *b)
        });
        if is_all(0) || is_all(1) || !types_agree || !keeps_names((old.1, new.1), &pairs) {
            return None;
        }
        let used: [BTreeSet<u32>; 2] =
            [0, 1].map(|at| Region::uses([old.0, new.0][at], [old.1, new.1][at], &middle[at]));
        let variables = pairs.forth.iter().map(|(a, b)| {
            let name = old.1.resolved.locals.get(*a as usize).map_or("a variable", |variable| &variable.name);
            let is_used = used[0].contains(a) || used[1].contains(b);
            ([*a, *b], Variable { slot: *a, key: *a, name: Rc::from(name), is_used })
        });
        let variables = variables.collect();
        Some(Self { of: [old, new], levels, middle, variables })
    }

    /// The regions of base and head. With `is_exact`, variables that are set once before the regions keep their values;
    /// otherwise they have any value.
    pub fn regions(&self, is_exact: bool) -> [Region; 2] {
        [0, 1].map(|at| {
            let (project, code) = self.of[at];
            let variables: Vec<Variable> =
                self.variables.iter().map(|(slots, one)| Variable { slot: slots[at], ..one.clone() }).collect();
            Region::of(project, code, (&self.levels[at], &self.middle[at]), &variables, is_exact)
        })
    }
}

/// A part of two statements.
enum Part {
    /// A part that is not entered, and whether it is the same on both sides.
    Whole(bool),
    /// Nested statements, and their position in the statement.
    Statements([Vec<StmtId>; 2], EnclosingPart),
    /// Expressions that are evaluated for their effects.
    Expressions([Vec<ExprId>; 2]),
    /// The condition of a loop, or its collection.
    Asked(Option<ExprId>, Option<ExprId>),
}

/// Descends two bodies to the point where they differ.
struct Narrowing<'c> {
    forms: [Forms<'c>; 2],
    codes: [&'c Code; 2],
    pairs: Pairs,
    levels: [Vec<EnclosingBlock>; 2],
}

impl Narrowing<'_> {
    /// The differing part of two lists of statements.
    fn lists(&mut self, lists: [&[StmtId]; 2]) -> Option<[RegionCode; 2]> {
        let [was, is] = [0, 1].map(|at| self.forms[at].flat(lists[at]));
        let most = was.len().min(is.len());
        let mut start = 0;
        while start < most && self.agree([&was[start..=start], &is[start..=start]]) {
            start += 1;
        }
        let mut end = 0;
        while end < most - start {
            let [a, b] = [was.len() - 1 - end, is.len() - 1 - end];
            if !self.agree([&was[a..=a], &is[b..=b]]) {
                break;
            }
            end += 1;
        }
        let before = [was[..start].to_vec(), is[..start].to_vec()];
        let middle = [&was[start..was.len() - end], &is[start..is.len() - end]];
        if let ([was], [is]) = (middle[0], middle[1])
            && let Some(found) = self.within([*was, *is], &before)
        {
            return Some(found);
        }
        for (levels, before) in self.levels.iter_mut().zip(before) {
            levels.push(EnclosingBlock { before, around: None });
        }
        Some(middle.map(|ids| RegionCode::Statements(ids.to_vec())))
    }

    /// The differing part of two statements, if only one part of them differs.
    fn within(&mut self, ids: [StmtId; 2], before: &[Vec<StmtId>; 2]) -> Option<[RegionCode; 2]> {
        let mut differing = None;
        for part in self.parts(ids)? {
            if !self.part_agrees(&part) && differing.replace(part).is_some() {
                return None;
            }
        }
        match differing? {
            Part::Whole(_) => None,
            Part::Statements(lists, within) => {
                self.enter(ids, before, within);
                self.lists([&lists[0], &lists[1]])
            }
            Part::Expressions(lists) => {
                self.enter(ids, before, EnclosingPart::Header);
                Some(lists.map(RegionCode::Expressions))
            }
            Part::Asked(Some(was), Some(is)) if self.are_one_kind([was, is]) => {
                self.enter(ids, before, EnclosingPart::Header);
                Some([was, is].map(RegionCode::Value))
            }
            Part::Asked(..) => None,
        }
    }

    /// The parts of two statements of the same kind, in execution order.
    fn parts(&mut self, ids: [StmtId; 2]) -> Option<Vec<Part>> {
        let [old, new] = self.codes;
        let one = |a: &StmtId, b: &StmtId| [vec![*a], vec![*b]];
        Some(match (&old.body.stmt(ids[0]).kind, &new.body.stmt(ids[1]).kind) {
            (
                StmtKind::If { condition: was, then: a, otherwise: c },
                StmtKind::If { condition: is, then: b, otherwise: d },
            ) => {
                let mut parts = vec![
                    Part::Whole(self.exprs([&[*was], &[*is]])),
                    Part::Statements(one(a, b), EnclosingPart::Branch(true)),
                ];
                match (c, d) {
                    (Some(c), Some(d)) => parts.push(Part::Statements(one(c, d), EnclosingPart::Branch(false))),
                    (c, d) => parts.push(Part::Whole(c.is_none() && d.is_none())),
                }
                parts
            }
            (StmtKind::While { condition: was, body: a }, StmtKind::While { condition: is, body: b }) => {
                vec![Part::Asked(Some(*was), Some(*is)), Part::Statements(one(a, b), EnclosingPart::Loop)]
            }
            (
                StmtKind::For { init: a, condition: was, update: c, body: e },
                StmtKind::For { init: b, condition: is, update: d, body: f },
            ) => vec![
                Part::Statements([a.clone(), b.clone()], EnclosingPart::Header),
                Part::Asked(*was, *is),
                Part::Expressions([c.clone(), d.clone()]),
                Part::Statements(one(e, f), EnclosingPart::Loop),
            ],
            (StmtKind::ForEach { items: was, body: a, .. }, StmtKind::ForEach { items: is, body: b, .. }) => vec![
                Part::Whole(self.pairs.pair(old.slot(ids[0]), new.slot(ids[1]))),
                Part::Asked(Some(*was), Some(*is)),
                Part::Statements(one(a, b), EnclosingPart::Loop),
            ],
            (StmtKind::Try { resources: r, body: a, .. }, StmtKind::Try { resources: s, body: b, .. }) => {
                let clauses = [self.forms[0].clauses(ids[0]), self.forms[1].clauses(ids[1])];
                vec![
                    Part::Whole(r.is_empty() && s.is_empty() && self.forms_agree(clauses)),
                    Part::Statements(one(a, b), EnclosingPart::Try),
                ]
            }
            _ => return None,
        })
    }

    fn part_agrees(&mut self, part: &Part) -> bool {
        match part {
            Part::Whole(agrees) => *agrees,
            Part::Statements([was, is], _) => self.agree([was, is]),
            Part::Expressions([was, is]) => self.exprs([was, is]),
            Part::Asked(was, is) => self.exprs([was.as_slice(), is.as_slice()]),
        }
    }

    /// Whether two loop conditions may be compared. They may not if only one of them tests equality, since `i < n` and
    /// `i != n` can give the same result in all iterations.
    fn are_one_kind(&self, values: [ExprId; 2]) -> bool {
        let [was, is] = [0, 1].map(|at| {
            let kind = &self.codes[at].body.expr(values[at]).kind;
            matches!(kind, ExprKind::Binary { op: BinaryOp::Eq | BinaryOp::Ne, .. })
        });
        was == is
    }

    fn enter(&mut self, ids: [StmtId; 2], before: &[Vec<StmtId>; 2], within: EnclosingPart) {
        for at in [0, 1] {
            self.levels[at].push(EnclosingBlock { before: before[at].clone(), around: Some((ids[at], within)) });
        }
    }

    fn agree(&mut self, lists: [&[StmtId]; 2]) -> bool {
        let forms = [0, 1].map(|at| self.forms[at].statements(lists[at]));
        self.forms_agree(forms)
    }

    fn exprs(&mut self, lists: [&[ExprId]; 2]) -> bool {
        lists[0].len() == lists[1].len()
            && lists[0].iter().zip(lists[1]).all(|(was, is)| {
                let forms = [self.forms[0].expression(*was), self.forms[1].expression(*is)];
                self.forms_agree(forms)
            })
    }

    fn forms_agree(&mut self, forms: [Option<Vec<Token>>; 2]) -> bool {
        match forms {
            [Some(was), Some(is)] => self.pairs.agree(&was, &is),
            _ => false,
        }
    }
}
