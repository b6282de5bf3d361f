//! Decimal arithmetic by the scale rules of `java.math.BigDecimal`; independent of the machine.

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};

/// Maximum number of bits of a number; larger ones are not computed.
pub const MAX_BITS: u64 = 400_000;

/// A decimal number: an unscaled value and its scale.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decimal {
    /// The unscaled value: all digits without the decimal point.
    pub unscaled: BigInt,
    /// Number of digits after the decimal point.
    pub scale: i32,
}

/// `java.math.RoundingMode`; the order of the variants is that of the constants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant is the constant of that name")]
pub enum Rounding {
    Up,
    Down,
    Ceiling,
    Floor,
    HalfUp,
    HalfDown,
    HalfEven,
    Unnecessary,
}

impl Rounding {
    /// The rounding mode with this constant name.
    pub fn of_name(name: &str) -> Option<Self> {
        Some(match name {
            "UP" => Self::Up,
            "DOWN" => Self::Down,
            "CEILING" => Self::Ceiling,
            "FLOOR" => Self::Floor,
            "HALF_UP" => Self::HalfUp,
            "HALF_DOWN" => Self::HalfDown,
            "HALF_EVEN" => Self::HalfEven,
            "UNNECESSARY" => Self::Unnecessary,
            _ => return None,
        })
    }

    /// The rounding mode with this integer constant of old code.
    pub fn of_number(number: i32) -> Option<Self> {
        Some(match number {
            0 => Self::Up,
            1 => Self::Down,
            2 => Self::Ceiling,
            3 => Self::Floor,
            4 => Self::HalfUp,
            5 => Self::HalfDown,
            6 => Self::HalfEven,
            7 => Self::Unnecessary,
            _ => return None,
        })
    }
}

/// The settings of a `java.math.MathContext`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Precision {
    /// Maximum number of digits; zero for unlimited.
    pub digits: u32,
    /// How to round.
    pub rounding: Rounding,
}

/// Why an operation has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// It throws an `ArithmeticException` with this message in every release.
    Message(&'static str),
    /// It throws an `ArithmeticException` whose message is not certain.
    Exception,
    /// The numbers are too large to compute.
    TooLarge,
}

/// The result of an operation.
pub type Outcome<T = Decimal> = Result<T, Refusal>;

const NECESSARY: Refusal = Refusal::Message("Rounding necessary");

/// A power of ten.
pub fn ten_to(power: u64) -> Outcome<BigInt> {
    if power * 4 > MAX_BITS {
        return Err(Refusal::TooLarge);
    }
    Ok(BigInt::from(10).pow(u32::try_from(power).map_err(|_| Refusal::TooLarge)?))
}

/// Number of decimal digits; zero has one.
pub fn digits_of(value: &BigInt) -> u64 {
    if value.is_zero() {
        return 1;
    }
    // A lower estimate from the number of bits, then the exact count.
    let bits = value.bits();
    let guess = (bits - 1) * 30103 / 100_000;
    let mut digits = guess.max(1);
    let value = value.abs();
    let mut power = BigInt::from(10).pow(u32::try_from(digits).unwrap_or(u32::MAX));
    while value >= power {
        digits += 1;
        power *= 10;
    }
    digits
}

/// The rounded quotient of two integers; `b` is not zero.
pub fn divide_rounded(a: &BigInt, b: &BigInt, rounding: Rounding) -> Outcome<BigInt> {
    let (quotient, rest) = a.div_rem(b);
    if rest.is_zero() {
        return Ok(quotient);
    }
    let negative = a.is_negative() != b.is_negative();
    let half = (rest.abs() * 2_u8).cmp(&b.abs());
    let away = match rounding {
        Rounding::Unnecessary => return Err(NECESSARY),
        Rounding::Up => true,
        Rounding::Down => false,
        Rounding::Ceiling => !negative,
        Rounding::Floor => negative,
        Rounding::HalfUp => half.is_ge(),
        Rounding::HalfDown => half.is_gt(),
        Rounding::HalfEven => half.is_gt() || half.is_eq() && quotient.is_odd(),
    };
    Ok(match (away, negative) {
        (false, _) => quotient,
        (true, false) => quotient + 1,
        (true, true) => quotient - 1,
    })
}

/// A scale clamped to the range of an `int`.
pub fn saturated(scale: i64) -> i32 {
    scale.clamp(i32::MIN.into(), i32::MAX.into()) as i32
}

impl Decimal {
    /// A number with this unscaled value and scale.
    pub fn new(unscaled: impl Into<BigInt>, scale: i32) -> Self {
        Self { unscaled: unscaled.into(), scale }
    }

    /// A number whose scale must fit into an `int`.
    pub fn checked(unscaled: BigInt, scale: i64) -> Outcome {
        if unscaled.bits() > MAX_BITS {
            return Err(Refusal::TooLarge);
        }
        match i32::try_from(scale) {
            Ok(scale) => Ok(Self { unscaled, scale }),
            Err(_) if unscaled.is_zero() => Ok(Self { unscaled, scale: saturated(scale) }),
            Err(_) => Err(Refusal::Exception),
        }
    }

    /// The exact value of a `double`; `None` if it is not finite.
    pub fn of_double(x: f64) -> Option<Self> {
        if !x.is_finite() {
            return None;
        }
        let bits = x.to_bits();
        let exponent = i64::from((bits >> 52) as u32 & 0x7ff);
        let fraction = bits & ((1 << 52) - 1);
        let (mut mantissa, mut exponent) =
            if exponent == 0 { (fraction << 1, -1075) } else { (fraction | (1 << 52), exponent - 1075) };
        if mantissa == 0 {
            return Some(Self::new(0, 0));
        }
        let zeros = mantissa.trailing_zeros();
        mantissa >>= zeros;
        exponent += i64::from(zeros);
        let mut value = BigInt::from(mantissa);
        let mut scale = 0;
        if exponent > 0 {
            value <<= exponent as usize;
        } else if exponent < 0 {
            value *= BigInt::from(5).pow(u32::try_from(-exponent).ok()?);
            scale = i32::try_from(-exponent).ok()?;
        }
        Some(Self { unscaled: if x < 0.0 { -value } else { value }, scale })
    }

    /// Number of digits (`precision`).
    pub fn precision(&self) -> i64 {
        digits_of(&self.unscaled) as i64
    }

    /// -1, 0 or 1.
    pub fn signum(&self) -> i32 {
        match self.unscaled.sign() {
            Sign::Minus => -1,
            Sign::NoSign => 0,
            Sign::Plus => 1,
        }
    }

    /// The scale as a `long`, for sums that may overflow an `int`.
    pub fn wide(&self) -> i64 {
        self.scale.into()
    }

    /// The unscaled values of both numbers at the larger scale.
    fn aligned(&self, other: &Self) -> Outcome<(BigInt, BigInt, i32)> {
        let scale = self.scale.max(other.scale);
        let lift = |n: &Self| -> Outcome<BigInt> {
            if n.unscaled.is_zero() {
                return Ok(BigInt::zero());
            }
            Ok(&n.unscaled * ten_to((i64::from(scale) - n.wide()) as u64)?)
        };
        Ok((lift(self)?, lift(other)?, scale))
    }

    /// Models `add`.
    pub fn add(&self, other: &Self) -> Outcome {
        let (a, b, scale) = self.aligned(other)?;
        Ok(Self { unscaled: a + b, scale })
    }

    /// Models `add` with a precision.
    pub fn add_within(&self, other: &Self, to: Precision) -> Outcome {
        if to.digits == 0 {
            return self.add(other);
        }
        if !self.unscaled.is_zero() && !other.unscaled.is_zero() {
            return self.add(other)?.rounded(to);
        }
        let preferred = self.scale.max(other.scale);
        if self.unscaled.is_zero() && other.unscaled.is_zero() {
            return Ok(Self::new(0, preferred));
        }
        let result = if self.unscaled.is_zero() { other.rounded(to)? } else { self.rounded(to)? };
        if result.scale > preferred {
            return Ok(result.stripped_to(preferred.into()));
        }
        let room = i64::from(to.digits) - result.precision();
        let missing = i64::from(preferred) - result.wide();
        result.with_scale(saturated(result.wide() + missing.min(room)), Rounding::Unnecessary)
    }

    /// Models `negate`.
    pub fn negated(&self) -> Self {
        Self { unscaled: -&self.unscaled, scale: self.scale }
    }

    /// Models `multiply`.
    pub fn multiply(&self, other: &Self) -> Outcome {
        if self.unscaled.bits() + other.unscaled.bits() > MAX_BITS {
            return Err(Refusal::TooLarge);
        }
        Self::checked(&self.unscaled * &other.unscaled, self.wide() + other.wide())
    }

    /// Models `compareTo`.
    pub fn compare(&self, other: &Self) -> Outcome<i32> {
        if self.signum() != other.signum() {
            return Ok(self.signum().cmp(&other.signum()) as i32);
        }
        if self.signum() == 0 {
            return Ok(0);
        }
        // The positions of the leading digits decide most comparisons.
        let (a, b) = (self.precision() - self.wide(), other.precision() - other.wide());
        if a != b {
            return Ok(a.cmp(&b) as i32 * self.signum());
        }
        let (a, b, _) = self.aligned(other)?;
        Ok(a.cmp(&b) as i32)
    }

    /// Models `setScale`.
    pub fn with_scale(&self, scale: i32, rounding: Rounding) -> Outcome {
        let by = i64::from(scale) - self.wide();
        if by == 0 || self.unscaled.is_zero() {
            return Ok(Self { unscaled: self.unscaled.clone(), scale });
        }
        if by > 0 {
            let unscaled = &self.unscaled * ten_to(by as u64)?;
            return Ok(Self { unscaled, scale });
        }
        // All digits, or more, are dropped: the result only depends on whether the number is zero.
        let drop = (-by).min(self.precision() + 2) as u64;
        Ok(Self { unscaled: divide_rounded(&self.unscaled, &ten_to(drop)?, rounding)?, scale })
    }

    /// Models `round`.
    pub fn rounded(&self, to: Precision) -> Outcome {
        let mut at = self.clone();
        if to.digits == 0 {
            return Ok(at);
        }
        loop {
            let drop = at.precision() - i64::from(to.digits);
            if drop <= 0 {
                return Ok(at);
            }
            let unscaled = divide_rounded(&at.unscaled, &ten_to(drop as u64)?, to.rounding)?;
            at = Self::checked(unscaled, at.wide() - drop)?;
        }
    }

    /// Removes trailing zeros as long as the scale stays at least `least`.
    pub fn stripped_to(&self, least: i64) -> Self {
        let mut at = self.clone();
        let ten = BigInt::from(10);
        while at.unscaled.abs() >= ten && at.wide() > least && at.scale > i32::MIN {
            let (quotient, rest) = at.unscaled.div_rem(&ten);
            if !rest.is_zero() {
                break;
            }
            at = Self { unscaled: quotient, scale: at.scale - 1 };
        }
        at
    }

    /// Models `stripTrailingZeros`.
    pub fn stripped(&self) -> Self {
        if self.unscaled.is_zero() { Self::new(0, 0) } else { self.stripped_to(i64::MIN) }
    }

    /// Moves the decimal point by `by` digits: to the left if positive, otherwise to the right.
    pub fn moved(&self, by: i64) -> Outcome {
        let moved = Self::checked(self.unscaled.clone(), self.wide() + by)?;
        if moved.scale < 0 { moved.with_scale(0, Rounding::Unnecessary) } else { Ok(moved) }
    }

    /// The integer part.
    pub fn whole(&self) -> Outcome<BigInt> {
        Ok(self.with_scale(0, Rounding::Down)?.unscaled)
    }

    /// Models `longValueExact`.
    pub fn exact_long(&self) -> Outcome<i64> {
        if self.unscaled.is_zero() {
            return Ok(0);
        }
        let before = self.precision() - self.wide();
        if before <= 0 {
            return Err(NECESSARY);
        }
        if before > 19 {
            return Err(Refusal::Message("Overflow"));
        }
        self.with_scale(0, Rounding::Unnecessary)?.unscaled.to_i64().ok_or(Refusal::Message("Overflow"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_round_as_their_mode_says() {
        let n = Decimal::new(25, 1);
        let to = |rounding| n.with_scale(0, rounding).map(|n| n.unscaled.to_i64().unwrap_or_default());
        assert_eq!(to(Rounding::HalfEven), Ok(2));
        assert_eq!(to(Rounding::HalfUp), Ok(3));
        assert_eq!(to(Rounding::Unnecessary), Err(NECESSARY));
    }
}
