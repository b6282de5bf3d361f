package com.example.orders.customer;

import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

public record CustomerRequest(
        @NotBlank @Size(max = 80) String name,
        @NotBlank @Email @Size(max = 255) String email,
        @NotNull @Pattern(regexp = "[A-Z]{2}") String country) {
}
