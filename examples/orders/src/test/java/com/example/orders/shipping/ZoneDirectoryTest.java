package com.example.orders.shipping;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ZoneDirectoryTest {

    private final ZoneDirectory zones = new ZoneDirectory();

    @Test
    void knowsWhereWeShip() {
        assertThat(zones.find("AT").days()).isEqualTo(2);
        assertThat(zones.find("ZZ")).isNull();
    }
}
