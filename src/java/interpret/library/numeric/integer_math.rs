//! Integer functions of `BigInteger`: bit length, hash, primality.

use num_bigint::BigInt;
use num_traits::{One, Signed};

/// Number of bits in two's complement, without the sign bit.
pub fn bit_length(own: &BigInt) -> u64 {
    if own.is_negative() { (-own - BigInt::one()).bits() } else { own.bits() }
}

/// `hashCode`.
pub fn hash(own: &BigInt) -> i32 {
    let digits: Vec<u32> = own.iter_u32_digits().collect();
    let hash = digits.iter().rev().fold(0_i32, |hash, digit| hash.wrapping_mul(31).wrapping_add(*digit as i32));
    if own.is_negative() { hash.wrapping_neg() } else { hash }
}

/// Primality test (Miller–Rabin), with bases that are sufficient for all 64-bit numbers.
pub fn is_prime(n: u64) -> bool {
    const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if n < 2 {
        return false;
    }
    for base in BASES {
        if n.is_multiple_of(base) {
            return n == base;
        }
    }
    let times = |a: u64, b: u64| (u128::from(a) * u128::from(b) % u128::from(n)) as u64;
    let power = |base: u64, mut by: u64| {
        let (mut result, mut square) = (1, base % n);
        while by > 0 {
            if by & 1 == 1 {
                result = times(result, square);
            }
            square = times(square, square);
            by >>= 1;
        }
        result
    };
    let twos = (n - 1).trailing_zeros();
    let odd = (n - 1) >> twos;
    BASES.iter().all(|base| {
        let mut x = power(*base, odd);
        if x == 1 || x == n - 1 {
            return true;
        }
        for _ in 1..twos {
            x = times(x, x);
            if x == n - 1 {
                return true;
            }
        }
        false
    })
}
