insert into customers (id, name, email, country) values
    (1, 'Ada Weber', 'ada@example.com', 'DE'),
    (2, 'Luc Martin', 'luc@example.com', 'FR'),
    (3, 'Nora Gruber', 'nora@example.com', 'AT');

insert into products (sku, name, price_cents, stock) values
    ('MUG-001', 'Mug, white', 990, 120),
    ('MUG-002', 'Mug, blue', 1190, 0),
    ('TEE-001', 'T-shirt', 2490, 3);

insert into orders (id, customer_id, status, note, gift_wrap, archived, created_at) values
    (1, 1, 'NEW', null, false, false, timestamp with time zone '2024-03-01 09:00:00+00:00'),
    (2, 1, 'PAID', 'Happy birthday', true, false, timestamp with time zone '2024-03-02 10:30:00+00:00'),
    (3, 2, 'DELIVERED', null, false, false, timestamp with time zone '2024-03-03 11:45:00+00:00'),
    (4, 2, 'CANCELLED', null, false, true, timestamp with time zone '2024-03-04 12:15:00+00:00'),
    (5, 2, 'PAID', null, false, false, timestamp with time zone '2024-03-05 13:00:00+00:00');

insert into order_lines (order_id, sku, quantity, unit_price_cents) values
    (1, 'MUG-001', 2, 990),
    (2, 'TEE-001', 1, 2490),
    (2, 'MUG-001', 1, 990),
    (3, 'MUG-002', 4, 1190),
    (4, 'TEE-001', 1, 2490),
    (5, 'MUG-002', 1, 1190);

-- What is inserted above names its ids; the next ones are given out from here.
alter table customers alter column id restart with 4;
alter table orders alter column id restart with 6;
