//! The global context: what influences operations without a reference from their code.
//!
//! Comes in: a project with its files and routes. Goes out: edges (of filters, advice, security, aspects, listeners,
//! factories, converters, mappers and stores), and inputs (configuration, SQL, build files and resources). Never here:
//! following an edge, or running code.

mod beans;
mod config_inputs;
mod conversions;
mod edges;
mod expressions;
mod includes;
mod input;
mod mapper_inputs;
mod mappers;
pub mod pointcuts;
mod resource_inputs;
mod sql_inputs;
mod sql_loaded;
pub mod startup;
mod stores;
mod unmarked;

pub use beans::Beans;
pub use input::{GlobalInput, ReachedCode};

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::advice::ExceptionRule;
use super::endpoint::Endpoint;
use super::files::applications::Applications;
use super::routing::Inputs;
use mastor_java::ir::ids::TypeId;
use mastor_java::objects::injection::ExtraEdges;

/// The global context of one revision.
pub struct Context {
    /// Edges that no reference in code shows.
    pub edges: ExtraEdges,
    /// The beans that the container injects.
    pub beans: Beans,
    config: config_inputs::ConfigInputs,
    sql: sql_inputs::SqlInputs,
    mappers: mapper_inputs::MapperInputs,
    resources: resource_inputs::ResourceInputs,
    startup: startup::StartupInputs,
    applications: Arc<Applications>,
}

impl Context {
    /// The global context of a revision with these endpoints and exception rules.
    pub fn of(inputs: &Inputs<'_>, endpoints: &[Endpoint], exceptions: &[ExceptionRule]) -> Self {
        let edges = || {
            let mut extra = ExtraEdges::default();
            edges::add(inputs, endpoints, exceptions, &mut extra);
            pointcuts::add(inputs, endpoints, &mut extra);
            expressions::add(inputs, &mut extra);
            stores::add(inputs, &mut extra);
            mappers::add(inputs, &mut extra);
            conversions::add(inputs, endpoints, &mut extra);
            extra
        };
        let served: Vec<TypeId> = endpoints.iter().map(|endpoint| endpoint.receiver).collect();
        let beans = || Beans::of(inputs.project, &inputs.build.applications, &served);
        let files = || (resource_inputs::ResourceInputs::of(inputs), startup::StartupInputs::of(inputs));
        let texts = || (config_inputs::ConfigInputs::of(inputs), sql_inputs::SqlInputs::of(inputs));
        let (edges, (beans, ((resources, startup), (config, sql)))) =
            rayon::join(edges, || rayon::join(beans, || rayon::join(files, texts)));
        let mappers = mapper_inputs::MapperInputs::of(inputs);
        Self { edges, beans, config, sql, mappers, resources, startup, applications: inputs.build.applications.clone() }
    }

    /// Records which inputs these literals name; before this call no literal names an input. `literals` are those that
    /// any operation reaches; `beside` are those of other code that a framework may run.
    pub fn index(&mut self, literals: &[&str], beside: &[&str]) {
        let Self { config, sql, mappers, resources, .. } = self;
        mappers.index(literals);
        rayon::join(
            || resources.index(literals),
            || rayon::join(|| sql.index(literals), || config.index(literals, beside)),
        );
    }

    /// Every input outside Java that an operation depends on, by id, without files of another application.
    pub fn inputs_for(&self, touched: &ReachedCode<'_>) -> Vec<GlobalInput> {
        let mut found = self.config.inputs_for(touched);
        found.extend(self.sql.inputs_for(touched));
        found.extend(self.mappers.inputs_for(touched));
        found.extend(self.resources.inputs_for(touched));
        found.extend(self.startup.inputs_for(touched));
        let mut reads: FxHashMap<Arc<str>, bool> = FxHashMap::default();
        found.retain(|input| match reads.get(&input.file) {
            Some(known) => *known,
            None => {
                let is_read = self.applications.reads(touched.home, &input.file);
                reads.insert(input.file.clone(), is_read);
                is_read
            }
        });
        found.sort_by(|a, b| a.id.cmp(&b.id));
        found
    }
}
