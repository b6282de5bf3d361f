//! The macro for what the states of all models have alike.

/// Boilerplate of a model's state: how it is read, changed and copied; of a leaf, that it holds no values.
macro_rules! native_state {
    (leaf) => {
        native_state!();

        fn children(&self) -> Vec<crate::java::interpret::value::Value> {
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
        fn copy(&self) -> Box<dyn crate::java::interpret::value::Native> {
            Box::new(self.clone())
        }
    };
}
