//! The style of a generator: what its release and options decide about the generated classes.

use std::collections::BTreeMap;

use super::names::camel;
use crate::files::build::{Build, Generator};

/// Options with effects on generated code that are not modelled.
const NOT_FOLLOWED: &[&str] = &[
    "templateDirectory",
    "templateResourcePath",
    "additionalModelTypeAnnotations",
    "modelsToGenerate",
    "schemaMappings",
    "nameMappings",
    "modelNameMappings",
    "parameterNameMappings",
    "inlineSchemaNameMappings",
    "inlineSchemaOptions",
    "openapiNormalizer",
    "enumNameMappings",
    "enumPropertyNaming",
    "reservedWordsMappings",
    "schemaLocation",
    "configurationFile",
];

/// Boolean options whose `true` value is not modelled.
const SWITCHES: &[&str] = &["useOptional", "hateoas", "generateAliasAsModel", "withXml", "legacyDiscriminatorBehavior"];

/// How one generator writes classes.
#[derive(Debug, Clone)]
pub struct Style {
    /// Release of the generator.
    pub version: (u32, u32),
    /// `javax` or `jakarta`.
    pub ee: &'static str,
    /// Package of the models.
    pub model_package: String,
    /// Package of the interfaces.
    pub api_package: String,
    /// Suffix of interface names, after the tag.
    pub api_suffix: String,
    /// Whether values are constrained by annotations.
    pub validates: bool,
    /// Whether nullable values are wrapped.
    pub wraps_null: bool,
    /// Whether absent containers start as null.
    pub null_containers: bool,
    /// Whether only interfaces are made, for a project's controllers to implement.
    pub interfaces: bool,
    /// Whether their methods have a default answer for missing implementations.
    pub answers: bool,
    /// Whether interfaces are grouped by tag, not by the first part of the path.
    pub by_tag: bool,
    /// Whether the framework itself validates parameters.
    pub built_in_validation: bool,
    /// Classes for dates and for date-times.
    pub dates: Option<(&'static str, &'static str)>,
    /// Full names that replace generated type names.
    mapped: BTreeMap<String, String>,
    prefix: String,
    suffix: String,
}

impl Style {
    /// The style of a Spring generator; the error names the option that is not followed.
    pub fn of(build: &Build, generator: &Generator) -> Result<Self, String> {
        if generator.generator != "spring" {
            return Err(format!("the generator {} is not followed", generator.generator));
        }
        let near = &generator.build_file;
        let version = ["openapi-generator", "openapi.generator"].iter().find_map(|name| build.version(near, name));
        let version = version.filter(|version| *version >= (5, 0)).ok_or("the generator's release is not followed")?;
        let options = &generator.options;
        if let Some(name) = NOT_FOLLOWED.iter().find(|name| options.contains_key(**name)) {
            return Err(format!("its option {name} is not followed"));
        }
        if let Some(name) = SWITCHES.iter().find(|name| generator.flag(name)) {
            return Err(format!("its option {name} is not followed"));
        }
        let is_off = |name: &str| options.get(name).is_some_and(|value| value == "false");
        if options.get("serializationLibrary").is_some_and(|name| name != "jackson") || is_off("generateModels") {
            return Err("its models are not made, or not for Jackson".to_owned());
        }
        let library = options.get("library").map_or("spring-boot", String::as_str);
        let mapped = mapped(options)?;
        let jakarta =
            generator.flag("useJakartaEe") || generator.flag("useSpringBoot3") || generator.flag("useSpringBoot4");
        let dates = match options.get("dateLibrary").map_or("java8", String::as_str) {
            "java8" => Some(("java.time.LocalDate", "java.time.OffsetDateTime")),
            "java8-localdatetime" => Some(("java.time.LocalDate", "java.time.LocalDateTime")),
            "legacy" => Some(("java.util.Date", "java.util.Date")),
            _ => None,
        };
        let or = |name: &String, default: &str| if name.is_empty() { default.to_owned() } else { name.clone() };
        Ok(Self {
            version,
            ee: if jakarta || version >= (8, 0) { "jakarta" } else { "javax" },
            model_package: or(&generator.model_package, "org.openapitools.model"),
            api_package: or(&generator.api_package, "org.openapitools.api"),
            api_suffix: generator.api_suffix.clone(),
            validates: !is_off("useBeanValidation"),
            wraps_null: !is_off("openApiNullable"),
            null_containers: generator.flag("containerDefaultToNull"),
            interfaces: library == "spring-boot"
                && generator.flag("interfaceOnly")
                && !generator.flag("reactive")
                && !generator.flag("delegatePattern")
                && !generator.flag("useRequestMappingOnInterface")
                && !generator.flag("implicitHeaders")
                && !is_off("sortParamsByRequiredFlag")
                && !is_off("generateApis"),
            answers: !["skipDefaultInterface", "returnSuccessCode", "async", "unhandledException"]
                .iter()
                .any(|name| generator.flag(name))
                && !is_off("java8")
                && !options.contains_key("responseWrapper"),
            by_tag: generator.flag("useTags"),
            built_in_validation: generator.flag("useSpringBuiltInValidation"),
            dates,
            mapped,
            prefix: generator.model_prefix.clone(),
            suffix: generator.model_suffix.clone(),
        })
    }

    /// The class name of a schema.
    pub fn class(&self, schema: &str) -> String {
        camel(&format!("{}_{schema}_{}", self.prefix, self.suffix), true)
    }

    /// The type that the build configures in place of a generated one.
    pub fn mapped(&self, name: &str) -> Option<&str> {
        self.mapped.get(name).map(String::as_str)
    }

    /// Whether a list or map without a default in the document is created empty; otherwise it is null. `None` if the
    /// release's behaviour is not known.
    pub fn container(&self, required: bool, is_map: bool) -> Option<bool> {
        if required {
            return Some(true);
        }
        if self.null_containers {
            return Some(false);
        }
        match self.version {
            version if version < (6, 0) => Some(false),
            version if version < (6, 6) => None,
            version if version < (7, 5) => Some(is_map),
            _ => Some(true),
        }
    }
}

/// `typeMappings` and `importMappings`, as far as they change types of models.
fn mapped(options: &BTreeMap<String, String>) -> Result<BTreeMap<String, String>, String> {
    let pairs = |name: &str| -> Result<BTreeMap<String, String>, String> {
        let Some(text) = options.get(name) else { return Ok(BTreeMap::new()) };
        let pair = |part: &str| {
            let (from, to) = part.split_once('=')?;
            Some((from.trim().to_owned(), to.trim().to_owned()))
        };
        let read: Option<BTreeMap<String, String>> = text.split(',').map(pair).collect();
        read.filter(|read| !read.is_empty()).ok_or_else(|| format!("its option {name} cannot be read"))
    };
    let (types, imports) = (pairs("typeMappings")?, pairs("importMappings")?);
    let mut all: BTreeMap<String, String> =
        types.iter().map(|(from, to)| (from.clone(), imports.get(to).unwrap_or(to).clone())).collect();
    all.extend(imports.into_iter().filter(|(from, _)| from != "Nullable"));
    Ok(all)
}
