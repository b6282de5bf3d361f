package com.example.orders.order;

import java.time.Instant;
import java.util.List;

public record OrderResponse(
        Long id,
        long customerId,
        OrderStatus status,
        String note,
        boolean giftWrap,
        List<Line> lines,
        long totalCents,
        Instant createdAt) {

    public record Line(String sku, int quantity, long unitPriceCents) {

        static Line of(OrderLine line) {
            return new Line(line.getSku(), line.getQuantity(), line.getUnitPriceCents());
        }
    }

    static OrderResponse of(Order order) {
        return new OrderResponse(
                order.getId(),
                order.getCustomerId(),
                order.getStatus(),
                order.getNote(),
                order.isGiftWrap(),
                order.getLines().stream().map(Line::of).toList(),
                order.totalCents(),
                order.getCreatedAt());
    }
}
