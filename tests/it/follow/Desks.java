package com.acme;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.List;
import org.springframework.data.domain.Sort;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/desks")
public class Desks {

    @Entity
    public static class Desk {
        @Id
        private Long id;
        @Column(nullable = false)
        private String name;
        private boolean taken;

        public Long getId() {
            return id;
        }

        public String getName() {
            return name;
        }

        public boolean isTaken() {
            return taken;
        }

        public void setTaken(boolean taken) {
            this.taken = taken;
        }
    }

    public interface DeskRepository extends JpaRepository<Desk, Long> {}

    private final DeskRepository desks;

    public Desks(DeskRepository desks) {
        this.desks = desks;
    }

    @GetMapping
    public List<Desk> all() {
        return desks.findAll(Sort.by("id"));
    }

    @GetMapping("/{id}")
    public ResponseEntity<Desk> one(@PathVariable long id) {
        return desks.findById(id).map(ResponseEntity::ok).orElseGet(() -> ResponseEntity.notFound().build());
    }

    @PutMapping("/{id}/taken")
    public ResponseEntity<Void> take(@PathVariable long id) {
        Desk desk = desks.findById(id).orElse(null);
        if (desk == null) {
            return ResponseEntity.notFound().build();
        }
        if (desk.isTaken()) {
            return ResponseEntity.status(409).build();
        }
        desk.setTaken(true);
        desks.save(desk);
        return ResponseEntity.noContent().build();
    }

    @DeleteMapping("/{id}")
    public ResponseEntity<Void> remove(@PathVariable long id) {
        Desk desk = desks.findById(id).orElse(null);
        if (desk == null) {
            return ResponseEntity.notFound().build();
        }
        desks.delete(desk);
        return ResponseEntity.noContent().build();
    }
}
