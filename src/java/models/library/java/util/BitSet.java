package java.util;

import java.util.stream.IntStream;

/** A set of small non-negative integers, stored as one boolean each. */
public class BitSet implements Cloneable {
    private boolean[] bits;
    /** Capacity in 64-bit words: as requested, or as grown since. */
    private int words;

    public BitSet() {
        this(64);
    }

    public BitSet(int space) {
        if (space < 0) {
            throw new NegativeArraySizeException("nbits < 0: " + space);
        }
        bits = new boolean[space];
        words = (space + 63) / 64;
    }

    public static BitSet valueOf(long[] values) {
        BitSet made = new BitSet(0);
        for (int i = 0; i < values.length * 64; i++) {
            if ((values[i / 64] >>> (i % 64) & 1L) == 1L) {
                made.set(i);
            }
        }
        made.words = made.used();
        return made;
    }

    public long[] toLongArray() {
        long[] values = new long[used()];
        for (int i = nextSetBit(0); i >= 0; i = nextSetBit(i + 1)) {
            values[i / 64] = values[i / 64] | 1L << (i % 64);
        }
        return values;
    }

    public boolean get(int index) {
        check(index, "bitIndex");
        return index < bits.length && bits[index];
    }

    public BitSet get(int from, int to) {
        check(from, to);
        BitSet part = new BitSet(0);
        for (int i = from; i < Math.min(to, bits.length); i++) {
            part.put(i - from, bits[i]);
        }
        return part;
    }

    public void set(int index) {
        check(index, "bitIndex");
        put(index, true);
    }

    public void set(int index, boolean value) {
        check(index, "bitIndex");
        put(index, value);
    }

    public void set(int from, int to) {
        set(from, to, true);
    }

    public void set(int from, int to, boolean value) {
        check(from, to);
        for (int i = from; i < to; i++) {
            put(i, value);
        }
    }

    public void clear() {
        bits = new boolean[bits.length];
    }

    public void clear(int index) {
        check(index, "bitIndex");
        put(index, false);
    }

    public void clear(int from, int to) {
        set(from, to, false);
    }

    public void flip(int index) {
        check(index, "bitIndex");
        put(index, !get(index));
    }

    public void flip(int from, int to) {
        check(from, to);
        for (int i = from; i < to; i++) {
            put(i, !get(i));
        }
    }

    public int nextSetBit(int from) {
        check(from, "fromIndex");
        for (int i = from; i < bits.length; i++) {
            if (bits[i]) {
                return i;
            }
        }
        return -1;
    }

    public int nextClearBit(int from) {
        check(from, "fromIndex");
        int i = from;
        while (i < bits.length && bits[i]) {
            i++;
        }
        return i;
    }

    public int previousSetBit(int from) {
        return previous(from, true);
    }

    public int previousClearBit(int from) {
        return previous(from, false);
    }

    private int previous(int from, boolean value) {
        if (from < -1) {
            throw new IndexOutOfBoundsException("fromIndex < -1: " + from);
        }
        int i = from;
        while (i >= 0 && get(i) != value) {
            i--;
        }
        return i;
    }

    public int length() {
        int i = bits.length;
        while (i > 0 && !bits[i - 1]) {
            i--;
        }
        return i;
    }

    public int size() {
        return words * 64;
    }

    public boolean isEmpty() {
        return length() == 0;
    }

    public int cardinality() {
        int count = 0;
        for (boolean bit : bits) {
            if (bit) {
                count++;
            }
        }
        return count;
    }

    public boolean intersects(BitSet other) {
        for (int i = nextSetBit(0); i >= 0; i = nextSetBit(i + 1)) {
            if (other.get(i)) {
                return true;
            }
        }
        return false;
    }

    public void and(BitSet other) {
        int length = other.length();
        for (int i = 0; i < bits.length; i++) {
            bits[i] = bits[i] && i < length && other.bits[i];
        }
    }

    public void or(BitSet other) {
        int length = other.length();
        for (int i = 0; i < length; i++) {
            put(i, get(i) || other.bits[i]);
        }
    }

    public void xor(BitSet other) {
        int length = other.length();
        for (int i = 0; i < length; i++) {
            put(i, get(i) != other.bits[i]);
        }
    }

    public void andNot(BitSet other) {
        int length = Math.min(bits.length, other.length());
        for (int i = 0; i < length; i++) {
            bits[i] = bits[i] && !other.bits[i];
        }
    }

    public IntStream stream() {
        int[] numbers = new int[cardinality()];
        int at = 0;
        for (int i = nextSetBit(0); i >= 0; i = nextSetBit(i + 1)) {
            numbers[at] = i;
            at++;
        }
        return Arrays.stream(numbers);
    }

    @Override
    public Object clone() {
        BitSet copy = new BitSet(0);
        copy.or(this);
        return copy;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof BitSet)) {
            return false;
        }
        BitSet set = (BitSet) other;
        int length = length();
        if (length != set.length()) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (bits[i] != set.bits[i]) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        long hash = 1234;
        long[] values = toLongArray();
        for (int i = values.length - 1; i >= 0; i--) {
            hash = hash ^ values[i] * (i + 1);
        }
        return (int) (hash >> 32 ^ hash);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("{");
        for (int i = nextSetBit(0); i >= 0; i = nextSetBit(i + 1)) {
            if (text.length() > 1) {
                text.append(", ");
            }
            text.append(i);
        }
        return text.append("}").toString();
    }

    private void put(int index, boolean value) {
        if (index >= bits.length) {
            if (!value) {
                return;
            }
            bits = Arrays.copyOf(bits, Math.max(index + 1, 2 * bits.length));
        }
        if (value && index / 64 >= words) {
            words = Math.max(2 * words, index / 64 + 1);
        }
        bits[index] = value;
    }

    private int used() {
        return (length() + 63) / 64;
    }

    private static void check(int index, String name) {
        if (index < 0) {
            throw new IndexOutOfBoundsException(name + " < 0: " + index);
        }
    }

    private static void check(int from, int to) {
        check(from, "fromIndex");
        check(to, "toIndex");
        if (from > to) {
            throw new IndexOutOfBoundsException("fromIndex: " + from + " > toIndex: " + to);
        }
    }
}
