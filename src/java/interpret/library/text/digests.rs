//! Models digests and password hashing: `MessageDigest`, PBKDF2 (RFC 8018), BCrypt, and the related helpers of Spring
//! and Commons Codec.

use std::cell::RefCell;

use md5::Md5;
use rustc_hash::FxHashMap;
use sha1::Sha1;
use sha2::{Digest as _, Sha224, Sha256, Sha384, Sha512};

use super::codings::{byte_array, bytes_of};
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{
    Answer, array_items, class_of, int, native, open, reference, settle, text, throw,
};
use crate::interpret::values::scalar::Scalar;
use crate::interpret::values::value::{Native, Type, Value};

const DIGEST: &str = "java.security.MessageDigest";
const SPEC: &str = "javax.crypto.spec.PBEKeySpec";
const FACTORY: &str = "javax.crypto.SecretKeyFactory";
const KEY: &str = "javax.crypto.SecretKey";
const BCRYPT: &str = "org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder";
/// Maximum number of rounds of a key derivation.
const ROUNDS: u32 = 1_000_000;
/// The highest cost of BCrypt that is computed: 4,096 rounds.
const COST: u32 = 12;
/// Maximum number of cached results.
const KEPT: usize = 512;
const LONG: &str = "a password whose digest takes too long";

/// Cache key: password; salt with function and length; rounds.
type DerivationKey = (Vec<u8>, Vec<u8>, u32);

thread_local! {
    /// Cache of earlier results: key derivations are slow by design and repeat for the same passwords.
    static KNOWN: RefCell<FxHashMap<DerivationKey, Vec<u8>>> = RefCell::default();
}

/// A digest function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Md5,
    Sha1,
    Sha224,
    Sha256,
    Sha384,
    Sha512,
}

impl Kind {
    fn of(name: &str) -> Option<Self> {
        Some(match name.to_ascii_uppercase().as_str() {
            "MD5" => Self::Md5,
            "SHA" | "SHA1" | "SHA-1" => Self::Sha1,
            "SHA224" | "SHA-224" => Self::Sha224,
            "SHA256" | "SHA-256" => Self::Sha256,
            "SHA384" | "SHA-384" => Self::Sha384,
            "SHA512" | "SHA-512" => Self::Sha512,
            _ => return None,
        })
    }

    fn digest(self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Self::Md5 => Md5::digest(bytes).to_vec(),
            Self::Sha1 => Sha1::digest(bytes).to_vec(),
            Self::Sha224 => Sha224::digest(bytes).to_vec(),
            Self::Sha256 => Sha256::digest(bytes).to_vec(),
            Self::Sha384 => Sha384::digest(bytes).to_vec(),
            Self::Sha512 => Sha512::digest(bytes).to_vec(),
        }
    }

    /// The PBKDF2 key derived with this function.
    fn derived(self, password: &[u8], salt: &[u8], rounds: u32, length: usize) -> Option<Vec<u8>> {
        let mut out = vec![0; length];
        match self {
            Self::Sha1 => pbkdf2::pbkdf2_hmac::<Sha1>(password, salt, rounds, &mut out),
            Self::Sha256 => pbkdf2::pbkdf2_hmac::<Sha256>(password, salt, rounds, &mut out),
            Self::Sha512 => pbkdf2::pbkdf2_hmac::<Sha512>(password, salt, rounds, &mut out),
            _ => return None,
        }
        Some(out)
    }
}

/// A digest in progress; unknown input bytes make it unknown.
#[derive(Debug, Clone)]
struct Running {
    kind: Kind,
    bytes: Option<Vec<u8>>,
}

impl Native for Running {
    native_state!(leaf);
}

/// The state of a `PBEKeySpec`: password, salt, rounds and key length.
#[derive(Debug, Clone)]
struct Spec {
    password: Option<Vec<u8>>,
    salt: Vec<u8>,
    rounds: u32,
    bits: usize,
}

impl Native for Spec {
    native_state!(leaf);
}

/// A `SecretKeyFactory`, with the digest function of its algorithm.
#[derive(Debug, Clone, Copy)]
struct Factory(Kind);

impl Native for Factory {
    native_state!(leaf);

    fn is_frozen(&self) -> bool {
        true
    }
}

/// A secret key.
#[derive(Debug, Clone)]
struct Key(Vec<u8>);

impl Native for Key {
    native_state!(leaf);

    fn is_frozen(&self) -> bool {
        true
    }
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let answer = match (call.fqn, call.receiver) {
        (DIGEST, None) => made(machine, call)?,
        (DIGEST, Some(receiver)) => running(machine, receiver, call)?,
        (SPEC, None) => spec(machine, call)?,
        (SPEC, Some(receiver)) if call.name == "clearPassword" => {
            machine.native_mut::<Spec>(reference(receiver)?)?.password = None;
            Ok(Value::NULL)
        }
        (FACTORY, None) => factory(machine, call)?,
        (FACTORY, Some(receiver)) if call.name == "generateSecret" => key(machine, receiver, call)?,
        (_, Some(receiver)) if call.name == "getEncoded" && class_of(machine, receiver) == Some(KEY) => {
            let Key(bytes) = machine.native::<Key>(reference(receiver)?)?.clone();
            Ok(byte_array(machine, &bytes))
        }
        (BCRYPT, Some(_)) if call.name == "matches" => matched(machine, call.args)?,
        (BCRYPT, Some(_)) if call.name == "encode" => encoded(machine, call.args)?,
        ("org.springframework.security.crypto.bcrypt.BCrypt", None) if call.name == "checkpw" => {
            matched(machine, call.args)?
        }
        ("org.springframework.util.DigestUtils", None) => of_spring(machine, call)?,
        ("org.apache.commons.codec.digest.DigestUtils", None) => of_codec(machine, call)?,
        _ => return None,
    };
    Some(settle(machine, call, answer))
}

fn made(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    match (call.name, call.args) {
        ("getInstance", [name]) => {
            let kind = Kind::of(text(name)?)?;
            Some(Ok(native(machine, DIGEST, Running { kind, bytes: Some(Vec::new()) })))
        }
        ("isEqual", [one, other]) => {
            let (one, other) = (bytes_of(machine, one)?, bytes_of(machine, other)?);
            Some(Ok(Value::bool(one == other)))
        }
        _ => None,
    }
}

fn running(machine: &mut Machine<'_>, receiver: &Value, call: &LibraryCall<'_>) -> Option<Answer> {
    let id = reference(receiver)?;
    let Running { kind, bytes } = machine.native::<Running>(id)?.clone();
    let more = match call.args {
        [Value::Scalar(Scalar::Byte(byte))] => Some(vec![*byte as u8]),
        [given] => bytes_of(machine, given),
        [given, from, count] => {
            let (from, count) = (usize::try_from(int(from)?).ok()?, usize::try_from(int(count)?).ok()?);
            bytes_of(machine, given).and_then(|all| all.get(from..from.checked_add(count)?).map(<[u8]>::to_vec))
        }
        [] => Some(Vec::new()),
        _ => return None,
    };
    let all = bytes.zip(more).map(|(mut bytes, more)| {
        bytes.extend(more);
        bytes
    });
    let state = machine.native_mut::<Running>(id)?;
    match call.name {
        "update" => {
            state.bytes = all;
            Some(Ok(Value::NULL))
        }
        "reset" => {
            state.bytes = Some(Vec::new());
            Some(Ok(Value::NULL))
        }
        "digest" if call.args.len() < 2 => {
            state.bytes = Some(Vec::new());
            let Some(all) = all else { return Some(open("bytes are not known")) };
            Some(Ok(byte_array(machine, &kind.digest(&all))))
        }
        _ => None,
    }
}

/// The UTF-8 bytes of a password's characters.
fn password(machine: &Machine<'_>, chars: &Value) -> Option<Vec<u8>> {
    let items = array_items(machine, chars)?;
    let units = items.iter().map(|item| match item {
        Value::Scalar(Scalar::Char(unit)) => Some(*unit),
        _ => None,
    });
    let units: Option<Vec<u16>> = units.collect();
    String::from_utf16(&units?).ok().map(String::into_bytes)
}

fn spec(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    let ("<init>", [chars, salt, rounds, bits]) = (call.name, call.args) else { return None };
    let (rounds, bits) = (int(rounds)?, int(bits)?);
    if chars.is_null() || salt.is_null() {
        return None;
    }
    let salt = bytes_of(machine, salt)?;
    let (Ok(rounds @ 1..), Ok(bits @ 1..)) = (u32::try_from(rounds), usize::try_from(bits)) else {
        return Some(Err(throw(machine, "IllegalArgumentException")));
    };
    if salt.is_empty() {
        return Some(Err(throw(machine, "IllegalArgumentException")));
    }
    let password = password(machine, chars);
    Some(Ok(native(machine, SPEC, Spec { password, salt, rounds, bits })))
}

fn factory(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    let ("getInstance", [name]) = (call.name, call.args) else { return None };
    let kind = match text(name)? {
        "PBKDF2WithHmacSHA1" => Kind::Sha1,
        "PBKDF2WithHmacSHA256" => Kind::Sha256,
        "PBKDF2WithHmacSHA512" => Kind::Sha512,
        _ => return None,
    };
    Some(Ok(native(machine, FACTORY, Factory(kind))))
}

fn key(machine: &mut Machine<'_>, receiver: &Value, call: &LibraryCall<'_>) -> Option<Answer> {
    let Factory(kind) = *machine.native::<Factory>(reference(receiver)?)?;
    let [spec] = call.args else { return None };
    let Spec { password, salt, rounds, bits } = machine.native::<Spec>(reference(spec)?)?.clone();
    let Some(password) = password else { return Some(open("a password is not known")) };
    if rounds > ROUNDS || bits > 4096 || bits % 8 != 0 {
        return Some(open(LONG));
    }
    let told = [&salt, b"/".as_slice(), &[kind as u8, (bits / 8) as u8, (bits / 2048) as u8]].concat();
    let derived = known(password, told, rounds, |password| kind.derived(password, &salt, rounds, bits / 8))?;
    Some(Ok(native(machine, KEY, Key(derived))))
}

/// The value derived from a password, from the cache or computed by `work`.
fn known(password: Vec<u8>, told: Vec<u8>, rounds: u32, work: impl Fn(&[u8]) -> Option<Vec<u8>>) -> Option<Vec<u8>> {
    let asked = (password, told, rounds);
    if let Some(found) = KNOWN.with(|known| known.borrow().get(&asked).cloned()) {
        return Some(found);
    }
    let found = work(&asked.0)?;
    KNOWN.with(|known| {
        let mut known = known.borrow_mut();
        if known.len() < KEPT {
            known.insert(asked, found.clone());
        }
    });
    Some(found)
}

/// The BCrypt digest of a password, if it is accepted: inherently unknown because its salt is random. Later releases
/// reject passwords of more than 72 bytes.
fn encoded(machine: &mut Machine<'_>, args: &[Value]) -> Option<Answer> {
    let [raw] = args else { return None };
    let is_null = match machine.is_null(raw) {
        Value::Scalar(Scalar::Bool(is_null)) => is_null,
        Value::Cond(cond) => {
            let site = machine.here();
            match machine.decide((*cond).clone(), site) {
                Ok(is_null) => is_null,
                Err(stop) => return Some(Err(stop.into())),
            }
        }
        _ => return Some(open("whether there is a password")),
    };
    match text(raw) {
        _ if is_null => Some(Err(throw(machine, "IllegalArgumentException"))),
        Some(raw) if raw.len() > 72 || raw.contains('\0') => Some(open(LONG)),
        _ => {
            let why = "a salt by chance";
            machine.unknown(why, Type::Str);
            Some(Ok(Value::unknowable(why, Type::Str)))
        }
    }
}

/// Whether a BCrypt digest was made from this password.
fn matched(machine: &mut Machine<'_>, args: &[Value]) -> Option<Answer> {
    let [raw, encoded] = args else { return None };
    if raw.is_null() {
        return Some(Err(throw(machine, "IllegalArgumentException")));
    }
    if encoded.is_null() {
        return Some(Ok(Value::bool(false)));
    }
    let (raw, encoded) = (text(raw)?, text(encoded)?);
    let Some(cost) = cost(encoded) else { return Some(Ok(Value::bool(false))) };
    if cost > COST || raw.len() > 71 || raw.contains('\0') {
        return Some(open(LONG));
    }
    let same = known(raw.as_bytes().to_vec(), encoded.as_bytes().to_vec(), 0, |raw| {
        bcrypt::verify(raw, encoded).ok().map(|same| vec![u8::from(same)])
    })?;
    Some(Ok(Value::bool(same == [1])))
}

/// The cost in a BCrypt digest (`$2a$10$` and 53 characters); `None` if the text is not one.
fn cost(encoded: &str) -> Option<u32> {
    let mut parts = encoded.split('$');
    let ("", "2" | "2a" | "2b" | "2y", cost, digest, None) =
        (parts.next()?, parts.next()?, parts.next()?, parts.next()?, parts.next())
    else {
        return None;
    };
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'/');
    (cost.len() == 2 && digest.len() == 53 && digest.bytes().all(plain)).then(|| cost.parse().ok()).flatten()
}

fn of_spring(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    let [given] = call.args else { return None };
    let bytes = bytes_of(machine, given)?;
    match call.name {
        "md5DigestAsHex" => Some(Ok(machine.fresh_text(&hex::encode(Kind::Md5.digest(&bytes))))),
        "md5Digest" => Some(Ok(byte_array(machine, &Kind::Md5.digest(&bytes)))),
        _ => None,
    }
}

fn of_codec(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    let [given] = call.args else { return None };
    let name = call.name.strip_suffix("Hex");
    let kind = match name.unwrap_or(call.name) {
        "md5" => Kind::Md5,
        "sha1" | "sha" => Kind::Sha1,
        "sha256" => Kind::Sha256,
        "sha384" => Kind::Sha384,
        "sha512" => Kind::Sha512,
        _ => return None,
    };
    let bytes = match text(given) {
        Some(text) => text.as_bytes().to_vec(),
        None => bytes_of(machine, given)?,
    };
    let digest = kind.digest(&bytes);
    Some(Ok(if name.is_some() { machine.fresh_text(&hex::encode(digest)) } else { byte_array(machine, &digest) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_those_of_the_standards() {
        assert_eq!(hex::encode(Kind::Md5.digest(b"abc")), "900150983cd24fb0d6963f7d28e17f72");
        assert_eq!(hex::encode(Kind::Sha1.digest(b"abc")), "a9993e364706816aba3e25717850c26c9cd0d89d");
        // Test vector of RFC 6070.
        let derived = Kind::Sha1.derived(b"password", b"salt", 4096, 20);
        assert_eq!(derived.map(hex::encode).as_deref(), Some("4b007901b765489abead49d926f721d065a429c1"));
    }

    #[test]
    fn what_is_no_bcrypt_digest_has_no_cost() {
        let digest = "$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy";
        assert_eq!(cost(digest), Some(10));
        assert_eq!((cost("admin"), cost("{noop}admin"), cost(&digest[..59])), (None, None, None));
    }
}
