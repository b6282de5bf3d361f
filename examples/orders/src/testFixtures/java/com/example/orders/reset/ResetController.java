package com.example.orders.reset;

import javax.sql.DataSource;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Brings the database back to its seed, for tests alone: only the Maven profile `resettable` compiles it in. */
@RestController
class ResetController {

    private final JdbcTemplate database;
    private final DataSourceScriptDatabaseInitializer seeds;

    ResetController(DataSource database, DataSourceScriptDatabaseInitializer seeds) {
        this.database = new JdbcTemplate(database);
        this.seeds = seeds;
    }

    @PostMapping("/reset")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void reset() {
        database.execute("drop all objects");
        seeds.initializeDatabase();
    }
}
