package com.example.orders.order;

import jakarta.validation.constraints.NotNull;

public record StatusRequest(@NotNull OrderStatus status) {
}
