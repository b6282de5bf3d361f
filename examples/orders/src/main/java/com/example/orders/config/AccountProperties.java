package com.example.orders.config;

import org.springframework.boot.context.properties.ConfigurationProperties;

/** The two accounts of the back office, from {@code orders.accounts.*}. */
@ConfigurationProperties("orders.accounts")
public record AccountProperties(String adminPassword, String clerkPassword) {
}
