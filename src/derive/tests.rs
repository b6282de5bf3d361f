//! The bundled example, end to end: contexts, oracles, and the three changes of its branch.
