//! Planted secrets: texts that a prompt could contain, each with its secret. Keys of providers are assembled from parts, so that no secret scanner
//! reports this file.

/// Pseudo-random characters, the same in every run.
fn drawn(seed: u64, length: usize, alphabet: &str) -> String {
    let alphabet: Vec<char> = alphabet.chars().collect();
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let next = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        alphabet[(state >> 11) as usize % alphabet.len()]
    };
    (0..length).map(next).collect()
}

const WORD: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const HEX: &str = "0123456789abcdef";

/// All texts, each with its secret.
pub fn all() -> Vec<(String, String)> {
    let mut all = keys();
    all.extend(assigned());
    all.extend(others());
    all
}

/// Keys of providers, in places whose names say nothing.
fn keys() -> Vec<(String, String)> {
    let word = |seed, length| drawn(seed, length, WORD);
    let hex = |seed, length| drawn(seed, length, HEX);
    let kinds: Vec<String> = vec![
        ["AK", "IA", &drawn(1, 16, UPPER)].concat(),
        ["AS", "IA", &drawn(2, 16, UPPER)].concat(),
        ["AI", "za", &word(3, 35)].concat(),
        ["ya", "29.", &word(4, 40)].concat(),
        ["GOC", "SPX-", &word(5, 28)].concat(),
        ["gh", "p_", &word(6, 36)].concat(),
        ["gh", "o_", &word(7, 36)].concat(),
        ["gh", "s_", &word(8, 36)].concat(),
        ["github", "_pat_", &word(9, 22), "_", &word(10, 59)].concat(),
        ["gl", "pat-", &word(11, 20)].concat(),
        ["gl", "dt-", &word(12, 20)].concat(),
        ["xo", "xb-", &drawn(13, 12, "0123456789"), "-", &word(14, 24)].concat(),
        ["xo", "xp-", &drawn(15, 12, "0123456789"), "-", &word(16, 24)].concat(),
        ["sk", "_live_", &word(17, 24)].concat(),
        ["rk", "_live_", &word(18, 24)].concat(),
        ["sk", "_test_", &word(19, 24)].concat(),
        ["wh", "sec_", &word(20, 32)].concat(),
        ["S", "K", &hex(21, 32)].concat(),
        ["S", "G.", &word(22, 22), ".", &word(23, 43)].concat(),
        ["np", "m_", &word(24, 36)].concat(),
        ["py", "pi-AgE", &word(25, 80)].concat(),
        ["sk", "-proj-", &word(26, 48)].concat(),
        ["sk", "-", &word(27, 48)].concat(),
        ["sk", "-ant-api03-", &word(28, 60)].concat(),
        ["gs", "k_", &word(29, 52)].concat(),
        ["hf", "_", &word(30, 34)].concat(),
        ["dop", "_v1_", &hex(31, 64)].concat(),
        ["sh", "pat_", &hex(32, 32)].concat(),
        ["hv", "s.", &word(33, 90)].concat(),
        ["da", "pi", &hex(34, 32)].concat(),
        ["lin", "_api_", &word(35, 40)].concat(),
        ["dckr", "_pat_", &word(36, 27)].concat(),
        ["sq", "p_", &hex(37, 40)].concat(),
        ["gl", "sa_", &word(38, 32), "_", &hex(39, 8)].concat(),
        ["PM", "AK-", &hex(40, 24), "-", &hex(41, 34)].concat(),
        ["key", "-", &hex(42, 32)].concat(),
        [&hex(43, 32), "-us", "12"].concat(),
        ["123456789", ":AA", &word(44, 33)].concat(),
        ["ATATT", "3", &word(45, 80)].concat(),
        ["NR", "AK-", &word(46, 27)].concat(),
        ["ey", "JhbGciOiJIUzI1NiJ9.ey", &word(47, 40), ".", &word(48, 43)].concat(),
        ["$2", "a$10$", &word(49, 53)].concat(),
        ["$argon2", "id$v=19$m=65536,t=3,p=4$", &word(50, 22), "$", &word(51, 43)].concat(),
        ["rubygems", "_", &hex(52, 48)].concat(),
        ["AGE-SECRET", "-KEY-1", &drawn(53, 58, UPPER)].concat(),
    ];
    let places = [
        "        String value = \"{}\";",
        "app.value={}",
        "value: {}",
        "<value>{}</value>",
        "{\"value\": \"{}\", \"n\": 1}",
        "// was {} until May",
        "INSERT INTO things (id, value) VALUES (1, '{}');",
    ];
    let mut all = Vec::new();
    for (at, key) in kinds.into_iter().enumerate() {
        for place in [places[at % places.len()], places[(at + 3) % places.len()]] {
            all.push((place.replace("{}", &key), key.clone()));
        }
    }
    all
}

/// Values assigned to telling names, in every language.
fn assigned() -> Vec<(String, String)> {
    let places = [
        // Java
        "    private static final String DB_PASSWORD = \"{}\";",
        "    String password = \"{}\";",
        "    this.apiKey = \"{}\";",
        "        user.setPassword(\"{}\");",
        "        return Client.builder().user(\"bob\").password(\"{}\").build();",
        "        properties.put(\"db.password\", \"{}\");",
        "        request.addHeader(\"X-Api-Key\", \"{}\");",
        "        Map.of(\"user\", \"bob\", \"password\", \"{}\");",
        "        System.getenv().getOrDefault(\"DB_PASSWORD\", \"{}\");",
        "    @Value(\"${app.jwt.secret:{}}\")",
        "        String body = \"{\\\"user\\\": \\\"bob\\\", \\\"password\\\": \\\"{}\\\"}\";",
        "        char[] keyPassword = \"{}\".toCharArray();",
        "        String token = encoder.encode(\"{}\");",
        "        if (\"x\".equals(user) && password.equals(\"{}\")) {",
        "    String clientSecret =\n            \"{}\";",
        "    String secretKey = \"abc\" + \"{}\";",
        "        new UsernamePasswordCredentials(\"bob\", \"{}\");",
        "        new UsernamePasswordAuthenticationToken(\"bob\", \"{}\");",
        "        DriverManager.getConnection(\"jdbc:h2:mem:x\", \"sa\", \"{}\");",
        "        headers.setBasicAuth(\"bob\", \"{}\");",
        "        List<String> passwords = List.of(\"first-0ne\", \"{}\");",
        "    @Bean PasswordConfig c() { return new PasswordConfig().withPassword(\"{}\"); }",
        "        String url = \"jdbc:mysql://db:3306/x?user=bob&password={}\";",
        "        String url = \"jdbc:sqlserver://db;user=bob;password={};encrypt=true\";",
        "        String url = \"https://api.example.com/x?access_token={}&page=1\";",
        "    val apiToken: String = \"{}\"",
        "    private String password = \"\"\"\n            {}\n            \"\"\";",
        // Properties
        "spring.datasource.password={}",
        "spring.datasource.password = {}",
        "db.password: {}",
        "app.jwt.secret={}",
        "jwt.signing-key={}",
        "spring.mail.password={}",
        "server.ssl.key-store-password={}",
        "aws.secret-access-key={}",
        "spring.security.user.password={noop}{}",
        "   12 | app.client-secret={}",
        "#db.password={}",
        "storage.account-key={}",
        // YAML
        "  password: {}",
        "  password: \"{}\"",
        "  password: '{}'",
        "    client-secret: {} # rotate it",
        "  - token: {}",
        "secret: |\n    {}\n    and more\nnext: 1",
        "  apiKey: {}",
        "  POSTGRES_PASSWORD: {}",
        "      - name: DB_PASSWORD\n        value: {}",
        "      - name: DB_PASSWORD\n        value: \"{}\"",
        "      - POSTGRES_PASSWORD={}",
        "  url: jdbc:postgresql://db/x?user=bob&password={}",
        // XML
        "<password>{}</password>",
        "<server><id>x</id><password>{}</password></server>",
        "<property name=\"password\" value=\"{}\"/>",
        "<entry key=\"db.password\">{}</entry>",
        "<prop key=\"hibernate.connection.password\">{}</prop>",
        "<property name=\"password\"><value>{}</value></property>",
        "<Resource name=\"jdbc/x\" username=\"bob\" password=\"{}\"/>",
        "<add key=\"ApiKey\" value=\"{}\" />",
        "<ns:secret><![CDATA[{}]]></ns:secret>",
        "<user username=\"bob\" password=\"{}\" roles=\"x\"/>",
        "<context-param><param-name>api-key</param-name><param-value>{}</param-value></context-param>",
        // JSON
        "{\"password\": \"{}\"}",
        "  \"clientSecret\" : \"{}\",",
        "{\"name\": \"API_TOKEN\", \"value\": \"{}\"}",
        "{\"auth\": {\"user\": \"bob\", \"pwd\": \"{}\"}}",
        "{\"apiKeys\": [\"first-0ne\", \"{}\"]}",
        // SQL
        "CREATE USER 'bob'@'%' IDENTIFIED BY '{}';",
        "ALTER USER bob IDENTIFIED BY {};",
        "CREATE ROLE bob LOGIN PASSWORD '{}';",
        "ALTER USER bob WITH ENCRYPTED PASSWORD '{}';",
        "SET PASSWORD FOR 'bob' = PASSWORD('{}');",
        "UPDATE users SET password = '{}' WHERE id = 1;",
        "INSERT INTO users (id, name, password) VALUES (1, 'bob', '{}');",
        "INSERT INTO users (name, password_hash, age)\nVALUES ('al', 'x1y2z3', 3),\n  ('it''s (me)', '{}', 4);",
        "INSERT INTO `clients` (`id`, `client_secret`) VALUES ('web', '{}');",
        // Shell, .env, Docker
        "DB_PASSWORD={}",
        "export API_TOKEN={}",
        "export API_TOKEN=\"{}\"",
        "PASSWORD={} ./run.sh --now",
        "ENV DB_PASSWORD {}",
        "ARG NPM_TOKEN={}",
        "java -Dspring.datasource.password={} -jar app.jar",
        "app --password={} --user bob",
        "app --password {} --user bob",
        "docker run -e POSTGRES_PASSWORD={} postgres",
        "docker login -u bob -p {} registry.example.com",
        "mysql -u root -p{} orders",
        "sshpass -p {} ssh bob@host",
        "curl -u bob:{} https://api.example.com",
        "curl -H \"X-Api-Key: {}\" https://api.example.com",
        "redis-cli -h host -a {} ping",
        "machine api.example.com login bob password {}",
        "//registry.example.com/:_authToken={}",
        // URLs
        "spring.data.mongodb.uri=mongodb://bob:{}@db:27017/x",
        "  uri: mongodb+srv://bob:{}@cluster.example.com/x",
        "  url: redis://:{}@cache:6379/0",
        "amqp://bob:{}@broker:5672/vhost",
        "String url = \"https://bob:{}@api.example.com/\";",
        "git clone https://bob:{}@git.example.com/x.git",
        "jdbc:oracle:thin:bob/{}@db:1521:x",
        "ldap.url=ldap://cn=admin:{}@ldap.example.com",
        // Headers
        "Authorization: Bearer {}",
        "        .header(\"Authorization\", \"Bearer {}\")",
        "curl -H 'Authorization: Token {}' https://api.example.com",
        "X-Auth-Token: {}",
        "Cookie: JSESSIONID={}; theme=dark",
    ];
    let values = ["hunter2-{}", "S3cr3t!{}", "p4ss-{}", "{}Zq9", "tr0ub4dor{}", "{}", "Winter2024{}", "qwerty{}7"];
    let mut all = Vec::new();
    for (at, place) in places.iter().enumerate() {
        let chance = drawn(1000 + at as u64, 12, WORD);
        let secret = values[at % values.len()].replace("{}", &chance);
        // Escaping of characters is not tested here.
        let secret = if place.contains("://") || place.contains("Bearer") { secret.replace('!', "0") } else { secret };
        all.push((place.replacen("{}", &secret, 1), secret));
    }
    // Also one short value of letters only, in most places.
    for (at, place) in places.iter().enumerate().filter(|(_, place)| {
        !place.contains("JSESSIONID")
            && !place.contains("_authToken")
            && !place.contains("Auth-Token")
            && !place.contains("X-Api-Key: ")
    }) {
        if place.contains("oken") || place.contains("access_token") || at % 2 == 0 {
            continue;
        }
        let secret = format!("rosebud{}", drawn(5000 + at as u64, 3, "klmnz"));
        all.push((place.replacen("{}", &secret, 1), secret));
    }
    all
}

/// Secrets of several lines or several values.
fn others() -> Vec<(String, String)> {
    let line = |seed| drawn(seed, 64, &format!("{WORD}+/"));
    let marks = |kind: &str| {
        (["-----BEGIN ", kind, "PRIVATE", " KEY-----"].concat(), ["-----END ", kind, "PRIVATE", " KEY-----"].concat())
    };
    let mut all = Vec::new();
    for (seed, kind) in [(1, ""), (2, "RSA "), (3, "EC "), (4, "OPENSSH "), (5, "ENCRYPTED ")] {
        let (begin, end) = marks(kind);
        let (first, last) = (line(9000 + seed), drawn(9100 + seed, 22, WORD));
        all.push((format!("{begin}\n{first}\n{last}==\n{end}"), first.clone()));
        all.push((format!("{begin}\n{first}\n{last}==\n{end}"), last.clone()));
        all.push((
            format!("String pem = \"{begin}\\n\" +\n    \"{first}\\n\" +\n    \"{last}\\n{end}\";"),
            last.clone(),
        ));
        all.push((
            format!("{{\"type\": \"service_account\", \"private_key\": \"{begin}\\n{first}\\n{last}\\n{end}\\n\"}}"),
            first.clone(),
        ));
        all.push((format!("cert: |\n  {begin}\n  {first}\n  {last}"), first));
    }
    let key = drawn(9300, 86, &format!("{WORD}+/"));
    all.push((
        format!("DefaultEndpointsProtocol=https;AccountName=x;AccountKey={key}==;EndpointSuffix=core.example"),
        key.clone(),
    ));
    all.push((
        format!("Endpoint=sb://x.example/;SharedAccessKeyName=root;SharedAccessKey={}=", &key[..43]),
        key[..43].to_owned(),
    ));
    all.push((
        format!("https://x.blob.example/c?sv=2024&sig={}%3D", &key[..40].replace(['+', '/'], "a")),
        key[..40].replace(['+', '/'], "a"),
    ));
    let aws = drawn(9301, 40, WORD);
    all.push((format!("aws_secret_access_key = {aws}"), aws.clone()));
    all.push((format!("new BasicAWSCredentials(\"x\", \"{aws}\")"), aws));
    let basic = drawn(9302, 20, WORD);
    all.push((format!("Authorization: Basic {basic}=="), basic.clone()));
    all.push((format!("headers.set(\"Authorization\", \"Basic {basic}\");"), basic));
    for (at, name) in
        ["encryption.salt", "request.signature", "session", "auth", "licence-key", "aes.iv"].iter().enumerate()
    {
        let value = format!("{}9a7b3", drawn(9400 + at as u64, 24, WORD));
        all.push((format!("{name}={value}"), value.clone()));
        all.push((format!("\"{name}\": \"{value}\""), value));
    }
    all
}
