//! Stores: the databases and brokers that mastor can start in a container, each at an unusual port, so that it never
//! reaches a developer's data.

/// A database or broker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Store {
    /// MySQL.
    MySql,
    /// MariaDB.
    MariaDb,
    /// PostgreSQL.
    PostgreSql,
    /// MongoDB.
    MongoDb,
    /// Redis.
    Redis,
    /// Apache Kafka.
    Kafka,
}

/// Password of its only user, who has all rights: the store only contains the data of one run.
pub const PASSWORD: &str = "mastor";

impl Store {
    /// All stores.
    pub const ALL: [Self; 6] = [Self::MySql, Self::MariaDb, Self::PostgreSql, Self::MongoDb, Self::Redis, Self::Kafka];

    /// Its official name.
    pub fn words(self) -> &'static str {
        match self {
            Self::MySql => "MySQL",
            Self::MariaDb => "MariaDB",
            Self::PostgreSql => "PostgreSQL",
            Self::MongoDb => "MongoDB",
            Self::Redis => "Redis",
            Self::Kafka => "Kafka",
        }
    }

    /// Its name in workflows; with the prefix `mastor-`, the name of its container.
    pub fn id(self) -> &'static str {
        match self {
            Self::MySql => "mysql",
            Self::MariaDb => "mariadb",
            Self::PostgreSql => "postgres",
            Self::MongoDb => "mongo",
            Self::Redis => "redis",
            Self::Kafka => "kafka",
        }
    }

    /// Its port, which differs from the standard port, where a developer's own store may listen.
    pub fn port(self) -> u16 {
        match self {
            Self::MySql => 13306,
            Self::MariaDb => 13307,
            Self::PostgreSql => 15432,
            Self::MongoDb => 17017,
            Self::Redis => 16379,
            Self::Kafka => 19092,
        }
    }

    /// The user name.
    pub fn user(self) -> &'static str {
        match self {
            Self::PostgreSql => "postgres",
            Self::MySql | Self::MariaDb => "root",
            Self::MongoDb | Self::Redis | Self::Kafka => "mastor",
        }
    }

    /// The command that empties one of its databases, so that each start begins without data; `None` if nothing has to
    /// be emptied.
    pub fn fresh(self, database: &str) -> Option<String> {
        let id = self.id();
        let client = if self == Self::MariaDb { "mariadb" } else { "mysql" };
        Some(match self {
            Self::MySql | Self::MariaDb => format!(
                "docker exec -e MYSQL_PWD={PASSWORD} mastor-{id} {client} -uroot -e \"DROP DATABASE IF EXISTS {database}; CREATE DATABASE {database}\""
            ),
            Self::PostgreSql => format!(
                "docker exec mastor-{id} psql -qU postgres -c \"DROP DATABASE IF EXISTS {database} WITH (FORCE)\" -c \"CREATE DATABASE {database}\""
            ),
            Self::MongoDb => format!(
                "docker exec mastor-{id} mongosh --quiet -u mastor -p {PASSWORD} {database} --authenticationDatabase admin --eval \"db.dropDatabase()\""
            ),
            Self::Redis => format!("docker exec mastor-{id} redis-cli FLUSHALL"),
            Self::Kafka => return None,
        })
    }
}
