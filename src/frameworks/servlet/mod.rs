//! Plain servlets: `@WebServlet` and `web.xml`, one endpoint for each `doGet`, `doPost` and so on.

pub mod mappings;
pub mod patterns;
pub mod record;
pub mod registrations;
pub mod routes;
