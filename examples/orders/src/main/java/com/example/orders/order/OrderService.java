package com.example.orders.order;

import java.util.List;

public interface OrderService {

    /** Orders that are not archived, oldest first; null stands for any. */
    List<OrderResponse> search(OrderStatus status, Long customerId);

    OrderResponse place(OrderRequest request);

    OrderResponse find(long id);

    OrderResponse change(long id, OrderPatch patch);

    OrderResponse advance(long id, OrderStatus next);

    void remove(long id);

    /** Hides an order that is over. */
    void archive(long id);
}
