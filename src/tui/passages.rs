//! The files that records name, as a review to walk through: each as it is now, none of its lines changed.

use std::path::Path;

use bstr::{BStr, ByteSlice as _};

use crate::document::Document;
use crate::skeleton::{SEPARATOR, quoted};
use crate::store;
use crate::text::lines::Lines;

use super::records::Records;

/// The review called `title` of the files below `root` that `records` are about.
pub(super) fn document(title: &str, records: &Records, root: &Path) -> Document {
    let title = serde_json::Value::from(title);
    let mut parts = vec![format!("---\nwhymark: 1\ntitle: {title}\n---\n").into_bytes()];
    parts.extend(records.paths().into_iter().map(|path| section(path, root)));
    Document::parse(parts.join(SEPARATOR))
}

/// The section of a file; without lines where it is not there, is no text, or leads away.
fn section(path: &BStr, root: &Path) -> Vec<u8> {
    let mut out = [b"@file ", &*quoted(path), b" context\n"].concat();
    let read = || store::read(&store::inside(&root.join(path.to_path().ok()?), root).ok()?).ok();
    let Some(text) = read().filter(|text| !text.is_empty() && !text.contains(&0)) else { return out };
    let count = Lines::new(&text).count();
    out.extend_from_slice(format!("@@ -1,{count} +1,{count} @@\n").as_bytes());
    for line in Lines::new(&text) {
        out.push(b' ');
        out.extend_from_slice(line.of(&text));
    }
    if !text.ends_with(b"\n") {
        out.extend_from_slice(b"\n\\ No newline at end of file\n");
    }
    out
}
