//! Quotients and powers of decimal numbers, with the scales that the documentation of `java.math.BigDecimal`
//! specifies.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use super::decimal::{
    Decimal, MAX_BITS, Outcome, Precision, Refusal, Rounding, digits_of, divide_rounded, saturated, ten_to,
};

impl Decimal {
    fn preferred(&self, divisor: &Self) -> i64 {
        self.wide() - divisor.wide()
    }

    fn by_zero(&self) -> Refusal {
        Refusal::Message(if self.unscaled.is_zero() { "Division undefined" } else { "Division by zero" })
    }

    /// Models `divide(divisor)`: exact, or an exception.
    pub fn divide_exactly(&self, divisor: &Self) -> Outcome {
        if divisor.unscaled.is_zero() {
            return Err(self.by_zero());
        }
        let preferred = saturated(self.preferred(divisor));
        if self.unscaled.is_zero() {
            return Ok(Self::new(0, preferred));
        }
        let common = self.unscaled.gcd(&divisor.unscaled);
        let mut below = (&divisor.unscaled / &common).abs();
        let mut above = &self.unscaled / &common;
        if divisor.unscaled.is_negative() {
            above = -above;
        }
        // The quotient is finite only if the reduced divisor has no prime factors other than two and five.
        let mut places = [0_i64; 2];
        for (count, factor) in places.iter_mut().zip([2_u8, 5]) {
            let factor = BigInt::from(factor);
            loop {
                let (quotient, rest) = below.div_rem(&factor);
                if !rest.is_zero() {
                    break;
                }
                below = quotient;
                *count += 1;
            }
        }
        if !below.is_one() {
            return Err(Refusal::Message("Non-terminating decimal expansion; no exact representable decimal result."));
        }
        let more = places[0].max(places[1]);
        above *= BigInt::from(2).pow((more - places[0]) as u32) * BigInt::from(5).pow((more - places[1]) as u32);
        Self::checked(above, i64::from(preferred) + more)
    }

    /// Models `divide(divisor, scale, rounding)`.
    pub fn divide_to_scale(&self, divisor: &Self, scale: i32, rounding: Rounding) -> Outcome {
        if divisor.unscaled.is_zero() {
            return Err(Refusal::Exception);
        }
        let lift = i64::from(scale) + divisor.wide() - self.wide();
        let (above, below) = if lift >= 0 {
            (&self.unscaled * ten_to(lift as u64)?, divisor.unscaled.clone())
        } else {
            (self.unscaled.clone(), &divisor.unscaled * ten_to((-lift) as u64)?)
        };
        Self::checked(divide_rounded(&above, &below, rounding)?, scale.into())
    }

    /// Models `divide(divisor, precision)`.
    pub fn divide_within(&self, divisor: &Self, to: Precision) -> Outcome {
        if to.digits == 0 {
            return self.divide_exactly(divisor);
        }
        if divisor.unscaled.is_zero() {
            return Err(self.by_zero());
        }
        let preferred = self.preferred(divisor);
        if self.unscaled.is_zero() {
            return Ok(Self::new(0, saturated(preferred)));
        }
        // The scale at which the quotient has exactly the requested number of digits before rounding.
        let digits = i64::from(to.digits);
        let mut lift = digits + divisor.precision() - self.precision();
        let scaled = |lift: i64| -> Outcome<(BigInt, BigInt)> {
            Ok(if lift >= 0 {
                (&self.unscaled * ten_to(lift as u64)?, divisor.unscaled.clone())
            } else {
                (self.unscaled.clone(), &divisor.unscaled * ten_to((-lift) as u64)?)
            })
        };
        let (above, below) = scaled(lift)?;
        if digits_of(&(above / below)) as i64 > digits {
            lift -= 1;
        }
        let (above, below) = scaled(lift)?;
        let exact = (&above % &below).is_zero();
        let quotient = divide_rounded(&above, &below, to.rounding)?;
        let result = Self::checked(quotient, preferred + lift)?;
        if exact { Ok(result.stripped_to(preferred)) } else { result.rounded(to) }
    }

    /// Models `divideToIntegralValue`.
    pub fn divide_to_integer(&self, divisor: &Self) -> Outcome {
        let preferred = saturated(self.preferred(divisor));
        if divisor.unscaled.is_zero() {
            return Err(self.by_zero());
        }
        if self.unscaled.is_zero() {
            return Ok(Self::new(0, preferred));
        }
        let whole = self.divide_to_scale(divisor, 0, Rounding::Down)?;
        if whole.unscaled.is_zero() {
            return Ok(Self::new(0, preferred));
        }
        let whole = whole.stripped_to(preferred.into());
        if whole.scale < preferred { whole.with_scale(preferred, Rounding::Unnecessary) } else { Ok(whole) }
    }

    /// Models `remainder`.
    pub fn remainder(&self, divisor: &Self) -> Outcome {
        self.add(&self.divide_to_integer(divisor)?.multiply(divisor)?.negated())
    }

    /// Models `pow(n)`.
    pub fn power(&self, n: i32) -> Outcome {
        if !(0..=999_999_999).contains(&n) {
            return Err(Refusal::Message("Invalid operation"));
        }
        if self.unscaled.bits().max(1).saturating_mul(n as u64) > MAX_BITS && self.unscaled.bits() > 1 {
            return Err(Refusal::TooLarge);
        }
        Self::checked(self.unscaled.pow(n as u32), self.wide() * i64::from(n))
    }

    /// Models `pow(n, precision)` by the algorithm of ANSI X3.274, as the JDK documents it.
    pub fn power_within(&self, n: i32, to: Precision) -> Outcome {
        if to.digits == 0 {
            return self.power(n);
        }
        if !(-999_999_999..=999_999_999).contains(&n) {
            return Err(Refusal::Message("Invalid operation"));
        }
        if n == 0 {
            return Ok(Self::new(1, 0));
        }
        let length = n.unsigned_abs().to_string().len() as u32;
        if length > to.digits {
            return Err(Refusal::Message("Invalid operation"));
        }
        let work = Precision { digits: to.digits.saturating_add(length + 1), rounding: to.rounding };
        let mut result = Self::new(1, 0);
        let magnitude = n.unsigned_abs();
        let top = 31 - magnitude.leading_zeros();
        for bit in (0..=top).rev() {
            if bit < top {
                result = result.multiply(&result)?.rounded(work)?;
            }
            if magnitude >> bit & 1 == 1 {
                result = result.multiply(self)?.rounded(work)?;
            }
        }
        if n < 0 {
            result = Self::new(1, 0).divide_within(&result, work)?;
        }
        result.rounded(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_have_the_scale_that_the_jdk_documents() {
        let n = |unscaled: i64, scale: i32| Decimal::new(unscaled, scale);
        assert_eq!(n(10, 0).divide_exactly(&n(4, 0)), Ok(n(25, 1)));
        assert_eq!(n(100, 2).divide_exactly(&n(1, 0)), Ok(n(100, 2)));
        assert!(n(1, 0).divide_exactly(&n(3, 0)).is_err());
        let to = Precision { digits: 7, rounding: Rounding::HalfEven };
        assert_eq!(n(10, 0).divide_within(&n(3, 0), to), Ok(n(3_333_333, 6)));
        assert_eq!(n(10, 0).divide_within(&n(5, 0), to), Ok(n(2, 0)));
    }
}
