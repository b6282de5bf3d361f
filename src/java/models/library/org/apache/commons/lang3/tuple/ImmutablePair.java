package org.apache.commons.lang3.tuple;

import java.util.Map;
import java.util.Objects;

/** An immutable pair. */
public class ImmutablePair<L, R> extends Pair<L, R> {
    public final L left;
    public final R right;

    public ImmutablePair(L left, R right) {
        this.left = left;
        this.right = right;
    }

    public static <L, R> ImmutablePair<L, R> of(L left, R right) {
        return new ImmutablePair<>(left, right);
    }

    public static <L, R> ImmutablePair<L, R> of(Map.Entry<L, R> entry) {
        return entry == null ? nullPair() : new ImmutablePair<>(entry.getKey(), entry.getValue());
    }

    public static <L, R> ImmutablePair<L, R> nullPair() {
        return new ImmutablePair<>(null, null);
    }

    public static <L, R> Pair<L, R> left(L left) {
        return new ImmutablePair<>(left, null);
    }

    public static <L, R> Pair<L, R> right(R right) {
        return new ImmutablePair<>(null, right);
    }

    @Override
    public L getLeft() {
        return left;
    }

    @Override
    public R getRight() {
        return right;
    }

    @Override
    public R setValue(R value) {
        throw new UnsupportedOperationException();
    }
}
