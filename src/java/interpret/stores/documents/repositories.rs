//! Repositories of documents, as far as they differ from repositories of rows.

use crate::interpret::classes::objects::has;
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::support::{Answer, open};
use crate::interpret::stores::data::Entity;
use crate::interpret::values::value::{ObjId, Value};
use crate::ir::ids::MemberId;

/// Prefixes of method names that read.
const READS: &[&str] = &["find", "get", "read", "query", "search", "count", "exists"];

/// Keywords in method names whose meaning differs between documents and rows.
const OTHERWISE: &[&str] = &["Between", "Like", "IgnoreCase", "IgnoringCase", "IsNot", "Not", "Null", "Contain"];

/// Whether a query derived from a method name means the same for documents as for rows, as long as no value is null.
pub fn is_alike(name: &str) -> bool {
    !OTHERWISE.iter().any(|word| name.contains(word))
}

impl<'p> Machine<'p> {
    /// Whether a repository method only reads, judged by its name and annotations.
    pub fn is_read(&self, declared: Option<MemberId>, name: &str) -> bool {
        let changes = |method: MemberId| {
            let annotations = &self.project.member(method).annotations;
            has(annotations, &["Update", "Modifying"]) || annotations.iter().any(|a| a.arg("delete").is_some())
        };
        READS.iter().any(|prefix| name.starts_with(prefix)) && !declared.is_some_and(changes)
    }

    /// Leaves a query open if a field of some document is null, since rows and documents compare null differently.
    pub fn has_all_values(&mut self, entity: &Entity, rows: &[ObjId]) -> Answer<()> {
        if !entity.is_document {
            return Ok(());
        }
        for row in rows {
            for field in &entity.fields {
                if self.read_member(&Value::Ref(*row), field.member)?.is_null() {
                    return open("a field of a document that is null is compared");
                }
            }
        }
        Ok(())
    }

    /// Removes the given documents, or all.
    pub fn delete_documents(&mut self, entity: &'p Entity, several: Option<Vec<Value>>) -> Answer {
        let Some(items) = several else { return self.empty_documents(entity).map(|()| Value::NULL) };
        for item in items {
            let Value::Ref(id) = item else { return open("what is deleted is not known") };
            self.delete_one(entity, id)?;
        }
        Ok(Value::NULL)
    }
}
