package com.acme;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import java.util.List;
import org.springframework.data.domain.Sort;
import org.springframework.data.jpa.repository.JpaRepository;
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
@RequestMapping("/badges")
public class Badges {

    @Entity
    public static class Badge {
        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        private Long id;
        @Column(nullable = false)
        private String name;
        private int level;

        public Long getId() {
            return id;
        }

        public void setId(Long id) {
            this.id = id;
        }

        public String getName() {
            return name;
        }

        public void setName(String name) {
            this.name = name;
        }

        public int getLevel() {
            return level;
        }

        public void setLevel(int level) {
            this.level = level;
        }
    }

    public record NewBadge(String name, int level) {}

    public interface BadgeRepository extends JpaRepository<Badge, Long> {
        Badge findByName(String name);
    }

    private final BadgeRepository badges;

    public Badges(BadgeRepository badges) {
        this.badges = badges;
    }

    @GetMapping
    public List<Badge> all() {
        return badges.findAll(Sort.by("id"));
    }

    @GetMapping("/{id}")
    public ResponseEntity<Badge> one(@PathVariable long id) {
        return badges.findById(id).map(ResponseEntity::ok).orElseGet(() -> ResponseEntity.notFound().build());
    }

    @PostMapping
    public ResponseEntity<Badge> make(@RequestBody NewBadge wanted) {
        if (badges.findByName(wanted.name()) != null) {
            return ResponseEntity.status(409).build();
        }
        if (wanted.name() == null || wanted.level() < 10 || wanted.level() > 20) {
            return ResponseEntity.badRequest().build();
        }
        if (wanted.level() == 13) {
            return ResponseEntity.unprocessableEntity().build();
        }
        Badge badge = new Badge();
        badge.setName(wanted.name());
        badge.setLevel(wanted.level());
        return ResponseEntity.status(201).body(badges.save(badge));
    }

    @PutMapping("/{id}")
    public ResponseEntity<Badge> change(@PathVariable long id, @RequestBody NewBadge wanted) {
        Badge badge = badges.findById(id).orElse(null);
        if (badge == null) {
            return ResponseEntity.notFound().build();
        }
        Badge other = badges.findByName(wanted.name());
        if (other != null) {
            return ResponseEntity.status(409).build();
        }
        if (wanted.name() == null || wanted.level() < 10 || wanted.level() > 20) {
            return ResponseEntity.badRequest().build();
        }
        badge.setName(wanted.name());
        badge.setLevel(wanted.level());
        return ResponseEntity.ok(badges.save(badge));
    }

    @DeleteMapping("/{id}")
    public ResponseEntity<Void> remove(@PathVariable long id) {
        if (badges.findById(id).isEmpty()) {
            return ResponseEntity.notFound().build();
        }
        badges.deleteById(id);
        return ResponseEntity.noContent().build();
    }
}
