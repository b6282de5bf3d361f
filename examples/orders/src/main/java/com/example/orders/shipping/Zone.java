package com.example.orders.shipping;

/** Where we ship to, and how long that takes. */
public record Zone(String country, String name, int days) {
}
