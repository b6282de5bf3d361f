package com.example.orders.quote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PriceCalculatorTest {

    private final PriceCalculator calculator = new PriceCalculator("EUR");

    @ParameterizedTest
    @CsvSource({"1,,0", "3,,0", "4,,5", "7,SAVE05,10", "8,,10", "8,SAVE10,15"})
    void volumeAndCouponAddUpToAtMostFifteenPercent(int quantity, String coupon, int percent) {
        assertThat(calculator.quote(quantity, 1000, coupon).discountPercent()).isEqualTo(percent);
    }

    @Test
    void takesTheDiscountOffTheTotal() {
        assertThat(calculator.quote(4, 990, null).totalCents()).isEqualTo(3762);
    }

    @Test
    void takesQuantitiesUpToTheLimit() {
        assertThat(calculator.quote(10, 1000, null).totalCents()).isEqualTo(9000);
        assertThatIllegalArgumentException().isThrownBy(() -> calculator.quote(11, 1000, null));
        assertThatIllegalArgumentException().isThrownBy(() -> calculator.quote(0, 1000, null));
    }

    @Test
    void knowsItsCoupons() {
        assertThatIllegalArgumentException().isThrownBy(() -> calculator.quote(1, 1000, "SAVE99"));
        assertThatIllegalArgumentException().isThrownBy(() -> calculator.quote(1, 1000, "SAVE"));
    }
}
