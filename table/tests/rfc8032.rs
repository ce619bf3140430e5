//! Ed25519 as the log uses it: the vectors of RFC 8032, and every kind of signature that a lenient
//! check would take and the log must not.
#![allow(clippy::unwrap_used)]

use ed25519_dalek::{Signature, Signer, SigningKey, Verifier, VerifyingKey};
use table::{PublicKey, SignatureBytes, is_signed_by};

fn bytes<const N: usize>(digits: &str) -> [u8; N] {
    hex::decode(digits).unwrap().try_into().unwrap()
}

/// One vector of RFC 8032, section 7.1, in hex.
struct Vector {
    name: &'static str,
    secret: &'static str,
    public: &'static str,
    message: &'static str,
    signature: &'static str,
}

const VECTORS: [Vector; 5] = [
    Vector {
        name: "TEST 1",
        secret: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        public: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        message: "",
        signature: "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155\
            5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    },
    Vector {
        name: "TEST 2",
        secret: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        public: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        message: "72",
        signature: "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da\
            085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    },
    Vector {
        name: "TEST 3",
        secret: "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        public: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        message: "af82",
        signature: "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac\
            18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    },
    Vector {
        name: "TEST 1024",
        secret: "f5e5767cf153319517630f226876b86c8160cc583bc013744c6bf255f5cc0ee5",
        public: "278117fc144c72340f67d0f2316e8386ceffbf2b2428c9c51fef7c597f1d426e",
        message: "08b8b2b733424243760fe426a4b54908632110a66c2f6591eabd3345e3e4eb98fa6e264b\
            f09efe12ee50f8f54e9f77b1e355f6c50544e23fb1433ddf73be84d879de7c0046dc4996\
            d9e773f4bc9efe5738829adb26c81b37c93a1b270b20329d658675fc6ea534e0810a4432\
            826bf58c941efb65d57a338bbd2e26640f89ffbc1a858efcb8550ee3a5e1998bd177e93a\
            7363c344fe6b199ee5d02e82d522c4feba15452f80288a821a579116ec6dad2b3b310da9\
            03401aa62100ab5d1a36553e06203b33890cc9b832f79ef80560ccb9a39ce767967ed628\
            c6ad573cb116dbefefd75499da96bd68a8a97b928a8bbc103b6621fcde2beca1231d206b\
            e6cd9ec7aff6f6c94fcd7204ed3455c68c83f4a41da4af2b74ef5c53f1d8ac70bdcb7ed1\
            85ce81bd84359d44254d95629e9855a94a7c1958d1f8ada5d0532ed8a5aa3fb2d17ba70e\
            b6248e594e1a2297acbbb39d502f1a8c6eb6f1ce22b3de1a1f40cc24554119a831a9aad6\
            079cad88425de6bde1a9187ebb6092cf67bf2b13fd65f27088d78b7e883c8759d2c4f5c6\
            5adb7553878ad575f9fad878e80a0c9ba63bcbcc2732e69485bbc9c90bfbd62481d9089b\
            eccf80cfe2df16a2cf65bd92dd597b0707e0917af48bbb75fed413d238f5555a7a569d80\
            c3414a8d0859dc65a46128bab27af87a71314f318c782b23ebfe808b82b0ce26401d2e22\
            f04d83d1255dc51addd3b75a2b1ae0784504df543af8969be3ea7082ff7fc9888c144da2\
            af58429ec96031dbcad3dad9af0dcbaaaf268cb8fcffead94f3c7ca495e056a9b47acdb7\
            51fb73e666c6c655ade8297297d07ad1ba5e43f1bca32301651339e22904cc8c42f58c30\
            c04aafdb038dda0847dd988dcda6f3bfd15c4b4c4525004aa06eeff8ca61783aacec57fb\
            3d1f92b0fe2fd1a85f6724517b65e614ad6808d6f6ee34dff7310fdc82aebfd904b01e1d\
            c54b2927094b2db68d6f903b68401adebf5a7e08d78ff4ef5d63653a65040cf9bfd4aca7\
            984a74d37145986780fc0b16ac451649de6188a7dbdf191f64b5fc5e2ab47b57f7f7276c\
            d419c17a3ca8e1b939ae49e488acba6b965610b5480109c8b17b80e1b7b750dfc7598d5d\
            5011fd2dcc5600a32ef5b52a1ecc820e308aa342721aac0943bf6686b64b2579376504cc\
            c493d97e6aed3fb0f9cd71a43dd497f01f17c0e2cb3797aa2a2f256656168e6c496afc5f\
            b93246f6b1116398a346f1a641f3b041e989f7914f90cc2c7fff357876e506b50d334ba7\
            7c225bc307ba537152f3f1610e4eafe595f6d9d90d11faa933a15ef1369546868a7f3a45\
            a96768d40fd9d03412c091c6315cf4fde7cb68606937380db2eaaa707b4c4185c32eddcd\
            d306705e4dc1ffc872eeee475a64dfac86aba41c0618983f8741c5ef68d3a101e8a3b8ca\
            c60c905c15fc910840b94c00a0b9d0",
        signature: "0aab4c900501b3e24d7cdf4663326a3a87df5e4843b2cbdb67cbf6e460fec350\
            aa5371b1508f9f4528ecea23c436d94b5e8fcd4f681e30a6ac00a9704a188a03",
    },
    Vector {
        name: "TEST SHA(abc)",
        secret: "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
        public: "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        message: "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a\
            2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
        signature: "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b589\
            09351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704",
    },
];

#[test]
fn rfc_8032_vectors() {
    for vector in &VECTORS {
        let key = SigningKey::from_bytes(&bytes(vector.secret));
        let public: PublicKey = bytes(vector.public);
        let message = hex::decode(vector.message).unwrap();
        let expected: SignatureBytes = bytes(vector.signature);
        assert_eq!(key.verifying_key().to_bytes(), public, "{}", vector.name);
        assert_eq!(key.sign(&message).to_bytes(), expected, "{}", vector.name);

        let check = |public: &PublicKey, message: &[u8], signature: &SignatureBytes| {
            let signature = Signature::from_bytes(signature);
            VerifyingKey::from_bytes(public)
                .is_ok_and(|key| key.verify_strict(message, &signature).is_ok())
        };
        assert!(check(&public, &message, &expected), "{}", vector.name);
        for bit in (0..512).step_by(7) {
            let mut forged = expected;
            forged[bit / 8] ^= 1 << (bit % 8);
            assert!(!check(&public, &message, &forged), "{} bit {bit}", vector.name);
        }
        let longer = [&message[..], &[0]].concat();
        assert!(!check(&public, &longer, &expected), "{}", vector.name);
        let other = VECTORS.iter().find(|other| other.public != vector.public).unwrap();
        assert!(!check(&bytes(other.public), &message, &expected), "{}", vector.name);
    }
}

/// What the cases below sign.
const VALUE: [u8; 32] = [7; 32];

/// The check of the library that follows the RFC to the letter and no further.
fn lenient(public: &PublicKey, value: &[u8; 32], signature: &SignatureBytes) -> bool {
    VerifyingKey::from_bytes(public)
        .is_ok_and(|key| key.verify(value, &Signature::from_bytes(signature)).is_ok())
}

#[test]
fn an_honest_signature_is_accepted() {
    let key = SigningKey::from_bytes(&bytes(VECTORS[0].secret));
    let signature = key.sign(&VALUE).to_bytes();
    assert!(is_signed_by(&key.verifying_key().to_bytes(), &VALUE, &signature));
    assert!(!is_signed_by(&key.verifying_key().to_bytes(), &[8; 32], &signature));
    assert!(!is_signed_by(&bytes(VECTORS[1].public), &VALUE, &signature));
}

/// S + L instead of S: the same equation, other bytes. Anybody could make it from a signature he
/// saw, and one entry would have two records.
#[test]
fn a_malleated_signature_is_refused() {
    let order: [u8; 32] = bytes("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010");
    let key = SigningKey::from_bytes(&bytes(VECTORS[0].secret));
    let public = key.verifying_key().to_bytes();
    let mut signature = key.sign(&VALUE).to_bytes();
    assert!(is_signed_by(&public, &VALUE, &signature));
    let mut carry = 0;
    for (byte, add) in signature[32..].iter_mut().zip(order) {
        let sum = u16::from(*byte) + u16::from(add) + carry;
        *byte = sum.to_le_bytes()[0];
        carry = sum >> 8;
    }
    assert_eq!(carry, 0);
    assert!(!is_signed_by(&public, &VALUE, &signature));
}

/// All encodings of the eight points of small order: eight canonical ones, two with a sign for
/// x = 0, four with y not reduced.
const SMALL_ORDER: [&str; 14] = [
    "0100000000000000000000000000000000000000000000000000000000000000",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    "0100000000000000000000000000000000000000000000000000000000000080",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
];

/// Under a key of small order one signature, R the neutral point and S zero, is right for one value
/// in eight at least, without any secret: its owner could disown every entry.
#[test]
fn keys_of_small_order_sign_nothing() {
    let mut signature = [0; 64];
    signature[0] = 1;
    for encoding in SMALL_ORDER {
        let public: PublicKey = bytes(encoding);
        let values = || (0..=255).map(|n| [n; 32]);
        let accepted = values().filter(|value| lenient(&public, value, &signature)).count();
        assert!(accepted > 0, "{encoding} is a case of it");
        assert!(!values().any(|value| is_signed_by(&public, &value, &signature)), "{encoding}");
    }
}

/// A key of small order also takes an R of full order: R = S · B for any S fits the neutral key and
/// every value.
#[test]
fn the_neutral_key_signs_nothing() {
    let neutral: PublicKey = bytes(SMALL_ORDER[0]);
    let made = SigningKey::from_bytes(&bytes(VECTORS[0].secret));
    let mut signature = [0; 64];
    signature[..32].copy_from_slice(&made.verifying_key().to_bytes());
    signature[32..].copy_from_slice(&made.to_scalar().to_bytes());
    for value in [VALUE, [0; 32], [255; 32]] {
        assert!(lenient(&neutral, &value, &signature));
        assert!(!is_signed_by(&neutral, &value, &signature));
    }
}

/// The owner of an honest key can sign with R = the neutral point, S = k · a. It is refused, as is
/// the same with R written as y = p + 1. (Both computed by another program for the key of TEST 1.)
#[test]
fn an_r_of_small_order_or_not_canonical_is_refused() {
    let public: PublicKey = bytes(VECTORS[0].public);
    let neutral: SignatureBytes = bytes(
        "0100000000000000000000000000000000000000000000000000000000000000\
         6fc57deffc5e8b79ca9f85949952afaf60735546e5769d8d93f748a5a0ac7b0e",
    );
    assert!(lenient(&public, &VALUE, &neutral));
    assert!(!is_signed_by(&public, &VALUE, &neutral));
    let not_canonical: SignatureBytes = bytes(
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f\
         8f86508083a238f4743c00d5c70dc65c24be76fc698ff49078a97ac9a78bb907",
    );
    assert!(!is_signed_by(&public, &VALUE, &not_canonical));
}

/// Whatever 32 and 64 bytes are sent as a key and a signature: an answer, no panic.
#[test]
fn any_bytes_are_answered() {
    for byte in 0..=255_u8 {
        assert!(!is_signed_by(&[byte; 32], &VALUE, &[byte; 64]));
        assert!(!is_signed_by(&bytes(VECTORS[0].public), &VALUE, &[byte; 64]));
    }
}
