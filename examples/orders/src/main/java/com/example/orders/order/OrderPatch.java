package com.example.orders.order;

import jakarta.validation.constraints.Size;

/** What may be changed about an order; what is left out stays. */
public record OrderPatch(@Size(max = 200) String note, Boolean giftWrap) {
}
