package com.acme;

import jakarta.annotation.PostConstruct;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/tickets")
public class Tickets {

    public record Ticket(long id, String title, String status) {}

    public record NewTicket(String title) {}

    public record Board(Iterable<Ticket> tickets, long served) {}

    private final Map<Long, Ticket> tickets = new ConcurrentHashMap<>();
    private long served;

    @PostConstruct
    void load() {
        tickets.put(1L, new Ticket(1, "Leak", "OPEN"));
        tickets.put(2L, new Ticket(2, "Noise", "OPEN"));
    }

    @GetMapping
    public Board all() {
        return new Board(tickets.values(), ++served);
    }

    @GetMapping("/{id}")
    public ResponseEntity<Ticket> one(@PathVariable long id) {
        return ResponseEntity.of(java.util.Optional.ofNullable(tickets.get(id)));
    }

    @PostMapping
    public ResponseEntity<Ticket> open(@RequestBody NewTicket request) {
        if (request.title() == null) {
            return ResponseEntity.badRequest().build();
        }
        Ticket ticket = new Ticket(tickets.size() + 1, request.title(), "OPEN");
        tickets.put(ticket.id(), ticket);
        return ResponseEntity.created(URI.create("/tickets/" + ticket.id())).body(ticket);
    }

    @PutMapping("/{id}/closed")
    public ResponseEntity<Void> close(@PathVariable long id) {
        Ticket ticket = tickets.get(id);
        if (ticket == null) {
            return ResponseEntity.notFound().build();
        }
        tickets.put(id, new Ticket(id, ticket.title(), "CLOSED"));
        return ResponseEntity.noContent().build();
    }

    @DeleteMapping("/{id}")
    public ResponseEntity<Void> remove(@PathVariable long id) {
        return tickets.remove(id) == null ? ResponseEntity.notFound().build() : ResponseEntity.noContent().build();
    }
}
