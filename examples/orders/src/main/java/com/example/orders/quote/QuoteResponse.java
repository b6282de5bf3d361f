package com.example.orders.quote;

/** What a line would cost now. */
public record QuoteResponse(int quantity, long unitPriceCents, int discountPercent, long totalCents, String currency) {
}
