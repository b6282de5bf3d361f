package com.example.orders.order;

import jakarta.validation.Valid;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.util.List;

public record OrderRequest(
        @NotNull Long customerId,
        @NotEmpty @Size(max = 5) List<@NotNull @Valid OrderLineRequest> lines,
        @Size(max = 200) String note,
        boolean giftWrap) {
}
