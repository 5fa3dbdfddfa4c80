//! Reads the paths out of a Rust source: just enough of the language for a test.

/// One path or method in a source.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Use {
    /// The line, counted from 1.
    pub(super) line: usize,
    /// `crate::text::Span`, `std::fs`, or `.exists` for a method; `super` is resolved.
    pub(super) path: String,
}

/// A word, `::`, or a single other character, and its line.
struct Token {
    line: usize,
    text: String,
}

/// The paths that the code of the file `name` (from `src/` on) uses outside of its tests.
pub(super) fn uses(name: &str, text: &str) -> Vec<Use> {
    let tokens = tokens(&without_tests(&code(text)));
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let is_path = is_word(&tokens[at].text) && tokens.get(at + 1).is_some_and(|token| token.text == "::");
        if is_path && (at == 0 || tokens[at - 1].text != "::") {
            at = tree(&tokens, at, String::new(), &mut found);
        } else {
            if let [dot, method, ..] = &tokens[at..]
                && dot.text == "."
                && is_word(&method.text)
            {
                found.push(Use { line: method.line, path: format!(".{}", method.text) });
            }
            at += 1;
        }
    }
    for used in &mut found {
        used.path = resolved(name, &used.path);
    }
    found.extend(bare_roots(&tokens));
    found
}

/// `use root;` and `use root as other;`, which are paths without `::`.
fn bare_roots(tokens: &[Token]) -> impl Iterator<Item = Use> + '_ {
    let imports = tokens.windows(3).filter(|window| window[0].text == "use" && window[2].text != "::");
    imports.map(|window| Use { line: window[1].line, path: window[1].text.clone() })
}

/// Read the path at `at`, with all branches of its groups, and hand back where it ends.
fn tree(tokens: &[Token], mut at: usize, prefix: String, found: &mut Vec<Use>) -> usize {
    let mut path = prefix;
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    let line = tokens.get(at).map_or(0, |token| token.line);
    loop {
        if text(at) == "{" {
            at += 1;
            while !matches!(text(at), "}" | "") {
                at = if is_word(text(at)) { tree(tokens, at, path.clone(), found) } else { at + 1 };
            }
            return at + 1;
        }
        if !is_word(text(at)) {
            break;
        }
        path = if path.is_empty() { text(at).to_owned() } else { format!("{path}::{}", text(at)) };
        at += 1;
        if text(at) != "::" {
            break;
        }
        at += 1;
    }
    found.push(Use { line, path });
    at
}

/// `path` with `super`, `self` and the name of the crate replaced by what they stand for in the file `name`.
fn resolved(name: &str, path: &str) -> String {
    let mut parts: Vec<&str> = path.split("::").collect();
    if parts[0] == env!("CARGO_PKG_NAME") {
        parts[0] = "crate";
        return parts.join("::");
    }
    if !["super", "self"].contains(&parts[0]) {
        return path.to_owned();
    }
    let mut module: Vec<&str> = name.trim_end_matches(".rs").split('/').collect();
    if ["mod", "lib", "main"].contains(&module[module.len() - 1]) {
        module.pop();
    }
    while let Some(step) = parts.first().copied().filter(|part| ["super", "self"].contains(part)) {
        parts.remove(0);
        if step == "super" {
            module.pop();
        }
    }
    ["crate"].into_iter().chain(module).chain(parts).collect::<Vec<_>>().join("::")
}

/// The files of modules that `text`, the file `name`, declares for tests only.
pub(crate) fn test_modules(name: &str, text: &str) -> Vec<String> {
    let folder = match name.rsplit_once('/') {
        Some((folder, "mod.rs")) => format!("{folder}/"),
        None if ["lib.rs", "main.rs"].contains(&name) => String::new(),
        _ => format!("{}/", name.trim_end_matches(".rs")),
    };
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let declared = lines.windows(2).filter(|pair| pair[0] == "#[cfg(test)]");
    declared
        .filter_map(|pair| pair[1].strip_prefix("mod ")?.strip_suffix(';'))
        .map(|module| format!("{folder}{module}.rs"))
        .collect()
}

/// `code` with the items under `#[cfg(test)]` blanked out; needs the layout of rustfmt.
fn without_tests(code: &str) -> String {
    let mut kept = String::with_capacity(code.len());
    let mut lines = code.lines();
    while let Some(line) = lines.next() {
        if line.trim() == "#[cfg(test)]" || line.trim().starts_with("#[cfg(all(test,") {
            let end = format!("{}}}", &line[..line.len() - line.trim_start().len()]);
            kept.push('\n');
            for line in lines.by_ref() {
                kept.push('\n');
                if line == end || line.ends_with(';') && !line.starts_with(&format!("{} ", &end[..end.len() - 1])) {
                    break;
                }
            }
        } else {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// The strings of a source outside of its tests: the line that each ends in, and what is written between its quotes.
pub(crate) fn strings(text: &str) -> Vec<(usize, String)> {
    let text = without_tests(text);
    let mut found = Vec::new();
    let (mut at, mut before) = (0, None);
    while let Some(first) = text[at..].chars().next() {
        let skipped = skipped_len(&text[at..], before);
        let end = at + if skipped == 0 { first.len_utf8() } else { skipped };
        let quoted = text[at..end].trim_start_matches('r').trim_matches('#');
        if let Some(string) = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
            found.push((text[..end].lines().count(), string.to_owned()));
        }
        (at, before) = (end, if skipped == 0 { Some(first) } else { None });
    }
    found
}

/// `text` without comments and without what stands in strings; line ends stay.
fn code(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let skipped = skipped_len(rest, kept.chars().next_back());
        let len = if skipped == 0 { first.len_utf8() } else { skipped };
        let (piece, behind) = rest.split_at(len);
        if skipped == 0 {
            kept.push(first);
        } else {
            kept.extend(piece.chars().filter(|char| *char == '\n'));
            kept.push(' ');
        }
        rest = behind;
    }
    kept
}

/// The length of the comment, string or character at the start of `text`; 0 when there is none.
fn skipped_len(text: &str, before: Option<char>) -> usize {
    let until = |from: usize, end: &str| text[from..].find(end).map_or(text.len(), |at| from + at + end.len());
    if text.starts_with("//") {
        return text.find('\n').unwrap_or(text.len());
    }
    if text.starts_with("/*") {
        return until(2, "*/");
    }
    let hashes = text.strip_prefix('r').map_or(0, |raw| raw.bytes().take_while(|byte| *byte == b'#').count());
    let is_word = before.is_some_and(|char| char.is_alphanumeric() && char != 'b' || char == '_');
    if text.starts_with('r') && text[1 + hashes..].starts_with('"') && !is_word {
        return until(2 + hashes, &format!("\"{}", "#".repeat(hashes)));
    }
    if text.starts_with('"') {
        return quoted_len(text, '"');
    }
    // A quote that closes behind one character (or an escape) is a character, else it begins a lifetime.
    let mut chars = text.chars();
    match (chars.next(), chars.next(), chars.next()) {
        (Some('\''), Some('\\'), _) => quoted_len(text, '\''),
        (Some('\''), Some(char), Some('\'')) => 2 + char.len_utf8(),
        _ => 0,
    }
}

/// The length of what stands between two `quote`s at the start of `text`, both included.
fn quoted_len(text: &str, quote: char) -> usize {
    let mut chars = text.char_indices().skip(1);
    while let Some((at, char)) = chars.next() {
        match char {
            '\\' => drop(chars.next()),
            _ if char == quote => return at + char.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

fn is_word(text: &str) -> bool {
    text.starts_with(|char: char| char.is_alphabetic() || char == '_')
}

fn tokens(code: &str) -> Vec<Token> {
    let mut found = Vec::new();
    for (index, line) in code.lines().enumerate() {
        let mut rest = line;
        while let Some(first) = rest.chars().next() {
            let word = rest.find(|char: char| !char.is_alphanumeric() && char != '_').unwrap_or(rest.len());
            let len = match first {
                _ if word > 0 => word,
                ':' if rest.starts_with("::") => 2,
                _ => first.len_utf8(),
            };
            let (text, behind) = rest.split_at(len);
            if !text.trim().is_empty() {
                found.push(Token { line: index + 1, text: text.to_owned() });
            }
            rest = behind;
        }
    }
    found
}
