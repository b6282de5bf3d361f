package com.example.orders.admin;

import com.example.orders.order.OrderRepository;
import com.example.orders.order.OrderService;
import com.example.orders.order.OrderStatus;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The back office. Who may come in is decided in the security configuration. */
@RestController
@RequestMapping("/admin")
public class AdminController {

    private final OrderService service;
    private final OrderRepository orders;

    public AdminController(OrderService service, OrderRepository orders) {
        this.service = service;
        this.orders = orders;
    }

    @GetMapping("/summary")
    public SummaryResponse summary() {
        long open = orders.countByStatus(OrderStatus.NEW) + orders.countByStatus(OrderStatus.PAID);
        return new SummaryResponse(
                open,
                orders.countByStatus(OrderStatus.SHIPPED),
                orders.countByStatus(OrderStatus.DELIVERED),
                orders.countByStatus(OrderStatus.CANCELLED));
    }

    @PostMapping("/orders/{id}/archive")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    public void archive(@PathVariable long id) {
        service.archive(id);
    }
}
