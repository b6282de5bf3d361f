//! What is kept on disk: atomic files and a content-addressed cache.
