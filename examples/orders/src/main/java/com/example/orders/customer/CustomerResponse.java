package com.example.orders.customer;

public record CustomerResponse(Long id, String name, String email, String country) {

    static CustomerResponse of(Customer customer) {
        return new CustomerResponse(
                customer.getId(), customer.getName(), customer.getEmail(), customer.getCountry());
    }
}
