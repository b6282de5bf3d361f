//! The relational database of an application: which one its URL or driver names, and the environment variables that
//! connect it to the container's database.

use super::application::{Application, Needs, plain_name};
use super::made::join;
use super::store::{PASSWORD, Store};

/// Substrings of artifact names that show the use of a relational database.
const USERS: [&str; 8] =
    ["data-jpa", "starter-jdbc", "data-jdbc", "mybatis", "starter-jooq", "hibernate", "flyway", "r2dbc"];
/// Databases that run inside the application.
const WITHIN: [&str; 5] = ["h2", "hsqldb", "derby", "sqlite", "tc"];
/// Tools that create tables from their own scripts.
const MIGRATIONS: [&str; 2] = ["flyway", "liquibase"];

/// Adds the database that the application needs, and the variables that connect to it.
pub(super) fn needs(application: &Application<'_>, uses: &dyn Fn(&str) -> bool, needs: &mut Needs) {
    let url = ["spring.datasource.url", "spring.datasource.hikari.jdbc-url", "spring.datasource.jdbc-url"]
        .iter()
        .find_map(|key| application.value(key));
    let reactive = application.value("spring.r2dbc.url");
    if url.is_none() && reactive.is_none() && !USERS.iter().any(|part| uses(part)) {
        return;
    }
    let known = url.clone().or(reactive.clone()).and_then(Result::ok);
    let scheme = known.as_deref().and_then(scheme);
    let store = match scheme {
        Some(scheme) if WITHIN.contains(&scheme) => return,
        Some(scheme) => match of_scheme(scheme) {
            Some(store) => store,
            None => return needs.unmet.push(format!("its database ({scheme}): no container of mastor brings that")),
        },
        None => match of_driver(uses) {
            // Spring uses the in-memory database unless a URL is set.
            Some(_) if url.is_none() && reactive.is_none() && (uses(":h2") || uses("hsqldb") || uses("derby")) => {
                return;
            }
            Some(store) => store,
            None => return,
        },
    };
    let database = known.as_deref().and_then(database).unwrap_or_else(|| application.own_name());
    let mut set = |name: &str, text: String| drop(needs.env.insert(name.to_owned(), text));
    let place = format!("127.0.0.1:{}/{database}", store.port());
    let scheme = if store == Store::PostgreSql { "postgresql" } else { store.id() };
    let mut sources = Vec::new();
    if url.is_some() || reactive.is_none() && !uses("r2dbc") {
        let query = query(store, known.as_deref());
        sources.push(("SPRING_DATASOURCE", "USERNAME", format!("jdbc:{scheme}://{place}{query}")));
    }
    if reactive.is_some() || uses("r2dbc") {
        sources.push(("SPRING_R2DBC", "USERNAME", format!("r2dbc:{scheme}://{place}")));
    }
    for (key, name) in [("spring.flyway.url", "SPRING_FLYWAY"), ("spring.liquibase.url", "SPRING_LIQUIBASE")] {
        if application.value(key).is_some() {
            sources.push((name, "USER", format!("jdbc:{scheme}://{place}{}", query(store, None))));
        }
    }
    for (prefix, user, url) in sources {
        set(&format!("{prefix}_URL"), url);
        set(&format!("{prefix}_{user}"), store.user().to_owned());
        set(&format!("{prefix}_PASSWORD"), PASSWORD.to_owned());
    }
    needs.stores.insert(store, database);
    schema(application, uses, needs);
}

/// Makes Spring or Hibernate create the tables of an empty database, if nothing else does.
fn schema(application: &Application<'_>, uses: &dyn Fn(&str) -> bool, needs: &mut Needs) {
    if MIGRATIONS.iter().any(|part| uses(part)) {
        return;
    }
    let script = join(application.module, "src/main/resources/schema.sql");
    if application.resources.text(&script).is_some() {
        if application.known("spring.sql.init.mode").as_deref() != Some("always") {
            needs.env.insert("SPRING_SQL_INIT_MODE".to_owned(), "always".to_owned());
        }
        return;
    }
    let keys = ["spring.jpa.hibernate.ddl-auto", "spring.jpa.properties.hibernate.hbm2ddl.auto"];
    let made = keys.iter().find_map(|key| application.known(key));
    let is_made = made.is_some_and(|mode| mode.starts_with("create") || mode == "update");
    if !is_made && uses("data-jpa") {
        needs.env.insert("SPRING_JPA_HIBERNATE_DDL_AUTO".to_owned(), "create".to_owned());
    }
}

/// `mysql` for `jdbc:mysql://…`.
fn scheme(url: &str) -> Option<&str> {
    let rest = url.strip_prefix("jdbc:").or_else(|| url.strip_prefix("r2dbc:"))?;
    let rest = ["p6spy:", "log4jdbc:", "pool:", "aws-wrapper:"]
        .iter()
        .find_map(|prefix| rest.strip_prefix(prefix))
        .unwrap_or(rest);
    rest.split(':').next()
}

fn of_scheme(scheme: &str) -> Option<Store> {
    match scheme {
        "mysql" => Some(Store::MySql),
        "mariadb" => Some(Store::MariaDb),
        "postgresql" | "postgres" => Some(Store::PostgreSql),
        _ => None,
    }
}

fn of_driver(uses: &dyn Fn(&str) -> bool) -> Option<Store> {
    let drivers = [
        ("mysql-connector", Store::MySql),
        ("r2dbc-mysql", Store::MySql),
        ("mariadb", Store::MariaDb),
        ("postgresql", Store::PostgreSql),
    ];
    drivers.iter().find(|(part, _)| uses(part)).map(|(_, store)| *store)
}

/// The database name in a URL.
fn database(url: &str) -> Option<String> {
    let name = url.split_once("://")?.1.split_once('/')?.1.split(['?', ';']).next()?;
    Some(plain_name(name)).filter(|_| !name.is_empty())
}

/// The query part of the URL: the parameters of the project's own URL, and the one that MySQL's driver needs to log in
/// without TLS.
fn query(store: Store, url: Option<&str>) -> String {
    let own = url.and_then(|url| url.split_once('?')).map_or("", |(_, query)| query);
    let ours = |part: &&str| {
        let name = part.split('=').next().unwrap_or_default();
        !part.is_empty() && !["user", "password", "currentSchema"].contains(&name)
    };
    let mut parts: Vec<&str> = own.split('&').filter(ours).collect();
    if store == Store::MySql && !parts.iter().any(|part| part.starts_with("allowPublicKeyRetrieval")) {
        parts.push("allowPublicKeyRetrieval=true");
    }
    if parts.is_empty() { String::new() } else { format!("?{}", parts.join("&")) }
}
