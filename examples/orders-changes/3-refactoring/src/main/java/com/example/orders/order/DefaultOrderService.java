package com.example.orders.order;

import com.example.orders.config.ListingProperties;
import com.example.orders.customer.CustomerRepository;
import com.example.orders.product.Product;
import com.example.orders.product.ProductRepository;
import com.example.orders.quote.PriceCalculator;
import com.example.orders.web.ConflictException;
import com.example.orders.web.NotFoundException;
import java.time.Instant;
import java.util.List;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
@Transactional
class DefaultOrderService implements OrderService {

    private final OrderRepository orders;
    private final CustomerRepository customers;
    private final ProductRepository products;
    private final PriceCalculator calculator;
    private final ListingProperties listing;

    DefaultOrderService(
            OrderRepository orders,
            CustomerRepository customers,
            ProductRepository products,
            PriceCalculator calculator,
            ListingProperties listing) {
        this.orders = orders;
        this.customers = customers;
        this.products = products;
        this.calculator = calculator;
        this.listing = listing;
    }

    @Override
    @Transactional(readOnly = true)
    public List<OrderResponse> search(OrderStatus status, Long customerId) {
        return orders.search(status, customerId, Limit.of(listing.maxResults())).stream()
                .map(OrderResponse::of)
                .toList();
    }

    @Override
    public OrderResponse place(OrderRequest request) {
        if (request.giftWrap() && request.note() == null) {
            throw new IllegalArgumentException("a gift needs a note");
        }
        for (OrderLineRequest line : request.lines()) {
            calculator.checkQuantity(line.quantity());
        }
        if (!customers.existsById(request.customerId())) {
            throw new NotFoundException("no customer " + request.customerId());
        }
        Order placed = new Order(request.customerId(), request.note(), request.giftWrap(), Instant.now());
        for (OrderLineRequest line : request.lines()) {
            Product product = product(line.sku());
            placed.add(product.getSku(), line.quantity(), product.getPriceCents());
        }
        return OrderResponse.of(orders.save(placed));
    }

    @Override
    @Transactional(readOnly = true)
    public OrderResponse find(long id) {
        return OrderResponse.of(existing(id));
    }

    @Override
    public OrderResponse change(long id, OrderPatch patch) {
        checkNotEmpty(patch);
        Order order = existing(id);
        if (order.getStatus().isFinal()) {
            throw new ConflictException("order " + id + " is over");
        }
        if (patch.note() != null) {
            order.setNote(patch.note());
        }
        if (patch.giftWrap() != null) {
            order.setGiftWrap(patch.giftWrap());
        }
        return OrderResponse.of(order);
    }

    @Override
    public OrderResponse advance(long id, OrderStatus next) {
        if (next == OrderStatus.NEW) {
            throw new IllegalArgumentException("an order is new only once");
        }
        Order order = existing(id);
        order.become(next);
        if (next == OrderStatus.SHIPPED) {
            pick(order);
        }
        return OrderResponse.of(order);
    }

    @Override
    public void archive(long id) {
        Order order = existing(id);
        if (!order.getStatus().isFinal()) {
            throw new ConflictException("order " + id + " is not over");
        }
        order.setArchived(true);
    }

    @Override
    public void remove(long id) {
        Order order = existing(id);
        if (order.getStatus() != OrderStatus.NEW && order.getStatus() != OrderStatus.CANCELLED) {
            throw new ConflictException("order " + id + " is under way");
        }
        orders.delete(order);
    }

    private static void checkNotEmpty(OrderPatch patch) {
        if (patch.giftWrap() == null && patch.note() == null) {
            throw new IllegalArgumentException("there is nothing to change");
        }
    }

    private void pick(Order order) {
        for (OrderLine line : order.getLines()) {
            product(line.getSku()).take(line.getQuantity());
        }
    }

    private Order existing(long id) {
        return orders.findByIdAndArchivedFalse(id).orElseThrow(() -> new NotFoundException("no order " + id));
    }

    private Product product(String sku) {
        return products.findById(sku).orElseThrow(() -> new NotFoundException("no product " + sku));
    }
}
