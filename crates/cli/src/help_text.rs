//! Lists in help texts. clap wraps each line at the terminal's width and keeps its indentation; manual pages
//! get roff's lists.

/// Formats a list: each term on a line of its own, its description indented on the next.
pub(crate) fn list(title: &str, entries: &[(&str, &str)]) -> String {
    let mut text = format!("{title}\n");
    for (term, description) in entries {
        text += &format!("  {term}\n      {description}\n");
    }
    text
}

/// Turns the indented lists of a manual page into roff's: `.TP`, term, description; `.PP` ends a list.
pub(crate) fn lists_in_roff(page: &str) -> String {
    let mut text = String::with_capacity(page.len() + 1024);
    let mut is_list = false;
    for line in page.lines() {
        if let Some(description) = line.strip_prefix("      ") {
            text += description;
        } else if let Some(term) = line.strip_prefix("  ") {
            text += ".TP 6\n";
            text += term;
            is_list = true;
        } else {
            if is_list && !line.starts_with('.') {
                text += ".PP\n";
            }
            is_list = false;
            text += line;
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_becomes_roffs() {
        let help = list("Modes:", &[("a", "The first."), ("b", "The second.")]);
        assert_eq!(help, "Modes:\n  a\n      The first.\n  b\n      The second.\n");
        let roff = lists_in_roff(&(help + "More.\n.SH END\n"));
        assert_eq!(roff, "Modes:\n.TP 6\na\nThe first.\n.TP 6\nb\nThe second.\n.PP\nMore.\n.SH END\n");
    }
}
