//! The initial state of a database: the scripts that the framework runs at the start of the service, and the rows that
//! they leave.

use super::liquibase;
use super::sql_run::Database;
use crate::files::build::Build;
use crate::files::properties::{Properties, module_of};
use crate::files::resources::{Resources, file_name, is_aside};
use mastor_java::project::index::Project;

/// Prefixes of the URLs of databases that exist only while the service runs.
const EMBEDDED: &[&str] = &["jdbc:h2:mem", "jdbc:hsqldb:mem", "jdbc:hsqldb:.", "jdbc:derby:memory"];

/// Settings for the creation of tables.
const DDL: &[&str] = &[
    "spring.jpa.hibernate.ddl-auto",
    "spring.jpa.properties.hibernate.hbm2ddl.auto",
    "quarkus.hibernate-orm.database.generation",
    "quarkus.hibernate-orm.schema-management.strategy",
];

/// Quarkus's setting for the script that fills new tables.
const LOADED: &str = "quarkus.hibernate-orm.sql-load-script";

/// How the tables of the entities are created.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TableCreation {
    /// From the entities, anew at each start.
    Anew,
    /// From the entities, if they do not exist yet.
    Completed,
    /// In another way: by scripts or manually.
    Elsewhere,
}

/// The files of a revision that decide the initial state.
pub struct Files<'a> {
    /// The code.
    pub project: &'a Project,
    /// Scripts.
    pub resources: &'a Resources,
    /// Settings.
    pub properties: &'a Properties,
    /// Parsed build files.
    pub build: &'a Build,
    /// Path of a file of the service.
    pub near: &'a str,
}

impl Files<'_> {
    fn setting(&self, keys: &[&str]) -> Option<String> {
        let found = keys.iter().find_map(|key| self.properties.get(self.near, key))?;
        self.properties.expand(self.near, &found.value).ok().map(|(text, _)| text)
    }

    pub(super) fn uses(&self, name: &str) -> bool {
        self.build.uses(name).is_some()
    }

    /// Scripts at a location of the class path, with their paths.
    fn at(&self, location: &str) -> Vec<(&str, &str)> {
        let plain = location.trim().trim_start_matches("optional:");
        let plain = plain.strip_prefix("classpath*:").or_else(|| plain.strip_prefix("classpath:")).unwrap_or(plain);
        let tail = plain.trim_start_matches('/');
        let mut found: Vec<(&str, &str)> = self
            .resources
            .iter()
            .filter(|(path, _)| !is_aside(path) && path.ends_with(".sql"))
            .filter(|(path, _)| path.strip_suffix(tail).is_some_and(|rest| rest.ends_with("/resources/")))
            .collect();
        let own = module_of(self.near);
        if found.len() > 1 && found.iter().any(|(path, _)| module_of(path) == own) {
            found.retain(|(path, _)| module_of(path) == own);
        }
        found
    }

    /// The content of the database after the service has started, and the files that it comes from.
    ///
    /// # Errors
    /// The reason why the content is not known.
    pub fn database(&self) -> Result<(Database, Vec<String>), String> {
        let (url, embedded) = (self.url(), self.is_embedded());
        let mut database = Database::default();
        if !embedded {
            database.open = Some(match url {
                Some(_) => "the database lives outside the service".to_owned(),
                None => "which database is used is not known".to_owned(),
            });
        }
        let mut sources = Vec::new();
        let mode = self
            .setting(&["spring.sql.init.mode", "spring.datasource.initialization-mode"])
            .unwrap_or_else(|| "embedded".to_owned());
        let runs = match mode.as_str() {
            "always" => true,
            "never" => false,
            _ => embedded && self.setting(&["spring.datasource.initialize"]).as_deref() != Some("false"),
        };
        if self.migrates() {
            self.migrate(&mut database, &mut sources)?;
        }
        if self.uses("quarkus-liquibase") {
            return Err("how Quarkus runs Liquibase is not followed".to_owned());
        }
        if self.has_changelog() {
            if self.migrates() || runs && !self.scripts().is_empty() {
                return Err("Liquibase and scripts fill the database".to_owned());
            }
            self.follow_changelog(&mut database, &mut sources)?;
        }
        if runs {
            for path in self.scripts() {
                if let Some(text) = self.resources.text(&path) {
                    database.run(text);
                    sources.push(path);
                }
            }
        }
        if self.made() == TableCreation::Anew {
            for location in self.loaded()? {
                for (path, text) in self.at(&location) {
                    database.run(text);
                    sources.push(path.to_owned());
                }
            }
        }
        if sources.is_empty() && !embedded {
            return Err(database.open.unwrap_or_default());
        }
        Ok((database, sources))
    }

    /// Whether the tables of an empty database are created from the entities.
    pub fn makes_tables(&self) -> bool {
        match self.made() {
            TableCreation::Anew => true,
            TableCreation::Completed => self.is_embedded(),
            TableCreation::Elsewhere => false,
        }
    }

    /// Whether Bean Validation checks rows before they are inserted.
    pub fn validates(&self) -> bool {
        const MODE: &[&str] = &[
            "spring.jpa.properties.jakarta.persistence.validation.mode",
            "spring.jpa.properties.javax.persistence.validation.mode",
        ];
        let is_there = self.uses("spring-boot-starter-validation") || self.uses("hibernate-validator");
        is_there && self.setting(MODE).is_none()
    }

    fn made(&self) -> TableCreation {
        match self.setting(DDL).as_deref() {
            Some(made) if made.starts_with("create") || made == "drop-and-create" => TableCreation::Anew,
            Some("update") => TableCreation::Completed,
            // Spring Boot's default, unless migrations create the tables.
            None if self.is_embedded() && !self.migrates() && !self.has_changelog() => TableCreation::Anew,
            _ => TableCreation::Elsewhere,
        }
    }

    /// The scripts that Hibernate runs once it has made the tables. Quarkus runs `import.sql` in development and tests,
    /// and in production only what a setting names (Quarkus guides, "Using Hibernate ORM", `sql-load-script`).
    fn loaded(&self) -> Result<Vec<String>, String> {
        match self.setting(&[LOADED]) {
            Some(named) if named.trim() == "no-file" => Ok(Vec::new()),
            Some(named) => Ok(named.split(',').map(|name| name.trim().to_owned()).collect()),
            None if self.uses("io.quarkus") && !self.at("import.sql").is_empty() => {
                Err("whether import.sql is run depends on how Quarkus is started".to_owned())
            }
            None => Ok(vec!["import.sql".to_owned()]),
        }
    }

    /// Whether Flyway's migrations run; in Quarkus only where a setting asks for it at the start.
    fn migrates(&self) -> bool {
        let is_off = |key: &str| self.setting(&[key]).as_deref() != Some("true");
        if self.uses("quarkus-flyway") && is_off("quarkus.flyway.migrate-at-start") {
            return false;
        }
        self.uses("flyway") && self.setting(&["spring.flyway.enabled", "flyway.enabled"]).as_deref() != Some("false")
    }

    /// Whether Liquibase runs its changelog.
    fn has_changelog(&self) -> bool {
        let switch = self.setting(&["spring.liquibase.enabled", "liquibase.enabled"]);
        self.uses("liquibase-core") && switch.as_deref() != Some("false")
            || self.uses("starter-liquibase") && switch.as_deref() != Some("false")
    }

    fn follow_changelog(&self, database: &mut Database, sources: &mut Vec<String>) -> Result<(), String> {
        let location = self.setting(&["spring.liquibase.change-log", "liquibase.change-log"]);
        let choices = ["spring.liquibase.contexts", "liquibase.contexts", "spring.liquibase.label-filter"];
        let odd = ["spring.liquibase.url", "spring.liquibase.default-schema", "spring.liquibase.labels"];
        if odd.iter().any(|key| self.setting(&[key]).is_some()) || self.url().is_none() && !self.is_embedded() {
            return Err("a setting of Liquibase is not followed".to_owned());
        }
        let parameters = self.properties.all.iter().any(|one| one.key.starts_with("spring.liquibase.parameters"));
        if parameters || !self.uses("spring-boot") {
            return Err("how Liquibase is started is not followed".to_owned());
        }
        let contexts = choices.iter().any(|key| self.setting(&[key]).is_some());
        let url = self.url().unwrap_or_default();
        let named = url.split(':').nth(1).map(str::to_owned);
        let kind =
            named.or_else(|| ["h2", "hsqldb", "derby"].iter().find(|one| self.uses(one)).map(|one| (*one).to_owned()));
        liquibase::migrate((self.resources, self.near), (location, contexts), kind.as_deref(), database, sources)
    }

    /// Whether existing tables are altered to match the entities.
    pub fn alters_tables(&self) -> bool {
        self.setting(DDL).as_deref() == Some("update")
    }

    /// Whether the database exists only while the service runs.
    fn is_embedded(&self) -> bool {
        match &self.url() {
            Some(url) => EMBEDDED.iter().any(|start| url.starts_with(start)),
            None => ["h2", "hsqldb", "derby"].iter().any(|name| self.uses(name)) && self.uses("spring"),
        }
    }

    pub(super) fn url(&self) -> Option<String> {
        self.setting(&["spring.datasource.url", "spring.datasource.jdbc-url", "quarkus.datasource.jdbc.url"])
    }

    /// The scripts that Spring runs at the start, in order.
    fn scripts(&self) -> Vec<String> {
        let platform = self.setting(&["spring.sql.init.platform", "spring.datasource.platform"]);
        let platform = platform.unwrap_or_else(|| "all".to_owned());
        let mut out = Vec::new();
        for (kind, keys) in [
            ("schema", ["spring.sql.init.schema-locations", "spring.datasource.schema"]),
            ("data", ["spring.sql.init.data-locations", "spring.datasource.data"]),
        ] {
            let listed: Vec<String> = match self.setting(&keys) {
                Some(text) => text.split(',').map(str::to_owned).collect(),
                None => {
                    let mut several = Vec::new();
                    for key in keys {
                        several.extend((0..20).map_while(|at| self.setting(&[&format!("{key}[{at}]")])));
                    }
                    match several.is_empty() {
                        true => vec![format!("{kind}-{platform}.sql"), format!("{kind}.sql")],
                        false => several,
                    }
                }
            };
            for location in listed {
                out.extend(self.at(&location).into_iter().map(|(path, _)| path.to_owned()));
            }
        }
        out
    }

    fn migrate(&self, database: &mut Database, sources: &mut Vec<String>) -> Result<(), String> {
        let java = |ty: &mastor_java::ir::ids::TypeId| {
            self.project
                .library_supers(*ty)
                .iter()
                .any(|up| up.starts_with("org.flywaydb.") && up.ends_with("Migration"))
        };
        if self.project.types().any(|ty| java(&ty)) {
            return Err("a migration is written in Java".to_owned());
        }
        let places = self.setting(&["spring.flyway.locations", "flyway.locations", "quarkus.flyway.locations"]);
        let places = places.unwrap_or_else(|| "db/migration".to_owned());
        let folders: Vec<String> = places
            .split(',')
            .map(|place| place.trim().trim_start_matches("classpath:").trim_matches('/').to_owned())
            .collect();
        let mut found: Vec<(Vec<u64>, &str, &str)> = Vec::new();
        for (path, text) in self.resources.iter().filter(|(path, _)| !is_aside(path)) {
            let within = |folder: &String| path.contains(&format!("/resources/{folder}/"));
            let Some(version) = version(file_name(path)).filter(|_| folders.iter().any(within)) else { continue };
            found.push((version, path, text));
        }
        found.sort();
        for (_, path, text) in found {
            database.run(text);
            sources.push(path.to_owned());
        }
        Ok(())
    }
}

/// The version numbers of a migration: 1, 2 for `V1_2__name.sql`.
fn version(name: &str) -> Option<Vec<u64>> {
    let (version, _) = name.strip_suffix(".sql")?.strip_prefix('V')?.split_once("__")?;
    version.split(['_', '.']).map(|part| part.parse().ok()).collect()
}
