package com.example.orders.product;

import com.example.orders.web.ConflictException;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

@Entity
@Table(name = "products")
public class Product {

    @Id
    private String sku;

    @Column(nullable = false)
    private String name;

    @Column(name = "price_cents", nullable = false)
    private long priceCents;

    @Column(nullable = false)
    private int stock;

    protected Product() {
    }

    public Product(String sku, String name, long priceCents, int stock) {
        this.sku = sku;
        this.name = name;
        this.priceCents = priceCents;
        this.stock = stock;
    }

    public String getSku() {
        return sku;
    }

    public String getName() {
        return name;
    }

    public long getPriceCents() {
        return priceCents;
    }

    public int getStock() {
        return stock;
    }

    /** Takes goods from the shelf to ship them. */
    public void take(int quantity) {
        if (quantity > stock) {
            throw new ConflictException("not enough of " + sku + " in stock");
        }
        stock = stock - quantity;
    }
}
