package org.apache.commons.lang3.tuple;

import java.util.Map;
import java.util.Objects;

/** A pair of objects, which is also a map entry: the left one is its key, the right one its value. */
public abstract class Pair<L, R> implements Map.Entry<L, R>, Comparable<Pair<L, R>> {
    public static <L, R> Pair<L, R> of(L left, R right) {
        return ImmutablePair.of(left, right);
    }

    public static <L, R> Pair<L, R> of(Map.Entry<L, R> entry) {
        return ImmutablePair.of(entry);
    }

    public abstract L getLeft();

    public abstract R getRight();

    @Override
    public final L getKey() {
        return getLeft();
    }

    @Override
    public R getValue() {
        return getRight();
    }

    @Override
    @SuppressWarnings("unchecked")
    public int compareTo(Pair<L, R> other) {
        int first = compare(getLeft(), other.getLeft());
        return first != 0 ? first : compare(getRight(), other.getRight());
    }

    @SuppressWarnings("unchecked")
    private static int compare(Object a, Object b) {
        if (a == null) {
            return b == null ? 0 : -1;
        }
        return b == null ? 1 : ((Comparable<Object>) a).compareTo(b);
    }

    @Override
    public boolean equals(Object other) {
        if (other == this) {
            return true;
        }
        if (!(other instanceof Map.Entry)) {
            return false;
        }
        Map.Entry<?, ?> entry = (Map.Entry<?, ?>) other;
        return Objects.equals(getKey(), entry.getKey()) && Objects.equals(getValue(), entry.getValue());
    }

    @Override
    public int hashCode() {
        return Objects.hashCode(getKey()) ^ Objects.hashCode(getValue());
    }

    @Override
    public String toString() {
        return "(" + getLeft() + "," + getRight() + ")";
    }

    public String toString(String format) {
        return String.format(format, getLeft(), getRight());
    }
}
