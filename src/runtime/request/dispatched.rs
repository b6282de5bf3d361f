//! Operations that Swagger Inflector dispatches: their settings and parameter schemas from the document.

use super::signature::Slot;
use crate::subject::Subject;
use mastor_frameworks::Location;
use mastor_frameworks::openapi_driven::settings::{self, Settings, is_inflector};
use mastor_openapi::In;
use mastor_openapi::schema::Schema;

/// The exception for a refused request.
pub const REFUSED: &str = "io.swagger.oas.inflector.utils.ApiException";

/// How Inflector dispatches requests to an operation: by its settings and the parameters in the document.
#[derive(Debug, Clone)]
pub struct Dispatched {
    settings: Settings,
    /// Parameters with their location and schema.
    params: Vec<(In, String, Schema)>,
}

impl Dispatched {
    /// Reads the document and the settings of Inflector for an operation.
    ///
    /// # Errors
    /// The reason why the dispatch is not modelled.
    pub fn of(subject: &Subject<'_>) -> Result<Self, String> {
        let endpoint = subject.endpoint;
        if !subject.build.uses_near(&endpoint.file, "swagger-inflector") {
            return Err(format!("how {} answers is not modelled", endpoint.framework));
        }
        let text = |path: &String| {
            let bytes = subject.files.read(path).ok()?;
            String::from_utf8(bytes.to_vec()).ok()
        };
        let file = endpoint.rests_on_files.iter().find(|path| is_inflector(path));
        let settings = file.and_then(text).and_then(|text| settings::read(&text));
        let settings = settings.ok_or("the settings of Inflector are not known")?;
        if let Some(odd) = &settings.odd {
            return Err(format!("{odd} of Inflector is not followed"));
        }
        let path = endpoint.rests_on_files.first().ok_or("the document is not known")?;
        let document = mastor_openapi::read(subject.files, path).map_err(|_| "the document is not read".to_owned())?;
        let operation = endpoint.made_from.as_deref().and_then(|name| document.operation(name));
        let operation = operation.ok_or("the document does not have the operation")?;
        let json = |name: &str| name.contains("json") || name == "*/*";
        if operation.request_body.as_ref().is_some_and(|body| !body.content.iter().any(|media| json(&media.name))) {
            return Err("a body that is no JSON is dispatched".to_owned());
        }
        let params = operation.parameters.iter();
        let params =
            params.map(|param| (param.location, param.name.clone(), document.resolve(&param.schema))).collect();
        Ok(Self { settings, params })
    }

    /// The schema of a parameter.
    pub fn schema(&self, slot: &Slot) -> Option<&Schema> {
        let location = match slot.location {
            Location::Path => In::Path,
            Location::Query => In::Query,
            Location::Header => In::Header,
            _ => return None,
        };
        let named = |own: &&(In, String, Schema)| own.0 == location && *own.1 == *slot.input.name;
        self.params.iter().find(named).map(|(_, _, schema)| schema)
    }

    /// The status of a refused request.
    pub fn invalid(&self) -> u16 {
        self.settings.invalid
    }
}
