package com.example.orders.quote;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/quotes")
public class QuoteController {

    private final PriceCalculator calculator;

    public QuoteController(PriceCalculator calculator) {
        this.calculator = calculator;
    }

    @GetMapping
    public QuoteResponse quote(
            @RequestParam int quantity,
            @RequestParam long unitPriceCents,
            @RequestParam(required = false) String coupon) {
        return calculator.quote(quantity, unitPriceCents, coupon);
    }
}
