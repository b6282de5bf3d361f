package com.example.orders.admin;

/** How many orders are where, archived ones included. */
public record SummaryResponse(long open, long shipped, long delivered, long cancelled) {
}
