package com.example.orders.order;

/** An order was asked to go where its status does not lead. */
public class IllegalTransitionException extends RuntimeException {

    public IllegalTransitionException(OrderStatus from, OrderStatus to) {
        super("an order that is " + from + " cannot become " + to);
    }
}
