//! The agents driven by scripted models: one that answers as a strong model would, and ones that do not.

mod by_hand;
mod confirmed;
pub mod faithful;
mod givens;
mod hybrid;
mod matched;
mod misbehaving;
mod resumed;
mod runs;
mod study;

use crate::llm::server::Server;
use crate::support::Repo;

/// The bundled example with a model at this server and without a service.
fn example(server: &Server, more: &str) -> Repo {
    let settings = format!("[model.primary]\nbase-url = \"{}\"\nmodel = \"scripted\"\n{more}\n", server.base_url);
    Repo::example().file("mastor.toml", settings).commit("A model")
}
