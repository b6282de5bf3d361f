package com.example.orders.web;

/** The request is well-formed, but the present state does not allow it. */
public class ConflictException extends RuntimeException {

    public ConflictException(String message) {
        super(message);
    }
}
