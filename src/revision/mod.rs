//! A revision: a tree of files at a commit or in the work tree.
