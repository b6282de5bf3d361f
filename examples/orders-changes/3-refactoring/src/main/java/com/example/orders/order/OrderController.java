package com.example.orders.order;

import jakarta.validation.Valid;
import java.net.URI;
import java.util.List;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Orders as customers see them: whatever the back office does is elsewhere. */
@RestController
@RequestMapping("/orders")
public class OrderController {

    private final OrderService orders;

    public OrderController(OrderService orders) {
        this.orders = orders;
    }

    @GetMapping
    public List<OrderResponse> search(
            @RequestParam(required = false) OrderStatus status,
            @RequestParam(required = false) Long customerId) {
        return orders.search(status, customerId);
    }

    @PostMapping
    public ResponseEntity<OrderResponse> place(@Valid @RequestBody OrderRequest request) {
        OrderResponse placed = orders.place(request);
        return ResponseEntity.created(URI.create("/orders/" + placed.id())).body(placed);
    }

    @GetMapping("/transitions")
    public TransitionResponse transition(
            @RequestParam OrderStatus from,
            @RequestParam OrderStatus to) {
        checkDifferent(from, to);
        boolean allowed = from.canBecome(to);
        return new TransitionResponse(from, to, allowed);
    }

    @GetMapping("/{id}")
    public OrderResponse find(@PathVariable long id) {
        return orders.find(id);
    }

    @PatchMapping("/{id}")
    public OrderResponse change(@PathVariable long id, @Valid @RequestBody OrderPatch patch) {
        return orders.change(id, patch);
    }

    @PutMapping("/{id}/status")
    public OrderResponse advance(@PathVariable long id, @Valid @RequestBody StatusRequest request) {
        return orders.advance(id, request.status());
    }

    @DeleteMapping("/{id}")
    public ResponseEntity<Void> remove(@PathVariable long id) {
        orders.remove(id);
        return ResponseEntity.noContent().build();
    }

    private static void checkDifferent(OrderStatus one, OrderStatus other) {
        if (one == other) {
            throw new IllegalArgumentException("that is no transition");
        }
    }
}
