//! Known character sequences: the state of builders, and the text of strings and builders.

use crate::interpret::engine::machine::Machine;
use crate::interpret::values::scalar::Scalar;
use crate::interpret::values::value::{Contents, Heap, Native, Value};

/// A builder with a known text.
#[derive(Debug, Clone, Default)]
pub struct Builder {
    /// The text.
    pub text: String,
}

impl Native for Builder {
    native_state!(leaf);

    fn contents(&self, _heap: &Heap) -> Option<Contents> {
        Some(Contents::Builder(self.text.clone()))
    }
}

/// The known text of a string or builder.
pub fn sequence(machine: &mut Machine<'_>, value: &Value) -> Option<String> {
    match value {
        Value::Scalar(Scalar::Str(text)) => Some(text.text.to_string()),
        Value::Ref(id) => machine.native::<Builder>(*id).map(|builder| builder.text.clone()),
        _ => None,
    }
}
