//! A user's own templates: the files of the folder that `[export] templates` names, read from a revision.

use std::collections::BTreeMap;

use mastor_config::{Settings, did_you_mean};
use mastor_revision::SourceTree;
use mastor_template::{TemplateError, Templates, replaceable};
use mastor_types::error::{Exit, Failure};

/// Own templates, by their path below that folder; empty if no folder is named.
pub type Own = BTreeMap<String, String>;

/// Reads a service's own templates from `tree`: in CI the tree of the base, whose settings name the folder.
///
/// # Errors
/// Exit 2 where the folder does not exist, a file in it cannot be read or replaces no template, or a template does not
/// parse.
pub fn own(tree: &SourceTree, settings: &Settings) -> Result<Own, Failure> {
    let Some(folder) = &settings.export_templates else { return Ok(Own::new()) };
    let mut own = Own::new();
    for entry in tree.files() {
        if let Some(name) = entry.path.strip_prefix(&format!("{folder}/")) {
            let text = tree.text(&entry.path).map_err(|error| wrong(settings, &error.to_string()))?;
            own.insert(name.to_owned(), text.text);
        }
    }
    if own.is_empty() {
        let missing = format!("there is no folder `{folder}` in {}", tree.label());
        return Err(
            wrong(settings, &missing).hint("`mastor init --templates DIR` writes the built-in templates to begin with")
        );
    }
    templates(settings, &own)?;
    Ok(own)
}

/// The built-in templates, with these in place of those that they replace.
///
/// # Errors
/// Exit 2 for one that does not parse or replaces no template.
pub fn templates(settings: &Settings, own: &Own) -> Result<Templates, Failure> {
    let folder = settings.export_templates.as_deref().unwrap_or_default();
    Templates::with(folder, own).map_err(|error| {
        let failure = failure(&error);
        let stranger = own.keys().find(|name| error.place == format!("{folder}/{name}"));
        let near = stranger.and_then(|name| did_you_mean(name, replaceable().map(|(known, _)| known)));
        match near {
            Some(near) => failure.hint(format!("did you mean `{near}`?")),
            None => failure,
        }
    })
}

/// The failure of a template that cannot be rendered: a fault of the user's own template, else an internal one.
pub fn failure(error: &TemplateError) -> Failure {
    if error.is_own {
        Failure::new(Exit::Usage, error.to_string())
            .hint("`mastor init --templates DIR` writes the built-in templates to compare with")
    } else {
        Failure::new(Exit::Internal, error.to_string())
    }
}

fn wrong(settings: &Settings, what: &str) -> Failure {
    Failure::new(Exit::Usage, format!("{}: [export] templates: {what}", settings.path))
}
