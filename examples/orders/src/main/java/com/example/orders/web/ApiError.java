package com.example.orders.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/** The body of every error that the service answers itself. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ApiError(String code, String message, List<FieldProblem> fields) {

    public ApiError(String code, String message) {
        this(code, message, null);
    }

    /** One field of the request that did not pass validation. */
    public record FieldProblem(String field, String message) {
    }
}
