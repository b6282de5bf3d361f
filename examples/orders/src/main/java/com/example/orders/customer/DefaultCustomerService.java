package com.example.orders.customer;

import com.example.orders.order.OrderRepository;
import com.example.orders.shipping.ZoneDirectory;
import com.example.orders.web.ConflictException;
import com.example.orders.web.NotFoundException;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
@Transactional
class DefaultCustomerService implements CustomerService {

    private final CustomerRepository customers;
    private final OrderRepository orders;
    private final ZoneDirectory zones;

    DefaultCustomerService(CustomerRepository customers, OrderRepository orders, ZoneDirectory zones) {
        this.customers = customers;
        this.orders = orders;
        this.zones = zones;
    }

    @Override
    public CustomerResponse register(CustomerRequest request) {
        if (zones.find(request.country()) == null) {
            throw new IllegalArgumentException("we do not ship to this country");
        }
        if (customers.existsByEmail(request.email())) {
            throw new ConflictException("this address is registered already");
        }
        Customer customer = new Customer(request.name(), request.email(), request.country());
        return CustomerResponse.of(customers.save(customer));
    }

    @Override
    @Transactional(readOnly = true)
    public CustomerResponse find(long id) {
        return CustomerResponse.of(load(id));
    }

    @Override
    public void remove(long id) {
        Customer customer = load(id);
        if (orders.existsByCustomerId(id)) {
            throw new ConflictException("customer " + id + " has orders");
        }
        customers.delete(customer);
    }

    private Customer load(long id) {
        return customers.findById(id).orElseThrow(() -> new NotFoundException("no customer " + id));
    }
}
