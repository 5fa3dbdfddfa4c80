//! YAML as a tree of nodes that know where they stand: what the frontmatter is read from.
//!
//! Values are those of the core schema. Reading takes bounded time: nesting is limited by the parser, and what aliases
//! repeat is limited here.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use granit_parser::{Event, Parser, ScalarStyle};
use serde_json::{Map, Number, Value};

/// How many nodes aliases may repeat altogether.
const ALIAS_BUDGET: usize = 10_000;

/// A value and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Node {
    /// The bytes in the text that was parsed.
    pub(super) range: Range<usize>,
    /// What it is.
    pub(super) kind: Kind,
}

/// The kinds of values.
#[derive(Debug, Clone)]
pub(super) enum Kind {
    /// Nothing is written.
    Empty,
    /// A string.
    String(String),
    /// A scalar of another type, by its source text.
    Other(String),
    /// A list.
    List(Vec<Node>),
    /// A mapping: the first of equal keys only.
    Map(Vec<Entry>),
}

/// A key and its value.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    /// Where the key stands.
    pub(super) at: usize,
    /// The key, or its source text when it is no string.
    pub(super) key: String,
    /// The value.
    pub(super) value: Node,
}

/// Why a text is not YAML.
#[derive(Debug, Clone)]
pub(super) struct YamlError {
    /// Where reading stopped.
    pub(super) at: usize,
    /// What is wrong, as a clause.
    pub(super) message: String,
}

/// Read `text`, which holds one YAML document; equal keys go to `repeated`.
pub(super) fn parse(text: &str, repeated: &mut Vec<(usize, String)>) -> Result<Node, YamlError> {
    let options = granit_parser::options! { strict_indentation: true, emit_comments: false };
    let parser = Parser::new_from_str_with_options(text, options);
    let mut reader =
        Reader { text, stack: Vec::new(), root: None, anchors: HashMap::new(), budget: ALIAS_BUDGET, repeated };
    for next in parser {
        let (event, span) = next.map_err(|error| YamlError {
            at: error.marker().byte_offset().unwrap_or(text.len()).min(text.len()),
            message: error.kind().to_string(),
        })?;
        reader.event(event, span.byte_range().unwrap_or_default())?;
    }
    let nothing = Node { range: 0..0, kind: Kind::Empty };
    Ok(reader.root.unwrap_or(nothing))
}

/// The comments of `text`, without the sign, as far as it is YAML.
pub(super) fn comments(text: &str) -> Vec<String> {
    if !text.contains('#') {
        return Vec::new();
    }
    let options = granit_parser::options! { strict_indentation: true, emit_comments: true };
    let events = Parser::new_from_str_with_options(text, options).map_while(Result::ok);
    let comment = |(event, _)| match event {
        Event::Comment(text, _) => Some(text.trim().to_owned()),
        _ => None,
    };
    events.filter_map(comment).filter(|comment| !comment.is_empty()).collect()
}

/// A collection whose end has not come yet.
struct Open {
    start: usize,
    anchor: usize,
    content: Content,
}

enum Content {
    List(Vec<Node>),
    Map { entries: Vec<Entry>, seen: HashSet<String>, reported: HashSet<String>, key: Option<Node> },
}

struct Reader<'a> {
    text: &'a str,
    stack: Vec<Open>,
    root: Option<Node>,
    anchors: HashMap<usize, Node>,
    budget: usize,
    repeated: &'a mut Vec<(usize, String)>,
}

impl Reader<'_> {
    fn event(&mut self, event: Event<'_>, range: Range<usize>) -> Result<(), YamlError> {
        match event {
            Event::Scalar(value, style, anchor, tag) => {
                let is_string = tag.as_ref().is_some_and(|tag| tag.is_yaml_core_schema_tag("str"));
                let kind = scalar(&value, style, is_string, self.text.get(range.clone()).unwrap_or_default());
                self.close(Node { range, kind }, anchor)
            }
            Event::Alias(anchor) => {
                let at = range.start;
                let node = self.anchors.get(&anchor).cloned();
                let node = node
                    .filter(|node| self.spend(node))
                    .ok_or_else(|| YamlError { at, message: "an alias that repeats too much, or itself".to_owned() })?;
                self.close(Node { range, kind: node.kind }, 0)
            }
            Event::SequenceStart(_, anchor, _) => {
                self.stack.push(Open { start: range.start, anchor, content: Content::List(Vec::new()) });
                Ok(())
            }
            Event::MappingStart(_, anchor, _) => {
                let (seen, reported) = (HashSet::new(), HashSet::new());
                let content = Content::Map { entries: Vec::new(), seen, reported, key: None };
                self.stack.push(Open { start: range.start, anchor, content });
                Ok(())
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let Some(open) = self.stack.pop() else { return Ok(()) };
                let kind = match open.content {
                    Content::List(items) => Kind::List(items),
                    Content::Map { entries, .. } => Kind::Map(entries),
                };
                let end = range.end.max(open.start);
                self.close(Node { range: open.start..end, kind }, open.anchor)
            }
            Event::DocumentStart(..) if self.root.is_some() => {
                Err(YamlError { at: range.start, message: "a second document".to_owned() })
            }
            _ => Ok(()),
        }
    }

    /// Put a finished node where it belongs.
    fn close(&mut self, node: Node, anchor: usize) -> Result<(), YamlError> {
        if anchor > 0 && self.spend(&node) {
            self.anchors.insert(anchor, node.clone());
        }
        match self.stack.last_mut().map(|open| &mut open.content) {
            None => self.root = Some(node),
            Some(Content::List(items)) => items.push(node),
            Some(Content::Map { entries, seen, reported, key }) => match key.take() {
                None => *key = Some(node),
                Some(first) => {
                    let name = match first.kind {
                        Kind::String(name) | Kind::Other(name) => name,
                        Kind::Empty => String::new(),
                        Kind::List(_) | Kind::Map(_) => {
                            self.text.get(first.range.clone()).unwrap_or_default().to_owned()
                        }
                    };
                    if seen.insert(name.clone()) {
                        entries.push(Entry { at: first.range.start, key: name, value: node });
                    } else if reported.insert(name.clone()) {
                        self.repeated.push((first.range.start, name));
                    }
                }
            },
        }
        Ok(())
    }

    /// Whether the copies made so far leave room for one of `node`.
    fn spend(&mut self, node: &Node) -> bool {
        self.budget = self.budget.saturating_sub(node.size());
        self.budget > 0
    }
}

impl Node {
    /// The same node, `by` bytes further on.
    pub(super) fn moved(mut self, by: usize) -> Self {
        self.range = self.range.start + by..self.range.end + by;
        match &mut self.kind {
            Kind::Empty | Kind::String(_) | Kind::Other(_) => {}
            Kind::List(items) => {
                *items = std::mem::take(items).into_iter().map(|item| item.moved(by)).collect();
            }
            Kind::Map(entries) => {
                for entry in entries {
                    entry.at += by;
                    let nothing = Self { range: 0..0, kind: Kind::Empty };
                    entry.value = std::mem::replace(&mut entry.value, nothing).moved(by);
                }
            }
        }
        self
    }

    fn size(&self) -> usize {
        match &self.kind {
            Kind::Empty | Kind::String(_) | Kind::Other(_) => 1,
            Kind::List(items) => 1 + items.iter().map(Self::size).sum::<usize>(),
            Kind::Map(entries) => 1 + entries.iter().map(|entry| entry.value.size()).sum::<usize>(),
        }
    }

    /// The value as JSON has it.
    pub(super) fn to_json(&self) -> Value {
        match &self.kind {
            Kind::Empty => Value::Null,
            Kind::String(text) => Value::String(text.clone()),
            Kind::Other(text) => other(text).unwrap_or_else(|| Value::String(text.clone())),
            Kind::List(items) => Value::Array(items.iter().map(Self::to_json).collect()),
            Kind::Map(entries) => {
                let pairs = entries.iter().map(|entry| (entry.key.clone(), entry.value.to_json()));
                Value::Object(pairs.collect::<Map<_, _>>())
            }
        }
    }
}

fn scalar(value: &str, style: ScalarStyle, is_string: bool, source: &str) -> Kind {
    if style != ScalarStyle::Plain || is_string {
        Kind::String(value.to_owned())
    } else if value.is_empty() || source.is_empty() {
        Kind::Empty
    } else if other(value).is_some() || matches!(value, ".nan" | ".NaN" | ".NAN") || is_infinite(value) {
        Kind::Other(value.to_owned())
    } else {
        Kind::String(value.to_owned())
    }
}

fn is_infinite(text: &str) -> bool {
    matches!(text.trim_start_matches(['-', '+']), ".inf" | ".Inf" | ".INF")
}

/// The null, truth value or number that `text` is in the core schema; `None` for a string, and for what JSON lacks.
fn other(text: &str) -> Option<Value> {
    match text {
        "null" | "Null" | "NULL" | "~" => Some(Value::Null),
        "true" | "True" | "TRUE" => Some(Value::Bool(true)),
        "false" | "False" | "FALSE" => Some(Value::Bool(false)),
        _ => number(text).map(Value::Number),
    }
}

/// The number that `text` is in the core schema. What is too large for a float is the largest one.
pub(super) fn number(text: &str) -> Option<Number> {
    if let Some(digits) = text.strip_prefix("0x") {
        return u64::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+')).map(Number::from);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return u64::from_str_radix(digits, 8).ok().filter(|_| !digits.starts_with('+')).map(Number::from);
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_numeric = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'-' | b'+');
    if !unsigned.starts_with(|first: char| first.is_ascii_digit() || first == '.') || !unsigned.bytes().all(is_numeric)
    {
        return None;
    }
    if unsigned.bytes().all(|byte| byte.is_ascii_digit()) {
        let whole = text.strip_prefix('+').unwrap_or(text);
        if let Ok(whole) = whole.parse::<i64>() {
            return Some(Number::from(whole));
        }
    }
    let value: f64 = text.parse().ok()?;
    Number::from_f64(value.clamp(f64::MIN, f64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Value {
        parse(text, &mut Vec::new()).expect("the example is YAML").to_json()
    }

    #[test]
    fn core_schema() {
        let text =
            "[1, 0o17, 0x1F, 1.10, 12e4567, 0012, True, ~, '1', yes, 2026-09-15, -3, .5, 1.2.3, +7, 'a', e5, 1e]";
        assert_eq!(
            json(text).to_string(),
            "[1,15,31,1.1,1.7976931348623157e+308,12,true,null,\"1\",\"yes\",\"2026-09-15\",-3,0.5,\"1.2.3\",7,\"a\",\"e5\",\"1e\"]"
        );
        assert_eq!(json("a:\nb: .inf\nc: |\n  x\n   y\n").to_string(), r#"{"a":null,"b":".inf","c":"x\n y\n"}"#);
        assert_eq!(json(""), Value::Null);
    }

    #[test]
    fn the_first_of_equal_keys_wins() {
        let mut repeated = Vec::new();
        let node = parse("a: 1\nb: {x: 1, x: 2}\na: 3\na: 4\n", &mut repeated).expect("the example is YAML");
        assert_eq!(node.to_json().to_string(), r#"{"a":1,"b":{"x":1}}"#);
        assert_eq!(repeated, [(15, "x".to_owned()), (21, "a".to_owned())]);
    }

    #[test]
    fn aliases_are_bounded() {
        assert_eq!(json("a: &x [1]\nb: *x\n").to_string(), r#"{"a":[1],"b":[1]}"#);
        let mut bomb = "a: &a0 [x]\n".to_owned();
        for level in 1..60 {
            let last = level - 1;
            bomb += &format!("b{level}: &a{level} [*a{last}, *a{last}, *a{last}]\n");
        }
        assert!(parse(&bomb, &mut Vec::new()).is_err());
    }

    #[test]
    fn errors_say_where() {
        for (text, at) in [("a: b: c\n", 0), ("x: 1\na: `b`\n", 1), ("a:\n\t- b\n", 1)] {
            let error = parse(text, &mut Vec::new()).expect_err("the example is broken");
            assert_eq!(text[..error.at].matches('\n').count(), at, "{text:?}");
        }
    }
}
