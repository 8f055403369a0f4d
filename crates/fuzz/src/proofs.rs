//! Proofs of RFC 6962 as JSON: an answer for any text, and none but the right one for a right proof.

use hashlanes::tree::merkle::{Rfc6962, Rfc6962Leaves, Rfc6962Proof};
use hashlanes_formats::encoding::hex;
use hashlanes_formats::proof::{Error, Leaf, Trusted, verify};

use crate::input::Input;

/// Runs the target.
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let kind = input.byte();
    if kind.is_multiple_of(4) {
        right(&mut input, kind & 4 == 0);
        return;
    }
    let root = [input.byte(); 32];
    let text = input.rest();
    for trusted in [
        Trusted { root, n_leaves: None, new_root: None, leaf: None, index: Some(0) },
        Trusted { root, n_leaves: Some(1), new_root: None, leaf: Some(Leaf::of(b"a\n")), index: None },
        Trusted { root, n_leaves: None, new_root: Some([0; 32]), leaf: None, index: None },
    ] {
        match verify(text, &trusted) {
            Ok(words) => assert!(words.contains("leaf") || words.contains("leaves")),
            Err(Error::Format(words) | Error::Fails(words)) => assert!(!words.is_empty()),
        }
    }
}

/// A right proof of a log, and one with a changed character.
fn right(input: &mut Input<'_>, is_inclusion: bool) {
    let leaves: Vec<Vec<u8>> = (0..1 + input.below(60)).map(|i| vec![i as u8; 3]).collect();
    let (n, which) = (leaves.len(), input.below(leaves.len()));
    let log = |n: usize, mut proof: Rfc6962Proof| {
        let mut hasher = Rfc6962Leaves::keeping(|nodes| proof.keep(&nodes));
        leaves[..n].iter().for_each(|leaf| hasher.push(leaf));
        let tree = hasher.finish();
        (tree.root, proof.finish(tree.n_leaves).expect("the hasher kept everything"))
    };
    let asked = if is_inclusion {
        Rfc6962Proof::of_inclusion(which as u64)
    } else {
        Rfc6962Proof::of_consistency(which as u64 + 1)
    };
    let (root, nodes) = log(n, asked);
    let nodes: Vec<String> = nodes.iter().map(|node| hex(node)).collect();
    let leaf = &leaves[which];
    let mut proof =
        serde_json::json!({ "mode": "rfc6962", "n_leaves": n, "root": hex(&root), "nodes": nodes });
    let trusted = if is_inclusion {
        proof["proof"] = "inclusion".into();
        proof["index"] = which.into();
        proof["leaf"] = hex(&Rfc6962::leaf_digest(leaf)).into();
        Trusted { root, n_leaves: Some(n as u64), new_root: None, leaf: Some(Leaf::of(leaf)), index: None }
    } else {
        proof["proof"] = "consistency".into();
        proof["first"] = (which + 1).into();
        let (first_root, _) = log(which + 1, Rfc6962Proof::of_consistency(1));
        Trusted { root: first_root, n_leaves: None, new_root: Some(root), leaf: None, index: None }
    };
    let mut text = proof.to_string().into_bytes();
    assert!(verify(&text, &trusted).is_ok(), "{proof}");
    let at = usize::from(input.u16()) % text.len();
    let (before, character) = (text[at], input.byte());
    text[at] = character;
    // The digits of a digest may be small or large, and a consistency's number of leaves is not trusted.
    let is_same = before.eq_ignore_ascii_case(&character);
    if !is_same && is_inclusion {
        assert!(verify(&text, &trusted).is_err(), "{} instead of {}", text.escape_ascii(), proof);
    }
}
