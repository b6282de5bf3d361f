//! The JSON Schemas of all published objects, by name.

use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::Value;

use super::json::{Envelope, Operations, ReportObject, to_value};
use mastor_suite::format::{SequenceFile, SuiteFile};
use mastor_suite::proposal::ProposalFile;
use mastor_types::results::audit::Audited;
use mastor_types::results::check::CheckFields;
use mastor_types::results::plan::Plan;
use mastor_types::results::report::{Generated, Why};
use mastor_types::results::slices::SliceFields;
use mastor_types::results::strength::Strength;
use mastor_types::suite::oracle::Oracle;
use mastor_types::suite::sequence::Sequence;
use mastor_types::suite::source_context::SourceContext;

/// Generates a schema.
type Make = fn() -> Value;

/// All schemas: name, description and generator, in the order of `mastor schema`.
const SCHEMAS: &[(&str, &str, Make)] = &[
    ("source-context", "what the source says of one operation", of::<SourceContext>),
    ("oracle", "a single-operation oracle", of::<Oracle>),
    ("sequence", "a multi-operation oracle", of::<Sequence>),
    ("suite", "a file of .mastor/suite", of::<SuiteFile>),
    ("sequences", "a file of .mastor/suite/sequences", of::<SequenceFile>),
    ("proposals", ".mastor/out/proposed.json", of::<ProposalFile>),
    ("operations", "the object of `mastor operations --format json`", of::<Envelope<Operations>>),
    ("plan", "the object of `mastor plan --format json`", of::<Envelope<Plan>>),
    ("why", "the object of `mastor why --format json`", of::<Envelope<Why>>),
    ("generate", "the object of `mastor generate --format json`", of::<Envelope<Generated>>),
    ("check", "the object of `mastor check --format json`, and .mastor/out/check.json", of::<Envelope<CheckFields>>),
    ("audit", "the object of `mastor audit --format json`, and .mastor/out/audit.json", of::<Envelope<Audited>>),
    ("slices", "the object of `mastor slice --format json`, and .mastor/out/slices.json", of::<Envelope<SliceFields>>),
    (
        "strength",
        "the object of `mastor strength --format json`, and .mastor/out/strength.json",
        of::<Envelope<Strength>>,
    ),
    ("report", ".mastor/out/report.json, and the object of `mastor ci --format json`", of::<ReportObject>),
];

/// Names with a one-line description.
pub fn names() -> impl Iterator<Item = (&'static str, &'static str)> {
    SCHEMAS.iter().map(|(name, what, _)| (*name, *what))
}

/// The schema with this name (JSON Schema 2020-12).
pub fn schema(name: &str) -> Option<Value> {
    SCHEMAS.iter().find(|(known, ..)| *known == name).map(|(.., make)| make())
}

fn of<T: JsonSchema>() -> Value {
    to_value(&SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>())
}

#[cfg(test)]
mod tests {
    use super::super::{json, sample};
    use super::*;
    use mastor_suite::proposal::{Proposal, ProposalKind};

    fn assert_valid(name: &str, value: &Value) {
        let schema = schema(name).unwrap();
        let validator = jsonschema::draft202012::new(&schema).unwrap();
        let errors: Vec<String> = validator.iter_errors(value).map(|e| format!("{}: {e}", e.instance_path())).collect();
        assert!(errors.is_empty(), "{name}: {errors:#?}");
    }

    #[test]
    fn every_schema_is_one() {
        for (name, _) in names() {
            let schema = schema(name).unwrap();
            assert!(jsonschema::draft202012::meta::is_valid(&schema), "{name}");
        }
        assert_eq!(schema("nonsense"), None);
    }

    #[test]
    fn reports_fit_their_schema_with_one_service_and_with_two() {
        let service = sample::service("a");
        for services in [vec![service.clone()], vec![service.clone(), service.clone()]] {
            let report = sample::report(services);
            assert_valid("report", &json::report(&report, json::Times::Shown));
            let file = json::report(&report, json::Times::LeftOut);
            assert_valid("report", &file);
            assert!(!json::to_text(&file).contains("seconds"));
        }
    }

    #[test]
    fn suites_fit_their_schemas() {
        let suite = sample::suite();
        let operation = suite.operations.values().next().unwrap();
        assert_valid("source-context", &to_value(&operation.context));
        assert_valid("oracle", &to_value(&operation.oracles[0]));
        let (context, oracles) = (operation.context.clone(), operation.oracles.clone());
        assert_valid(
            "suite",
            &to_value(&SuiteFile {
                schema_version: 1,
                context,
                oracles,
                accepted: Vec::new(),
                refuted: Vec::new(),
                assumptions: Vec::new(),
            }),
        );
        let sequences = suite.sequences.values().next().unwrap().clone();
        assert_valid("sequence", &to_value(&sequences[0]));
        assert_valid("sequences", &to_value(&SequenceFile { schema_version: 1, sequences }));
        let proposal = Proposal {
            kind: ProposalKind::Expectation,
            o_id: operation.oracles[0].o_id.clone(),
            op_id: operation.context.op_id.clone(),
            before: Some(operation.oracles[0].clone()),
            after: None,
            sequence: None,
            decision: None,
            evidence: operation.context.evidence.clone(),
            reason: "the code changed".into(),
        };
        let head = mastor_types::Hash::of(b"head");
        assert_valid("proposals", &to_value(&ProposalFile { schema_version: 1, head, proposals: vec![proposal] }));
    }

    #[test]
    fn objects_of_commands_fit_their_schemas() {
        let service = sample::service("a");
        for n in 1..3 {
            let named = |n: usize| (0..n).map(|i| i.to_string());
            assert_valid(
                "plan",
                &to_value(&Envelope::new("plan", named(n).map(|name| (name, service.plan.clone())).collect())),
            );
            assert_valid(
                "why",
                &to_value(&Envelope::new("why", named(n).map(|name| (name, service.why[0].clone())).collect())),
            );
            assert_valid(
                "generate",
                &to_value(&Envelope::new("generate", named(n).map(|name| (name, service.generate.clone())).collect())),
            );
            let operations = Operations::new(vec![], service.warnings.clone());
            assert_valid(
                "operations",
                &to_value(&Envelope::new("operations", named(n).map(|name| (name, operations.clone())).collect())),
            );
        }
    }
}
