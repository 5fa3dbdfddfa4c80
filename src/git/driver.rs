//! How a file is compared: by the diff driver that its attributes name, as git has them built in and configured.

use std::sync::Arc;

use bstr::{BStr, BString, ByteSlice};
use git2::AttrValue;

use super::Library;
use super::content::Side;
use super::posix::{Notation, translated};
use crate::diff::Rules;

/// The driver of a file that none is named for.
const DEFAULT: &[u8] = b"default";

/// A way to compare files.
#[derive(Debug, Default)]
pub(super) struct Driver {
    /// Whether what it is for is binary; `None` when the content tells.
    pub(super) binary: Option<bool>,
    /// What a heading is; `None` when it is what it is in any text.
    pub(super) headings: Option<Rules>,
}

impl Library {
    /// The driver for `side` of `path`. Attributes are about files: anything else, and a side that is not there, has the
    /// one that is for any file.
    pub(super) fn driver(&self, path: &BStr, side: Option<Side>) -> Arc<Driver> {
        let value = side.filter(Side::is_file).map_or(AttrValue::Unspecified, |_| self.attribute(path, "diff"));
        let binary = |binary| Arc::new(Driver { binary: Some(binary), headings: None });
        match value {
            AttrValue::True => binary(false),
            AttrValue::False => binary(true),
            AttrValue::String(name) => self.named_driver(name.as_bytes()),
            AttrValue::Bytes(name) => self.named_driver(name),
            AttrValue::Unspecified => self.named_driver(DEFAULT),
        }
    }

    /// The driver called `name`, else the one for any file.
    fn named_driver(&self, name: &[u8]) -> Arc<Driver> {
        if let Some(known) = self.known.drivers.borrow().get(name.as_bstr()) {
            return Arc::clone(known);
        }
        let driver = match self.configured_driver(name) {
            Some(driver) => Arc::new(driver),
            None if name == DEFAULT => Arc::default(),
            None => self.named_driver(DEFAULT),
        };
        self.known.drivers.borrow_mut().insert(BString::from(name), Arc::clone(&driver));
        driver
    }

    /// What git knows of `name` by itself, and what its configuration says. Programs that it names are not run.
    fn configured_driver(&self, name: &[u8]) -> Option<Driver> {
        let config = self.raw.config().and_then(|mut config| config.snapshot()).ok()?;
        let name_text = name.to_str().ok()?;
        let value = |key: &str| config.get_bytes(&format!("diff.{name_text}.{key}")).ok();
        let rules = |key: &str, notation| {
            Rules::configured(value(key)?.to_str().ok()?, |expression| translated(expression, notation))
        };
        let configured = rules("xfuncname", Notation::Extended).or_else(|| rules("funcname", Notation::Basic));
        let built_in = Rules::of_language(name);
        let binary = value("binary").and_then(|_| config.get_bool(&format!("diff.{name_text}.binary")).ok());
        // One that only says what is done elsewhere is one all the same, and not the one for any file.
        let other = ["command", "textconv", "cachetextconv", "wordRegex", "algorithm"];
        let is_known = built_in.is_some()
            || configured.is_some()
            || binary.is_some()
            || other.iter().any(|key| value(key).is_some());
        is_known.then(|| Driver { binary, headings: configured.or(built_in) })
    }
}
