package org.apache.commons.lang3.mutable;

/** A mutable int. */
public class MutableInt extends Number implements Comparable<MutableInt> {
    private int value;

    public MutableInt() {
    }

    public MutableInt(int value) {
        this.value = value;
    }

    public MutableInt(Number value) {
        this.value = value.intValue();
    }

    public MutableInt(String value) {
        this.value = Integer.parseInt(value);
    }

    public Integer getValue() {
        return Integer.valueOf(value);
    }

    public void setValue(int value) {
        this.value = value;
    }

    public void setValue(Number value) {
        this.value = value.intValue();
    }

    public void increment() {
        value++;
    }

    public int incrementAndGet() {
        value++;
        return value;
    }

    public int getAndIncrement() {
        value++;
        return value - 1;
    }

    public void decrement() {
        value--;
    }

    public int decrementAndGet() {
        value--;
        return value;
    }

    public int getAndDecrement() {
        value--;
        return value + 1;
    }

    public void add(int operand) {
        value += operand;
    }

    public void add(Number operand) {
        value += operand.intValue();
    }

    public int addAndGet(int operand) {
        value += operand;
        return value;
    }

    public int addAndGet(Number operand) {
        value += operand.intValue();
        return value;
    }

    public int getAndAdd(int operand) {
        int last = value;
        value += operand;
        return last;
    }

    public int getAndAdd(Number operand) {
        int last = value;
        value += operand.intValue();
        return last;
    }

    public void subtract(int operand) {
        value -= operand;
    }

    public void subtract(Number operand) {
        value -= operand.intValue();
    }

    @Override
    public int intValue() {
        return value;
    }

    @Override
    public long longValue() {
        return value;
    }

    @Override
    public float floatValue() {
        return value;
    }

    @Override
    public double doubleValue() {
        return value;
    }

    public Integer toInteger() {
        return Integer.valueOf(value);
    }

    @Override
    public int compareTo(MutableInt other) {
        return Integer.compare(value, other.value);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MutableInt && value == ((MutableInt) other).value;
    }

    @Override
    public int hashCode() {
        return value;
    }

    @Override
    public String toString() {
        return String.valueOf(value);
    }
}
