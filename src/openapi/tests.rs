//! What the reader makes of small documents.
