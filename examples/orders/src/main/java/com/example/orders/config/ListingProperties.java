package com.example.orders.config;

import org.springframework.boot.context.properties.ConfigurationProperties;

/** How lists are cut, from {@code orders.listing.*}. */
@ConfigurationProperties("orders.listing")
public record ListingProperties(int maxResults) {
}
