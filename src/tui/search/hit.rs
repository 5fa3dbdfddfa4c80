//! Where in a part something is found.

use crate::document::{Block, Tree};

/// A place in a part where something is found; in the order of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hit {
    /// The line that it stands at, counted from 1; 0 for the top of the part.
    line: u32,
    /// What of that which stands there.
    pub spot: Spot,
}

/// What stands at a line, in the order of the screen. A row of the summary is a line too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Spot {
    /// Above the line, the block with this index: the heading of a hunk, a check, a comment, a stray line.
    Block(u32),
    /// Above the line, an unfolded line of the file, by its index in that.
    Above(u32),
    /// The line itself, or the header of the file.
    Line,
    /// What is said about the file, by its place among that.
    Fact(u32),
    /// The card of the annotation with this index.
    Card(u32),
    /// Below the line, an unfolded line of the file, by its index in that.
    Below(u32),
}

impl Hit {
    /// The header of the file.
    pub const TOP: Self = Self { line: 0, spot: Spot::Line };

    /// Behind all that is in the part.
    pub const BOTTOM: Self = Self { line: u32::MAX, spot: Spot::Below(u32::MAX) };

    /// The line with this index, or the row of the summary.
    #[must_use]
    pub fn line(line: u32) -> Self {
        Self::at(line, Spot::Line)
    }

    /// What is said about the file, by its place among that.
    #[must_use]
    pub fn fact(index: u32) -> Self {
        Self { spot: Spot::Fact(index), ..Self::TOP }
    }

    /// What stands at the line with this index.
    #[must_use]
    pub fn at(line: u32, spot: Spot) -> Self {
        Self { line: line.saturating_add(1), spot }
    }

    /// The card of the annotation with this index, whose first line is `line`; `None` for one about the file.
    #[must_use]
    pub fn card(line: Option<u32>, annotation: usize) -> Self {
        let spot = Spot::Card(u32::try_from(annotation).unwrap_or(u32::MAX));
        line.map_or(Self { spot, ..Self::TOP }, |line| Self::at(line, spot))
    }

    /// The blocks of `tree` that have a row of their own, by index, with the line that each stands above; `summary` is the
    /// number of rows of the summary, which stands above all of them.
    pub fn blocks(tree: &Tree, summary: u32) -> impl Iterator<Item = (u32, Block, Self)> + '_ {
        let mut line = summary;
        (0..).zip(&tree.blocks).filter_map(move |(index, block)| {
            let hit = Self::at(line, Spot::Block(index));
            match *block {
                Block::Hunk(hunk) => line = summary + tree.hunks[hunk as usize].lines.end,
                Block::Comment(_) | Block::Stray(_) | Block::Check(_) => {}
                Block::Bom(_) | Block::Frontmatter(_) | Block::File(_) | Block::Note(_) | Block::Blank(_) => {
                    return None;
                }
            }
            Some((index, *block, hit))
        })
    }

    /// The line, unless it is at the top of the file.
    #[must_use]
    pub fn line_index(self) -> Option<u32> {
        self.line.checked_sub(1)
    }

    /// The annotation, if it is a card.
    #[must_use]
    pub fn annotation(self) -> Option<usize> {
        match self.spot {
            Spot::Card(annotation) => usize::try_from(annotation).ok(),
            _ => None,
        }
    }
}
