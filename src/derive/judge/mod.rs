//! Judging: what the code of a revision says of a committed expectation. In come oracles and sequences; out goes whether the code holds to them, breaks
//! them or leaves them open. Nothing new is expected here.

pub mod given;
pub mod known_answers;
pub mod noticed;
pub mod oracle;
pub mod sequence;
