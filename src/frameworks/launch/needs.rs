//! Needs: the stores, values and other systems outside of the repository that an application needs at its start,
//! derived from its build files and settings. Nothing is contacted.

use std::collections::{BTreeMap, BTreeSet};

use super::application::{Application, Needs, plain_name};
use super::datasource;
use super::made::join;
use super::store::{PASSWORD, Store};

/// External systems by a substring of the artifact name of their client.
const NEIGHBOURS: [(&str, &str); 6] = [
    ("starter-amqp", "RabbitMQ"),
    ("stream-rabbit", "RabbitMQ"),
    ("data-elasticsearch", "Elasticsearch"),
    ("data-cassandra", "Cassandra"),
    ("data-neo4j", "Neo4j"),
    ("starter-activemq", "ActiveMQ"),
];

impl Application<'_> {
    /// The external systems that the application needs.
    pub fn needs(&self) -> Needs {
        let mut needs = Needs::default();
        let artifacts = self.artifacts();
        let uses = |part: &str| artifacts.iter().any(|artifact| artifact.contains(part));
        datasource::needs(self, &uses, &mut needs);
        self.mongo(&uses, &mut needs);
        if ["data-redis", "jedis", "lettuce-core", "redisson"].iter().any(|part| uses(part)) {
            self.redis(&mut needs);
        }
        if ["spring-kafka", "kafka-clients", "kafka-streams", "stream-kafka", "binder-kafka"]
            .iter()
            .any(|part| uses(part))
        {
            let place = format!("127.0.0.1:{}", Store::Kafka.port());
            needs.stores.insert(Store::Kafka, String::new());
            if uses("stream-kafka") || uses("binder-kafka") {
                needs.env.insert("SPRING_CLOUD_STREAM_KAFKA_BINDER_BROKERS".to_owned(), place.clone());
            }
            needs.env.insert("SPRING_KAFKA_BOOTSTRAP_SERVERS".to_owned(), place);
        }
        if uses("eureka-client") {
            needs.env.insert("EUREKA_CLIENT_ENABLED".to_owned(), "false".to_owned());
            needs.without.push("a registry (Eureka)".to_owned());
        }
        let neighbours: BTreeSet<&str> =
            NEIGHBOURS.iter().filter(|(part, _)| uses(part)).map(|(_, name)| *name).collect();
        needs.without.extend(neighbours.into_iter().map(str::to_owned));
        self.imports(&mut needs);
        self.values(&mut needs);
        needs
    }

    fn mongo(&self, uses: &dyn Fn(&str) -> bool, needs: &mut Needs) {
        let is_used = ["data-mongodb", "mongodb-driver", "starter-mongodb"].iter().any(|part| uses(part));
        if !is_used || uses("flapdoodle") {
            return;
        }
        let older = "spring.data.mongodb";
        let (prefix, written) = if self.boot().is_some_and(|boot| boot >= 4) {
            ("SPRING_MONGODB", "spring.mongodb")
        } else {
            ("SPRING_DATA_MONGODB", older)
        };
        let value =
            |name: &str| self.value(&format!("{written}.{name}")).or_else(|| self.value(&format!("{older}.{name}")));
        let of_uri = value("uri").and_then(Result::ok).and_then(|uri| {
            let path = uri.split_once("://")?.1.split_once('/')?.1.split('?').next()?.to_owned();
            Some(path).filter(|path| !path.is_empty())
        });
        let database = value("database").and_then(Result::ok).or(of_uri);
        let database = plain_name(&database.unwrap_or_else(|| self.own_name()));
        let (port, user) = (Store::MongoDb.port(), Store::MongoDb.user());
        let mut set = |name: &str, text: String| drop(needs.env.insert(format!("{prefix}_{name}"), text));
        if value("uri").is_some() {
            set("URI", format!("mongodb://{user}:{PASSWORD}@127.0.0.1:{port}/{database}?authSource=admin"));
        } else {
            set("HOST", "127.0.0.1".to_owned());
            set("PORT", port.to_string());
            set("USERNAME", user.to_owned());
            set("PASSWORD", PASSWORD.to_owned());
            set("AUTHENTICATION_DATABASE", "admin".to_owned());
            set("DATABASE", database.clone());
        }
        needs.stores.insert(Store::MongoDb, database);
    }

    fn redis(&self, needs: &mut Needs) {
        let (prefix, written) = match self.boot() {
            Some(1 | 2) => ("SPRING_REDIS", "spring.redis"),
            _ => ("SPRING_DATA_REDIS", "spring.data.redis"),
        };
        let port = Store::Redis.port();
        let mut set = |name: &str, text: String| drop(needs.env.insert(format!("{prefix}_{name}"), text));
        if self.value(&format!("{written}.url")).is_some() {
            set("URL", format!("redis://127.0.0.1:{port}"));
        }
        set("HOST", "127.0.0.1".to_owned());
        set("PORT", port.to_string());
        for name in ["username", "password"] {
            if self.value(&format!("{written}.{name}")).is_some() {
                set(&name.to_ascii_uppercase(), String::new());
            }
        }
        needs.stores.insert(Store::Redis, String::new());
    }

    /// Adds the files and servers from which it imports settings.
    fn imports(&self, needs: &mut Needs) {
        let near = self.near();
        let imported = self.properties.all.iter().filter(|property| {
            property.profile.is_none()
                && (property.key == "spring.config.import" || property.key.starts_with("spring.config.import["))
                && self.properties.applications.reads(&near, &property.file)
        });
        let resources = join(self.module, "src/main/resources");
        for place in imported.flat_map(|property| property.value.split([',', ';']).map(str::trim)) {
            if place.starts_with("configserver:") {
                needs.unmet.push("a configuration server (`spring.config.import`)".to_owned());
            } else if let Some(file) = place.strip_prefix("classpath:")
                && self.resources.text(&join(&resources, file.trim_start_matches('/'))).is_none()
            {
                needs.unmet.push(format!("the file `{file}` (`spring.config.import` names it, git does not hold it)"));
            }
        }
    }

    /// Adds the values that its settings refer to and that are set nowhere.
    fn values(&self, needs: &mut Needs) {
        let near = self.near();
        let given: BTreeSet<String> = needs.env.keys().map(|name| of_variable(name)).collect();
        let mut unset: BTreeMap<String, &str> = BTreeMap::new();
        for property in &self.properties.all {
            let is_own = self.properties.applications.reads(&near, &property.file)
                && crate::files::resources::file_name(&property.file).starts_with("application");
            let is_active = self.properties.get(&near, &property.key).is_some_and(|active| active == property);
            if !is_own || !is_active || given.contains(&of_key(&property.key)) {
                continue;
            }
            if property.key.starts_with("spring.security.oauth2.client.provider.")
                && property.key.ends_with("issuer-uri")
            {
                needs.unmet.push(format!("the login service that `{}` names", property.key));
            }
            if let Err(name) = self.properties.expand(&near, &property.value)
                && !given.contains(&of_variable(&name))
                && !name.starts_with("random.")
                && !name.starts_with("project.")
            {
                unset.entry(name).or_insert(&property.key);
            }
        }
        let phrase = |(name, key): (String, &str)| format!("a value for `{name}` (`{key}` asks for it)");
        needs.unmet.extend(unset.into_iter().map(phrase));
    }
}

/// A key in the form of environment variables: Spring drops all characters except letters and digits.
fn of_key(key: &str) -> String {
    key.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

fn of_variable(name: &str) -> String {
    of_key(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Build, Properties, Resources};
    use mastor_java::build::layout::Layout;
    use mastor_revision::SourceTree;

    fn needs(files: &[(&str, &str)]) -> Needs {
        let (resources, tree) = (Resources::from_texts(files), SourceTree::from_memory(files.iter().copied()));
        let (layout, build, properties) = (Layout::of(&tree), Build::load(&resources), Properties::load(&resources));
        Application { module: "", layout: &layout, build: &build, resources: &resources, properties: &properties }
            .needs()
    }

    fn pom(artifacts: &[&str]) -> String {
        let each = |artifact: &&str| {
            format!("<dependency><groupId>g</groupId><artifactId>{artifact}</artifactId></dependency>")
        };
        let all: String = artifacts.iter().map(each).collect();
        format!("<project><artifactId>shop</artifactId><dependencies>{all}</dependencies></project>")
    }

    const YAML: &str = "src/main/resources/application.yml";

    #[test]
    fn the_database_of_the_url_is_brought_and_one_in_memory_is_not() {
        let both = pom(&["spring-boot-starter-data-jpa", "mysql-connector-j", "h2"]);
        let of = |yaml: &str| needs(&[("pom.xml", &both), (YAML, yaml)]);
        let url =
            |url: &str| of(&format!("spring:\n  datasource:\n    url: {url}\n  jpa.hibernate.ddl-auto: update\n"));
        let found = url("jdbc:mysql://db.internal:3306/my-shop?useSSL=false");
        assert_eq!(found.stores, BTreeMap::from([(Store::MySql, "my_shop".to_owned())]));
        assert_eq!(
            found.env["SPRING_DATASOURCE_URL"],
            "jdbc:mysql://127.0.0.1:13306/my_shop?useSSL=false&allowPublicKeyRetrieval=true"
        );
        assert!(url("jdbc:h2:mem:shop").stores.is_empty());
        assert!(of("server.port: 1\n").stores.is_empty(), "H2 is taken where no URL is given");
        let oracle = url("jdbc:oracle:thin:@db:1521/x");
        assert!(oracle.stores.is_empty() && oracle.unmet[0].contains("oracle"), "{oracle:?}");
        // A URL from outside of the repository; the driver shows the database.
        let driver = pom(&["spring-boot-starter-jdbc", "postgresql"]);
        let found = needs(&[
            ("pom.xml", &driver),
            (YAML, "spring.datasource:\n  url: ${DB_URL}\n  password: ${DB_PASSWORD}\n"),
        ]);
        assert_eq!((found.stores.len(), found.unmet.len()), (1, 0), "{found:?}");
        assert_eq!(found.env["SPRING_DATASOURCE_URL"], "jdbc:postgresql://127.0.0.1:15432/service");
    }

    #[test]
    fn a_schema_that_nothing_makes_is_made_from_the_entities() {
        let with = |more: &[&str], yaml: &str| {
            let all = [&["spring-boot-starter-data-jpa", "postgresql"], more].concat();
            let found = needs(&[
                ("pom.xml", &pom(&all)),
                (YAML, &format!("spring.datasource.url: jdbc:postgresql://h/x\n{yaml}")),
            ]);
            found.env.get("SPRING_JPA_HIBERNATE_DDL_AUTO").cloned()
        };
        assert_eq!(with(&[], "").as_deref(), Some("create"));
        assert_eq!(with(&["flyway-core"], ""), None);
        assert_eq!(with(&[], "spring.jpa.hibernate.ddl-auto: update\n"), None);
    }

    #[test]
    fn other_stores_are_told_by_what_is_depended_on() {
        let found = needs(&[
            (
                "pom.xml",
                &pom(&[
                    "spring-boot-starter-data-mongodb",
                    "spring-boot-starter-data-redis",
                    "spring-kafka",
                    "spring-boot-starter-amqp",
                ]),
            ),
            (YAML, "spring.data:\n  mongodb.uri: ${MONGO}\n  redis.password: ${SECRET}\n"),
        ]);
        let stores: Vec<Store> = found.stores.keys().copied().collect();
        assert_eq!(stores, [Store::MongoDb, Store::Redis, Store::Kafka]);
        assert_eq!(
            found.env["SPRING_DATA_MONGODB_URI"],
            "mongodb://mastor:mastor@127.0.0.1:17017/service?authSource=admin"
        );
        assert_eq!(found.env["SPRING_DATA_REDIS_PASSWORD"], "");
        assert_eq!((found.unmet.len(), found.without), (0, vec!["RabbitMQ".to_owned()]));
    }

    #[test]
    fn what_nothing_gives_a_value_is_named() {
        let yaml = "spring.config.import: classpath:env.properties, optional:file:x\napp:\n  key: ${APP_KEY}\n  other: ${APP_OTHER:x}\n";
        let found = needs(&[("pom.xml", &pom(&[])), (YAML, yaml)]);
        assert_eq!(found.unmet.len(), 2, "{found:?}");
        assert!(found.unmet[0].contains("env.properties") && found.unmet[1].contains("APP_KEY"));
    }
}
