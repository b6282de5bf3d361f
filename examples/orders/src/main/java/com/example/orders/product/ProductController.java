package com.example.orders.product;

import com.example.orders.web.NotFoundException;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

@RestController
@RequestMapping("/products")
public class ProductController {

    static final int MIN_SKU_LENGTH = 4;
    static final int MAX_SKU_LENGTH = 12;

    private final ProductRepository products;

    public ProductController(ProductRepository products) {
        this.products = products;
    }

    @GetMapping("/{sku}")
    public ProductResponse find(@PathVariable String sku) {
        if (sku.length() < MIN_SKU_LENGTH || sku.length() > MAX_SKU_LENGTH) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "an article number has 4 to 12 characters");
        }
        return products.findById(sku)
                .map(ProductResponse::of)
                .orElseThrow(() -> new NotFoundException("no product " + sku));
    }
}
