//! MapStruct: implementations of annotated mappers, which the build generates and which are not in the repository.

pub mod beans;
pub mod conversions;
pub mod made;
pub mod mapper;
pub mod mappings;
pub mod methods;
pub mod values;
pub mod writer;
pub mod writing;
