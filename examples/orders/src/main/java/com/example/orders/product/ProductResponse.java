package com.example.orders.product;

public record ProductResponse(String sku, String name, long priceCents, boolean available) {

    static ProductResponse of(Product product) {
        return new ProductResponse(
                product.getSku(), product.getName(), product.getPriceCents(), product.getStock() > 0);
    }
}
