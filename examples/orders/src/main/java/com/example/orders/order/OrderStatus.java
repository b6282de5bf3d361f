package com.example.orders.order;

/** The life of an order: NEW, PAID, SHIPPED, DELIVERED; or CANCELLED before it is shipped. */
public enum OrderStatus {
    NEW,
    PAID,
    SHIPPED,
    DELIVERED,
    CANCELLED;

    /** Whether an order in this status may go on to the other one. */
    public boolean canBecome(OrderStatus next) {
        if (this == NEW) {
            return next == PAID || next == CANCELLED;
        }
        if (this == PAID) {
            return next == SHIPPED || next == CANCELLED;
        }
        if (this == SHIPPED) {
            return next == DELIVERED;
        }
        return false;
    }

    /** Whether nothing follows any more. */
    public boolean isFinal() {
        return this == DELIVERED || this == CANCELLED;
    }
}
