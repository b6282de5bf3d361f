//! Repositories of documents, where they differ from those of rows.

use crate::java::ids::MemberId;
use crate::java::interpret::library::support::{Answer, open};
use crate::java::interpret::machine::Machine;
use crate::java::interpret::objects::has;
use crate::java::interpret::stores::data::Entity;
use crate::java::interpret::value::{ObjId, Value};

/// What the names of methods begin with that read.
const READS: &[&str] = &["find", "get", "read", "query", "search", "count", "exists"];

/// Words of methods' names that ask a document for something else than a row.
const OTHERWISE: &[&str] = &["Between", "Like", "IgnoreCase", "IgnoringCase", "IsNot", "Not", "Null", "Contain"];

/// Whether a query by the name of its method asks of documents what it asks of rows, where no value is null.
pub fn is_alike(name: &str) -> bool {
    !OTHERWISE.iter().any(|word| name.contains(word))
}

impl<'p> Machine<'p> {
    /// Whether a method of a repository only reads, by its name and what is declared.
    pub fn is_read(&self, declared: Option<MemberId>, name: &str) -> bool {
        let changes = |method: MemberId| {
            let annotations = &self.project.member(method).annotations;
            has(annotations, &["Update", "Modifying"]) || annotations.iter().any(|a| a.arg("delete").is_some())
        };
        READS.iter().any(|prefix| name.starts_with(prefix)) && !declared.is_some_and(changes)
    }

    /// Opens a query over documents of which one has no value for a field: rows and documents compare null in different ways.
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

    /// Removes documents that are given, or all.
    pub fn delete_documents(&mut self, entity: &'p Entity, several: Option<Vec<Value>>) -> Answer {
        let Some(items) = several else { return self.empty_documents(entity).map(|()| Value::NULL) };
        for item in items {
            let Value::Ref(id) = item else { return open("what is deleted is not known") };
            self.delete_one(entity, id)?;
        }
        Ok(Value::NULL)
    }
}
