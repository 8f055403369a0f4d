//! Every kernel computes the same; many signatures are verified like single ones.

use hashlanes_hbs::hazmat::KeyGeneration;
use hashlanes_hbs::{Error, ParameterSet, Scheme};
use hashlanes_sha::kernels;

#[test]
fn every_kernel_generates_signs_and_verifies_the_same() {
    for n in [24, 32, 64] {
        let set = ParameterSet::of_height(Scheme::XmssMt, n, 4, 2);
        let seeds = vec![3; 3 * usize::from(n)];
        let generate = || KeyGeneration::new(set, &seeds).unwrap();
        let mut expected = generate().run().unwrap();
        let expected: Vec<_> = (0..16).map(|i| expected.try_sign(&[i]).unwrap()).collect();
        let names: Vec<_> = match n {
            64 => kernels::sha512().map(|kernel| kernel.name()).collect(),
            _ => kernels::sha256().map(|kernel| kernel.name()).collect(),
        };
        for name in names {
            let mut key = generate().kernel(name).unwrap().run().unwrap();
            for (i, expected) in expected.iter().enumerate() {
                assert_eq!(&key.try_sign(&[i as u8]).unwrap(), expected, "n = {n}, {name}, {i}");
            }
            // A key that was generated in another way makes the same signature.
            let mut chosen = generate().run().unwrap();
            chosen.set_kernel(name).unwrap();
            assert_eq!(chosen.try_sign(&[0]).unwrap(), expected[0], "n = {n}, {name}");
            let mut key = key.verifying_key().clone();
            key.set_kernel(name).unwrap();
            assert_eq!(key.verify(&[0], expected[1].as_ref()), Err(Error::Invalid), "{name}");
        }
    }
}

#[test]
fn an_unknown_kernel_is_named() {
    let set: ParameterSet = "XMSS-SHA2_10_256".parse().unwrap();
    let error = KeyGeneration::new(set, &[0; 96]).unwrap().kernel("avx9").map(drop).unwrap_err();
    assert!(error.to_string().starts_with("unknown sha256 kernel \"avx9\"; expected one of "), "{error}");
}

/// Numbers of signatures just below and above a full group, with every kind of wrong signature among them.
#[test]
fn many_are_verified_as_one_by_one() {
    for (n, scheme, layers) in [(24, Scheme::Xmss, 1), (32, Scheme::XmssMt, 3), (64, Scheme::XmssMt, 2)] {
        let set = ParameterSet::of_height(scheme, n, 6, layers);
        let mut key = KeyGeneration::new(set, &vec![9; 3 * usize::from(n)]).unwrap().run().unwrap();
        let mut claims: Vec<(Vec<u8>, Vec<u8>)> = (0..37_usize)
            .map(|i| {
                let message = vec![i as u8; 7 * i];
                let signature = key.try_sign(&message).unwrap().as_ref().to_vec();
                (message, signature)
            })
            .collect();
        claims[3].0.push(0);
        claims[9].1.pop();
        claims[15].1[0] ^= 0x80;
        claims[16].1[40] ^= 1;
        *claims[36].1.last_mut().unwrap() ^= 1;
        let key = key.verifying_key();
        for some in [0, 1, 2, 15, 16, 17, 36, 37] {
            let claims: Vec<_> = claims[..some].iter().map(|(m, s)| (&m[..], &s[..])).collect();
            let one_by_one: Vec<_> = claims.iter().map(|(m, s)| key.verify(m, s)).collect();
            assert_eq!(key.verify_many(&claims), one_by_one);
            let wrong: Vec<_> = (0..some).filter(|i| one_by_one[*i].is_err()).collect();
            assert_eq!(wrong, [3, 9, 15, 16, 36].into_iter().filter(|i| *i < some).collect::<Vec<_>>());
        }
    }
}
