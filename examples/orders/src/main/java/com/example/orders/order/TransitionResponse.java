package com.example.orders.order;

public record TransitionResponse(OrderStatus from, OrderStatus to, boolean allowed) {
}
