package com.example.orders.shipping;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

@RestController
@RequestMapping("/shipping")
public class ShippingController {

    private final ZoneDirectory zones;

    public ShippingController(ZoneDirectory zones) {
        this.zones = zones;
    }

    @GetMapping("/zones/{country}")
    public ResponseEntity<Zone> zone(@PathVariable String country) {
        if (country.length() != 2) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "a country code has two letters");
        }
        Zone zone = zones.find(country);
        if (zone == null) {
            return ResponseEntity.notFound().build();
        }
        return ResponseEntity.ok(zone);
    }
}
