//! A project: the Java files of one revision with an index over their types, shared by all threads.

use std::sync::{Arc, Mutex, OnceLock};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::brought::FrameworkFacts;
use crate::build::layout::{Layout, Module, ModuleId};
use crate::build::origin::Origin;
use crate::files::held::SharedFile;
use crate::files::packs::Packs;
use crate::ir::facts::{FileFacts, MemberFacts, MemberKind, Modifiers, TypeFacts};
use crate::ir::ids::{FileId, MemberId, TypeId};
use crate::ir::named::{Named, Super};
use crate::models::sources::{Model, models};
use mastor_revision::{BlobId, SourceTree};
use mastor_store::Cache;
use mastor_types::{Hash, Warning};

/// One Java file of a project.
#[derive(Debug, Clone)]
pub struct ProjectFile {
    /// Path from the repository's root.
    pub path: String,
    /// Git blob id of its contents.
    pub blob: BlobId,
    /// Its declarations.
    pub facts: Arc<FileFacts>,
    /// Hash over everything that other files can see of it.
    pub outline: Hash,
    /// The module it belongs to.
    pub module: ModuleId,
    /// The origin of a file that the build generates; `None` for a file of the repository.
    pub origin: Option<Arc<Origin>>,
}

/// The Java files of one revision, indexed.
pub struct Project {
    pub(crate) tree: SourceTree,
    pub(crate) layout: Layout,
    pub(crate) files: Vec<ProjectFile>,
    pub(crate) opaque: Vec<String>,
    pub(crate) warnings: Vec<Warning>,
    pub(crate) index: Index,
    /// Number of files and types of the project itself. Those after them are library models, which only the
    /// interpreter sees.
    pub(crate) own: (u32, u32),
    pub(crate) supers: Vec<Vec<Super>>,
    pub(crate) subtypes: Vec<Vec<TypeId>>,
    /// For each type: its supertypes within the project, nearest first, computed on first use.
    pub(crate) above: Vec<OnceLock<Vec<TypeId>>>,
    pub(crate) extenders: FxHashMap<String, Vec<TypeId>>,
    /// For each file: cached meanings of simple names by imports, package and `java.lang`.
    pub(crate) imported: Vec<Mutex<FxHashMap<Box<str>, Option<Named>>>>,
    /// Lowered bodies by blob.
    pub(crate) packs: Arc<Packs>,
    /// For each file: its shared entry of parsed data.
    pub(crate) held: Vec<Arc<SharedFile>>,
    /// Facts that frameworks add and source code does not show.
    pub(crate) brought: Arc<FrameworkFacts>,
    /// Whether nothing checks constraints of Bean Validation.
    pub(crate) has_inert_constraints: bool,
}

/// Lookup tables over all files; their lists are sorted by id.
#[derive(Default)]
pub(crate) struct Index {
    /// The modules with a main class, found on first use.
    pub(crate) started: OnceLock<Vec<ModuleId>>,
    /// For each type: its file, its index in the file's facts, and its full name.
    pub(crate) types: Vec<(FileId, u32, String)>,
    /// For each file: the id of its first type.
    pub(crate) first_type: Vec<u32>,
    /// For each type: its direct inner types.
    pub(crate) inner: Vec<Vec<TypeId>>,
    pub(crate) by_fqn: FxHashMap<String, Vec<TypeId>>,
    /// Types of the library models by full name.
    pub(crate) models: FxHashMap<String, Vec<TypeId>>,
    pub(crate) by_simple: FxHashMap<String, Vec<TypeId>>,
    pub(crate) by_method: FxHashMap<String, Vec<MemberId>>,
    pub(crate) packages: FxHashMap<String, Vec<FileId>>,
}

/// Freeing the facts of all files takes long, so another thread does it.
impl Drop for Project {
    fn drop(&mut self) {
        let (files, held) = (std::mem::take(&mut self.files), std::mem::take(&mut self.held));
        rayon::spawn(|| {
            rayon::join(|| files.into_par_iter().for_each(drop), || held.into_par_iter().for_each(drop));
        });
    }
}

impl Project {
    /// The cache of the parsed files.
    pub fn cache(&self) -> Option<&Arc<Cache>> {
        self.packs.cache()
    }

    /// Sets the facts that frameworks add.
    pub fn with_brought(mut self, brought: FrameworkFacts) -> Self {
        self.brought = Arc::new(brought);
        self
    }

    /// Sets whether nothing checks constraints of Bean Validation.
    #[must_use]
    pub fn with_inert_constraints(mut self, inert: bool) -> Self {
        self.has_inert_constraints = inert;
        self
    }

    /// Whether nothing checks constraints of Bean Validation: no implementation is on the class path.
    pub fn has_inert_constraints(&self) -> bool {
        self.has_inert_constraints
    }

    /// Facts that frameworks add and source code does not show.
    pub fn brought(&self) -> &FrameworkFacts {
        &self.brought
    }

    /// All files, by path.
    pub fn files(&self) -> impl ExactSizeIterator<Item = FileId> + use<> {
        (0..self.own.0).map(FileId)
    }

    /// One file.
    pub fn file(&self, id: FileId) -> &ProjectFile {
        &self.files[id.0 as usize]
    }

    /// The file at this path.
    pub fn file_at(&self, path: &str) -> Option<FileId> {
        let own = &self.files[..self.own.0 as usize];
        own.binary_search_by(|file| file.path.as_str().cmp(path)).ok().map(|at| FileId(at as u32))
    }

    /// The text of a file, read again; `None` if it cannot be read.
    pub fn text(&self, id: FileId) -> Option<String> {
        match self.model_at(id) {
            Some(model) => Some(model.text.to_owned()),
            None => self.tree.text(&self.file(id).path).ok().map(|text| text.text),
        }
    }

    /// The tree that the project was read from.
    pub fn tree(&self) -> &SourceTree {
        &self.tree
    }

    /// All types, in the order of files and declarations.
    pub fn types(&self) -> impl ExactSizeIterator<Item = TypeId> + use<> {
        (0..self.own.1).map(TypeId)
    }

    /// All types, followed by those of the library models.
    pub(crate) fn all_types(&self) -> impl ExactSizeIterator<Item = TypeId> + use<> {
        (0..self.index.types.len() as u32).map(TypeId)
    }

    /// The model of the library type with this full name; `None` if the project declares that type itself.
    pub fn model(&self, fqn: &str) -> Option<TypeId> {
        let found = self.index.models.get(fqn)?.first().copied();
        found.filter(|_| !self.index.by_fqn.contains_key(fqn))
    }

    /// Whether a type belongs to a library model.
    pub fn is_model(&self, id: TypeId) -> bool {
        id.0 >= self.own.1
    }

    fn model_at(&self, file: FileId) -> Option<&'static Model> {
        models().get(file.0.checked_sub(self.own.0)? as usize)
    }

    /// The facts of a type.
    pub fn ty(&self, id: TypeId) -> &TypeFacts {
        let (file, place, _) = &self.index.types[id.0 as usize];
        &self.file(*file).facts.types[*place as usize]
    }

    /// The types of a file.
    pub fn types_of(&self, file: FileId) -> impl ExactSizeIterator<Item = TypeId> + use<> {
        let first = self.index.first_type[file.0 as usize];
        let count = self.file(file).facts.types.len() as u32;
        (first..first + count).map(TypeId)
    }

    /// The type at this index of a file's facts.
    pub fn type_in(&self, file: FileId, place: u32) -> TypeId {
        TypeId(self.index.first_type[file.0 as usize] + place)
    }

    /// The index of a type in its file's facts.
    pub fn place_of(&self, id: TypeId) -> u32 {
        self.index.types[id.0 as usize].1
    }

    /// One member.
    pub fn member(&self, id: MemberId) -> &MemberFacts {
        &self.ty(id.ty).members[id.index as usize]
    }

    /// The members of a type.
    pub fn members(&self, id: TypeId) -> impl ExactSizeIterator<Item = MemberId> + use<> {
        (0..self.ty(id).members.len() as u32).map(move |index| MemberId { ty: id, index })
    }

    /// The file that declares a type.
    pub fn file_of(&self, id: TypeId) -> FileId {
        self.index.types[id.0 as usize].0
    }

    /// Path of the file that declares a type.
    pub fn path_of(&self, id: TypeId) -> &str {
        &self.file(self.file_of(id)).path
    }

    /// Package of a type; empty for the unnamed one.
    pub fn package_of(&self, id: TypeId) -> &str {
        &self.file(self.file_of(id)).facts.package
    }

    /// Module of a type.
    pub fn module_of(&self, id: TypeId) -> ModuleId {
        self.file(self.file_of(id)).module
    }

    /// Full name: `com.acme.Outer.Inner`, local `com.acme.Outer.1Local`, anonymous `com.acme.Outer.1`.
    pub fn fqn(&self, id: TypeId) -> &str {
        &self.index.types[id.0 as usize].2
    }

    /// Full name of a member: `com.acme.Orders#find(String)`, fields `com.acme.Orders#limit`.
    pub fn symbol(&self, id: MemberId) -> String {
        format!("{}#{}", self.fqn(id.ty), self.member(id).signature())
    }

    /// The type with this full name; the first, if several modules declare it.
    pub fn by_fqn(&self, fqn: &str) -> Option<TypeId> {
        self.by_fqn_all(fqn).first().copied()
    }

    /// All types with this full name.
    pub fn by_fqn_all(&self, fqn: &str) -> &[TypeId] {
        self.index.by_fqn.get(fqn).map(Vec::as_slice).unwrap_or_default()
    }

    /// All types with this full name that code in `scope` can see: a library model sees only models.
    pub(super) fn seen_by(&self, scope: TypeId, fqn: &str) -> &[TypeId] {
        let from = if self.is_model(scope) { &self.index.models } else { &self.index.by_fqn };
        from.get(fqn).map(Vec::as_slice).unwrap_or_default()
    }

    /// All types with this simple name; anonymous types have none.
    pub fn by_simple(&self, name: &str) -> &[TypeId] {
        self.index.by_simple.get(name).map(Vec::as_slice).unwrap_or_default()
    }

    /// The member with this full name, as [`Project::symbol`] writes it.
    pub fn by_symbol(&self, symbol: &str) -> Option<MemberId> {
        let (fqn, signature) = symbol.split_once('#')?;
        self.by_fqn_all(fqn)
            .iter()
            .flat_map(|ty| self.members(*ty))
            .find(|member| self.member(*member).signature() == signature)
    }

    /// The one of several types with the same name that code in `scope` sees at run time. The classes of a started
    /// module come first on the class path, so the type of the only such module that depends on `scope`'s module is
    /// chosen. Else it is the type in the same file, in the same module, or in the nearest module that `scope`'s module
    /// depends on.
    pub(super) fn nearest(&self, scope: TypeId, found: &[TypeId]) -> Option<TypeId> {
        if found.len() < 2 {
            return found.first().copied();
        }
        let own = self.module_of(scope);
        let starts = |module: ModuleId| {
            module != own && self.layout.reach(module).contains(&own) && self.started().contains(&module)
        };
        let mut first = found.iter().filter(|id| starts(self.module_of(**id)));
        if let (Some(only), None) = (first.next(), first.next()) {
            return Some(*only);
        }
        let same_file = found.iter().find(|id| self.file_of(**id) == self.file_of(scope));
        let modules = std::iter::once(own).chain(self.layout.reach(own).iter().copied());
        let near = modules.into_iter().find_map(|module| found.iter().find(|id| self.module_of(**id) == module));
        same_file.or(near).or(found.first()).copied()
    }

    /// The modules with a class that a JVM can be started with.
    fn started(&self) -> &[ModuleId] {
        self.index.started.get_or_init(|| {
            let is_main = |member: &MemberFacts| {
                member.name == "main" && member.modifiers.has(Modifiers::STATIC) && member.params.len() == 1
            };
            let starts = |file: &&ProjectFile| {
                !file.path.contains("src/test/") && file.facts.types.iter().any(|ty| ty.members.iter().any(is_main))
            };
            let mut modules: Vec<ModuleId> = self.files.iter().filter(starts).map(|file| file.module).collect();
            modules.sort_unstable();
            modules.dedup();
            modules
        })
    }

    /// The type with this full name that code in `scope` sees, of several in different modules.
    pub fn seen_type(&self, scope: TypeId, fqn: &str) -> Option<TypeId> {
        self.nearest(scope, self.by_fqn_all(fqn))
    }

    /// The member with this full name, resolved through the class that code in `scope` sees.
    pub fn seen_member(&self, scope: TypeId, symbol: &str) -> Option<MemberId> {
        let (fqn, signature) = symbol.split_once('#')?;
        let ty = self.seen_type(scope, fqn)?;
        self.members(ty).find(|member| self.member(*member).signature() == signature)
    }

    /// The enclosing type of a nested, local or anonymous type.
    pub fn outer(&self, id: TypeId) -> Option<TypeId> {
        self.ty(id).outer.map(|place| self.type_in(self.file_of(id), place))
    }

    /// The name of a type for readers; an anonymous class has that of the class around it.
    pub fn shown_name(&self, id: TypeId) -> &str {
        let mut ty = id;
        while let (true, Some(outer)) = (self.ty(ty).name.is_empty(), self.outer(ty)) {
            ty = outer;
        }
        &self.ty(ty).name
    }

    /// The direct inner types of a type: nested, local and anonymous.
    pub fn inner(&self, id: TypeId) -> &[TypeId] {
        &self.index.inner[id.0 as usize]
    }

    /// The member whose body contains a local or anonymous type.
    pub fn within(&self, id: TypeId) -> Option<MemberId> {
        Some(MemberId { ty: self.outer(id)?, index: self.ty(id).within? })
    }

    /// The files of a package.
    pub fn package(&self, name: &str) -> &[FileId] {
        self.index.packages.get(name).map(Vec::as_slice).unwrap_or_default()
    }

    /// The record component, field, constant or annotation element with this name that the type itself declares.
    pub fn own_field(&self, id: TypeId, name: &str) -> Option<MemberId> {
        self.members(id).find(|member| {
            let member = self.member(*member);
            member.name == name
                && matches!(member.kind, MemberKind::Field | MemberKind::EnumConstant | MemberKind::RecordComponent)
        })
    }

    /// The modules of the repository.
    pub fn modules(&self) -> &[Module] {
        self.layout.modules()
    }

    /// The layout of the repository.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Main sources in other JVM languages, by path; their contents are unknown.
    pub fn opaque(&self) -> &[String] {
        &self.opaque
    }

    /// Files that were read only in part or not at all.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}
