//! Templates: the gateway to minijinja. Undefined variables and unescaped values are errors.
//!
//! Comes in: the name of a template, and its data. Goes out: text, escaped for its form. Never here: the text of a
//! form.
//!
//! The file extension decides how a bare `{{ value }}` is printed. In `.md` it is escaped as Markdown text, in `.xml`
//! as XML. In `.txt` control characters are removed, and in `.prompt` all but line ends and tabs. In `.html` text is
//! escaped, and characters that move or hide text are made visible. In `.java` and `.js` a text without a filter is an
//! error. Parts (`.css`, and scripts below `html/`) are not templates: they are inserted unchanged.
//!
//! Users can replace the templates of exports: see [`Templates::with`].

pub mod escape;
mod templates;

pub use templates::{TemplateError, Templates, render, replaceable};
