//! Lists in help texts. clap wraps each line at the terminal's width and keeps its indentation; manual pages
//! get roff's lists ([`manual_page`](crate::manual_page)).

/// Formats a list: each term on a line of its own, its description indented on the next.
pub(crate) fn list(title: &str, entries: &[(&str, &str)]) -> String {
    let mut text = format!("{title}\n");
    for (term, description) in entries {
        text += &format!("  {term}\n      {description}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_indented() {
        let help = list("Modes:", &[("a", "The first."), ("b", "The second.")]);
        assert_eq!(help, "Modes:\n  a\n      The first.\n  b\n      The second.\n");
    }
}
