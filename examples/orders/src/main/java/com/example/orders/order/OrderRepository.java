package com.example.orders.order;

import java.util.List;
import java.util.Optional;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

public interface OrderRepository extends JpaRepository<Order, Long> {

    Optional<Order> findByIdAndArchivedFalse(long id);

    boolean existsByCustomerId(long customerId);

    long countByStatus(OrderStatus status);

    @Query("""
            select o from Order o
            where o.archived = false
              and (:status is null or o.status = :status)
              and (:customerId is null or o.customerId = :customerId)
            order by o.id""")
    List<Order> search(OrderStatus status, Long customerId, Limit limit);
}
