//! The implementations that MapStruct generates, as Java source.

use super::mapper::Mapper;
use super::writer::implementation;
use crate::routing::Inputs;
use mastor_java::build::origin::Origin;
use mastor_java::ir::facts::TypeKind;
use mastor_java::ir::ids::TypeId;
use mastor_java::ir::named::Named;
use mastor_java::project::made::GeneratedSource;
use mastor_java::types::typing::Types;
use mastor_types::Warning;

/// Full name of the annotation.
const MAPPER: &str = "org.mapstruct.Mapper";

/// The implementations of all mappers, without methods whose mapping is not followed.
pub fn made(inputs: &Inputs<'_>) -> (Vec<GeneratedSource>, Vec<Warning>) {
    let project = inputs.project;
    let types = Types::new(project);
    let by_default = inputs.resources.iter().any(|(path, text)| {
        let name = path.rsplit('/').next().unwrap_or(path);
        (name == "pom.xml" || name.contains(".gradle")) && text.contains("mapstruct.defaultComponentModel=spring")
    });
    let (mut found, mut warnings) = (Vec::new(), Vec::new());
    for ty in project.types().filter(|ty| is_mapper(inputs, *ty)) {
        let mapper = match Mapper::read(project, ty, by_default) {
            Ok(mapper) => mapper,
            Err(why) => {
                let message = format!("how {} is implemented is not followed: {why}", project.fqn(ty));
                warnings.push(Warning::new("mapper-open", message, Some(project.path_of(ty))));
                continue;
            }
        };
        if project.by_fqn(&mapper.made_name(project)).is_some() {
            continue;
        }
        let (text, left_out) = implementation(&types, &mapper);
        for (method, why) in left_out {
            let message = format!("what {}.{method} maps is not followed: {why}", project.ty(ty).name);
            warnings.push(Warning::new("mapper-open", message, Some(project.path_of(ty))));
        }
        let facts = project.ty(ty);
        let origin = Origin {
            symbol: project.fqn(ty).to_owned(),
            tokens: facts.header,
            file: project.path_of(ty).to_owned(),
            line: facts.name_span.line,
        };
        if text.is_empty() {
            continue;
        }
        found.push(GeneratedSource { path: path(inputs, ty, &mapper), text, origin });
    }
    (found, warnings)
}

fn is_mapper(inputs: &Inputs<'_>, ty: TypeId) -> bool {
    let facts = inputs.project.ty(ty);
    let is_named = |named: Named| matches!(&named, Named::Library(name) | Named::Unknown(name) if name == MAPPER);
    matches!(facts.kind, TypeKind::Interface | TypeKind::Class)
        && facts
            .annotations
            .iter()
            .any(|one| one.simple() == "Mapper" && is_named(inputs.project.resolve(ty, &one.name)))
}

fn path(inputs: &Inputs<'_>, ty: TypeId, mapper: &Mapper) -> String {
    let project = inputs.project;
    let module = inputs.build.module_of(project.path_of(ty));
    let folder = module.map(|module| module.dir.clone()).filter(|dir| !dir.is_empty()).map(|dir| format!("{dir}/"));
    let out = match module.is_some_and(|module| module.path.ends_with(".xml")) {
        true => "target/generated-sources/annotations",
        false => "build/generated/sources/annotationProcessor/java/main",
    };
    format!("{}{out}/{}.java", folder.unwrap_or_default(), mapper.made_name(project).replace('.', "/"))
}
