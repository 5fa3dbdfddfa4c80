//! Words that were perhaps meant by one that is none.

/// The word of `known` that `word` is a slip of the fingers away from, in any case.
#[must_use]
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    // One slip in three letters; of two letters nothing is alike.
    let most = word.chars().count() / 3;
    let measured = known.into_iter().map(|other| (strsim::osa_distance(&word, other), other));
    measured.filter(|(distance, _)| *distance <= most).min_by_key(|(distance, _)| *distance).map(|(_, other)| other)
}

/// The question whether that word was meant, to follow a sentence; empty when there is none.
#[must_use]
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, known).map_or_else(String::new, |near| format!(" Did you mean `{near}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_fingers() {
        let known = ["why", "title", "verify", "source", "risk"];
        for (word, want) in [
            ("titel", Some("title")),
            ("Titles", Some("title")),
            ("verfiy", Some("verify")),
            ("soruce", Some("source")),
            ("risc", Some("risk")),
            ("wy", None),
            ("wyh", Some("why")),
            ("owner", None),
            ("", None),
            ("\u{e9}\u{e9}\u{e9}\u{e9}", None),
        ] {
            assert_eq!(nearest(word, known), want, "{word}");
        }
    }
}
