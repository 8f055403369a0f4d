//! The function of one hash or of several.

use hashlanes::HmacKey;

use super::function::{Begun, Function, Keyed, Plain, Results, of};
use super::unbatched::Unbatched;
use hashlanes_formats::hash::{Hash, with_algorithm};

/// Returns the function of these hashes, in one read; with a key their HMACs.
pub(crate) fn function_of(hashes: &[Hash], key: Option<&[u8]>) -> Box<dyn Function> {
    let of_one = |hash: Hash| -> Box<dyn Function> {
        with_algorithm!(hash, A => match key {
            None => Box::new(Plain::<A>(std::marker::PhantomData)),
            Some(key) => Box::new(Keyed::<A>(HmacKey::new(key))),
        }, else Box::new(Unbatched::of(hash)))
    };
    match hashes {
        [hash] => of_one(*hash),
        _ => Box::new(Several(hashes.iter().copied().map(of_one).collect())),
    }
}

/// Several functions of the same bytes.
struct Several(Vec<Box<dyn Function>>);

impl Several {
    /// Calls each function with its number and its part of the results.
    fn each(&self, results: &mut Results<'_>, mut call: impl FnMut(usize, &dyn Function, &mut Results<'_>)) {
        let mut from = 0;
        for (number, function) in self.0.iter().enumerate() {
            let n_bytes = function.result_bytes();
            call(number, &**function, &mut results.column(from, n_bytes));
            from += n_bytes;
        }
    }
}

impl Function for Several {
    fn result_bytes(&self) -> usize {
        self.0.iter().map(|function| function.result_bytes()).sum()
    }
    fn begin(&self) -> Begun {
        Box::new(self.0.iter().map(|function| function.begin()).collect::<Vec<Begun>>())
    }
    fn digest_many(&self, messages: &[&[u8]], results: &mut Results<'_>) {
        self.each(results, |_, function, results| function.digest_many(messages, results));
    }
    fn update_many(&self, parts: &mut [(&mut Begun, &[u8])]) {
        for (number, function) in self.0.iter().enumerate() {
            let parts = parts.iter_mut().map(|(begun, part)| (&mut of::<Vec<Begun>>(begun)[number], *part));
            function.update_many(&mut parts.collect::<Vec<_>>());
        }
    }
    fn finish_many(&self, begun: &mut [&mut Begun], results: &mut Results<'_>) {
        self.each(results, |number, function, results| {
            let begun = begun.iter_mut().map(|begun| &mut of::<Vec<Begun>>(begun)[number]);
            function.finish_many(&mut begun.collect::<Vec<_>>(), results);
        });
    }
}
