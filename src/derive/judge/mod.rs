//! Judging: compares committed expectations with the code of a revision. The input is oracles and sequences; the output
//! says whether the code meets each, breaks it or leaves it open. No new expectations are made here.

pub mod given;
pub mod known_answers;
pub mod noticed;
pub mod oracle;
pub mod sequence;
