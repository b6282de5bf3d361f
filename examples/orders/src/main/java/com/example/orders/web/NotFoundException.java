package com.example.orders.web;

/** There is no record with the identifier that was asked for. */
public class NotFoundException extends RuntimeException {

    public NotFoundException(String message) {
        super(message);
    }
}
