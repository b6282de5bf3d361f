//! The macro for the methods that all models' states have in common.

/// Implements the common methods of a model's state: access, mutation and copying; with `leaf`, also that it contains
/// no values.
macro_rules! native_state {
    (leaf) => {
        native_state!();

        fn children(&self) -> Vec<crate::interpret::values::value::Value> {
            Vec::new()
        }
    };
    () => {
        fn as_any(&self) -> &dyn std::any::Any {
            self
        }
        fn as_any_mut(&mut self) -> &mut dyn std::any::Any {
            self
        }
        fn copy(&self) -> Box<dyn crate::interpret::values::value::Native> {
            Box::new(self.clone())
        }
    };
}
