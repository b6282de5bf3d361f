package com.example.orders.quote;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** Works out what a line costs. Pure: no store, no clock. All money is in cents. */
@Component
public class PriceCalculator {

    /** How many of one product a customer may take at once. */
    public static final int MAX_QUANTITY = 12;

    /** Volume and coupon together never take off more than this. */
    static final int MAX_DISCOUNT_PERCENT = 15;

    static final long MAX_UNIT_PRICE_CENTS = 1_000_000;

    private final String currency;

    public PriceCalculator(@Value("${orders.currency:EUR}") String currency) {
        this.currency = currency;
    }

    public QuoteResponse quote(int quantity, long unitPriceCents, String coupon) {
        checkQuantity(quantity);
        if (unitPriceCents <= 0) {
            throw new IllegalArgumentException("the unit price must be positive");
        }
        if (unitPriceCents > MAX_UNIT_PRICE_CENTS) {
            throw new IllegalArgumentException("the unit price is too high for a quote");
        }
        int percent = discountPercent(quantity, coupon);
        long subtotal = quantity * unitPriceCents;
        long discount = subtotal * percent / 100;
        return new QuoteResponse(quantity, unitPriceCents, percent, subtotal - discount, currency);
    }

    /** Throws unless that many can be ordered at once. */
    public void checkQuantity(int quantity) {
        if (quantity < 1) {
            throw new IllegalArgumentException("the quantity must be at least 1");
        }
        if (quantity > MAX_QUANTITY) {
            throw new IllegalArgumentException("the quantity is above the limit");
        }
    }

    private int discountPercent(int quantity, String coupon) {
        int percent = volumeDiscount(quantity) + couponDiscount(coupon);
        if (percent > MAX_DISCOUNT_PERCENT) {
            return MAX_DISCOUNT_PERCENT;
        }
        return percent;
    }

    private int volumeDiscount(int quantity) {
        if (quantity >= 8) {
            return 10;
        }
        if (quantity >= 4) {
            return 5;
        }
        return 0;
    }

    private int couponDiscount(String coupon) {
        if (coupon == null) {
            return 0;
        }
        if (coupon.length() != 6) {
            throw new IllegalArgumentException("a coupon has six characters");
        }
        if (coupon.equals("SAVE05")) {
            return 5;
        }
        if (coupon.equals("SAVE10")) {
            return 10;
        }
        throw new IllegalArgumentException("this coupon is not known");
    }
}
