//! Swagger Inflector: its checks before a handler that a document dispatches to.

use serde_json::Value as Json;

use super::serve::Server;
use crate::request::signature::Slot;
use mastor_frameworks::record::Serving;
use mastor_java::interpret::engine::machine::{Eval, Machine};
use mastor_java::interpret::library::frameworks::inflector;
use mastor_java::interpret::paths::condition::Defect;
use mastor_java::interpret::values::term::InputPlace;
use mastor_java::interpret::values::value::{Type, Value};

impl Server<'_> {
    /// Whether Inflector dispatches to the handler.
    pub fn is_dispatched(&self) -> bool {
        self.bench.subject.endpoint.framework.serving == Serving::Document
    }

    /// Refuses a text that the document's schema does not allow.
    pub fn allow(&self, machine: &mut Machine<'_>, slot: &Slot, text: &str) -> Eval<()> {
        let schema = self.bench.surroundings.dispatched.as_ref().and_then(|dispatched| dispatched.schema(slot));
        let Some(schema) = schema.filter(|_| self.is_dispatched()) else { return Ok(()) };
        let is_listed = |values: &[Json]| values.iter().any(|value| value.as_str() == Some(text));
        if slot.ty == Type::Str && !schema.values.is_empty() && !is_listed(&schema.values) {
            let defect = Defect::NotA("".into());
            return Err(self.refuse(machine, slot, &defect));
        }
        let bounded = schema.minimum.is_some()
            || schema.maximum.is_some()
            || schema.min_length.is_some()
            || schema.max_length.is_some()
            || !schema.patterns.is_empty();
        if bounded {
            machine.doubt(&format!("how the document bounds {} is not modelled", slot.input.name));
        }
        Ok(())
    }

    /// The request object that Inflector passes to the handler.
    pub fn request_context(&self, machine: &mut Machine<'_>, fqn: &str) -> Value {
        let headers = self.case.map(|case| {
            let of = case.params.iter().filter(|(input, _)| input.place == InputPlace::Header);
            of.map(|(input, text)| (input.name.to_lowercase(), text.clone())).collect()
        });
        inflector::request(machine, fqn, headers)
    }
}
