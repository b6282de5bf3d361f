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
        Order order = new Order(request.customerId(), request.note(), request.giftWrap(), Instant.now());
        for (OrderLineRequest line : request.lines()) {
            Product product = product(line.sku());
            order.add(product.getSku(), line.quantity(), product.getPriceCents());
        }
        return OrderResponse.of(orders.save(order));
    }

    @Override
    @Transactional(readOnly = true)
    public OrderResponse find(long id) {
        return OrderResponse.of(load(id));
    }

    @Override
    public OrderResponse change(long id, OrderPatch patch) {
        if (patch.note() == null && patch.giftWrap() == null) {
            throw new IllegalArgumentException("there is nothing to change");
        }
        Order order = load(id);
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
        Order order = load(id);
        order.become(next);
        if (next == OrderStatus.SHIPPED) {
            takeFromStock(order);
        }
        return OrderResponse.of(order);
    }

    @Override
    public void remove(long id) {
        Order order = load(id);
        if (order.getStatus() != OrderStatus.NEW && order.getStatus() != OrderStatus.CANCELLED) {
            throw new ConflictException("order " + id + " is under way");
        }
        orders.delete(order);
    }

    @Override
    public void archive(long id) {
        Order order = load(id);
        if (!order.getStatus().isFinal()) {
            throw new ConflictException("order " + id + " is not over");
        }
        order.setArchived(true);
    }

    private void takeFromStock(Order order) {
        for (OrderLine line : order.getLines()) {
            product(line.getSku()).take(line.getQuantity());
        }
    }

    private Order load(long id) {
        return orders.findByIdAndArchivedFalse(id).orElseThrow(() -> new NotFoundException("no order " + id));
    }

    private Product product(String sku) {
        return products.findById(sku).orElseThrow(() -> new NotFoundException("no product " + sku));
    }
}
