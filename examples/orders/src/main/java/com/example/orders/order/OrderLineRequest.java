package com.example.orders.order;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;

public record OrderLineRequest(
        @NotBlank @Pattern(regexp = "[A-Z]{3}-[0-9]{3}") String sku,
        @NotNull @Min(1) @Max(99) Integer quantity) {
}
