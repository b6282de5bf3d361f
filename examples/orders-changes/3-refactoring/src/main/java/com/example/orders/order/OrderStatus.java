package com.example.orders.order;

/** The life of an order: NEW, PAID, SHIPPED, DELIVERED; or CANCELLED before it is shipped. */
public enum OrderStatus {
    NEW,
    PAID,
    SHIPPED,
    DELIVERED,
    CANCELLED;

    /** Whether nothing follows any more. */
    public boolean isFinal() {
        return this == CANCELLED || this == DELIVERED;
    }

    /** Whether an order in this status may go on to the other one. */
    public boolean canBecome(OrderStatus other) {
        if (this == SHIPPED) {
            return other == DELIVERED;
        }
        // Before it is shipped, an order can be cancelled.
        if (this == NEW) {
            return other == CANCELLED || other == PAID;
        }
        if (this == PAID) {
            return other == CANCELLED || other == SHIPPED;
        }
        return false;
    }
}
