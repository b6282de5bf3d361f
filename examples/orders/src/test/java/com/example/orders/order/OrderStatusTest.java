package com.example.orders.order;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class OrderStatusTest {

    @ParameterizedTest
    @CsvSource({"NEW,PAID", "NEW,CANCELLED", "PAID,SHIPPED", "PAID,CANCELLED", "SHIPPED,DELIVERED"})
    void goesOn(OrderStatus from, OrderStatus to) {
        assertThat(from.canBecome(to)).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void nothingFollowsTheEnd(OrderStatus next) {
        assertThat(OrderStatus.DELIVERED.canBecome(next)).isFalse();
        assertThat(OrderStatus.CANCELLED.canBecome(next)).isFalse();
    }

    @Test
    void whatIsShippedCannotBeCancelled() {
        assertThat(OrderStatus.SHIPPED.canBecome(OrderStatus.CANCELLED)).isFalse();
    }
}
