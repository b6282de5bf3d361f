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

    static final int SHORTEST_SKU = 4;
    static final int LONGEST_SKU = 12;

    private final ProductRepository products;

    public ProductController(ProductRepository products) {
        this.products = products;
    }

    @GetMapping("/{sku}")
    public ProductResponse find(@PathVariable String sku) {
        checkLength(sku);
        return products.findById(sku)
                .map(ProductResponse::of)
                .orElseThrow(() -> new NotFoundException("no product " + sku));
    }

    /** Spares the database a look-up that cannot succeed. */
    private static void checkLength(String articleNumber) {
        int length = articleNumber.length();
        if (length < SHORTEST_SKU || length > LONGEST_SKU) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "an article number has 4 to 12 characters");
        }
    }
}
