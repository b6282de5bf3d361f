package com.example.orders.customer;

public interface CustomerService {

    CustomerResponse register(CustomerRequest request);

    CustomerResponse find(long id);

    /** Forgets a customer, who must not have any orders. */
    void remove(long id);
}
