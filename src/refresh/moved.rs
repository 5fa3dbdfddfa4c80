//! Whether the repository has moved on under a review: the commit that it is of was amended, another one has its name by
//! now, another branch is checked out. A review is never carried to what it is not of without a word.

use crate::document::check::is_same;
use crate::document::{Document, Scope};
use crate::git::{self, Repo};

use super::{Basis, context, ends};

/// How many digits of a commit's id are said.
const DIGITS: usize = 7;

/// What has happened.
#[derive(Debug, Clone, PartialEq)]
pub struct Moved {
    /// In a clause: "HEAD is def4567 now".
    pub said: String,
    /// What the review may be carried to, where there is something that came in the place of what it is of.
    pub next: Option<Box<Next>>,
}

/// What a review may be carried to, where somebody wants that.
#[derive(Debug, Clone, PartialEq)]
pub struct Next {
    /// What is asked before.
    pub question: String,
    /// How its changes are found.
    pub basis: Basis,
    /// The title that a review gets that has the first of these: what commits are called.
    pub titles: Option<[String; 2]>,
    /// What is reviewed then, in words; `None`: the same.
    pub scope: Option<String>,
}

impl Basis {
    /// What has happened in `repo` to what a review is of which `document` is; `None`: it is what it was.
    #[must_use]
    pub fn moved(&self, repo: &Repo, document: &Document) -> Option<Moved> {
        match self.compares(document.meta())? {
            Scope::Unstaged | Scope::Staged | Scope::Worktree => self.moved_to_branch(repo),
            Scope::Commit => self.moved_to_commit(repo, document),
            // That of a branch stays that of this branch.
            Scope::Branch | Scope::Manual => None,
        }
    }

    /// Another branch is checked out than the one that the review is called by.
    fn moved_to_branch(&self, repo: &Repo) -> Option<Moved> {
        let was = self.branch.as_ref()?;
        let now = repo.branch_name().ok().filter(|now| now != was)?;
        let question =
            format!("This is the review of {was}, and the branch is {now} now. Make its diff anew from there?");
        let basis = Self { branch: Some(now.clone()), ..self.clone() };
        let next = Next { question, basis, titles: None, scope: None };
        let said = format!("the branch is {now} now, and this is the review of {was}");
        Some(Moved { said, next: Some(Box::new(next)) })
    }

    /// The name of the commit names another one.
    fn moved_to_commit(&self, repo: &Repo, document: &Document) -> Option<Moved> {
        let ends = self.ends.as_ref().unwrap_or(document.meta());
        let (name, was) = ends.head.as_deref()?.rsplit_once('@').filter(|(_, id)| !id.is_empty())?;
        let now = repo.id_of_name(&format!("{name}^{{commit}}")).filter(|now| !is_same(was, now))?;
        let short = |id: &str| id.chars().take(was.len().clamp(DIGITS, 12)).collect::<String>();
        let is_range = ends.base.as_deref().is_some_and(|base| !base.starts_with(&format!("{name}^@")));
        let next = if is_range { None } else { self.rewritten(repo, document, (name, was), &now) };
        let opens =
            if is_range { String::new() } else { format!(", whose review `whymark tui --commit {name}` opens") };
        let said = format!("{name} is {} now{opens}; this is the review of {was}", short(&now));
        Some(Moved { said, next })
    }

    /// The same commit after it was amended or rebased, in the history of `now`.
    fn rewritten(&self, repo: &Repo, document: &Document, (name, was): (&str, &str), now: &str) -> Option<Box<Next>> {
        let id = repo.rewritten(was, now)?;
        let changes = |id: &str| repo.changes(&git::Scope::Commit(id.to_owned()), &self.options).ok();
        let (before, after) = (changes(was)?, changes(&id)?);
        if after.files().is_empty() {
            return None;
        }
        let mut ends = ends(&after);
        // It is called as before where the name is that of this one, and not of one further on.
        let own = ends.head.as_deref().and_then(|head| head.rsplit_once('@')).map_or(id.as_str(), |(_, own)| own);
        let name = if id == now { name.to_owned() } else { own.to_owned() };
        let named = |end: &Option<String>, name: String| {
            let (_, id) = end.as_deref()?.rsplit_once('@')?;
            Some(format!("{name}@{id}"))
        };
        (ends.head, ends.base) = (named(&ends.head, name.clone()), named(&ends.base, format!("{name}^")));
        let titles = [before.default_title(), after.default_title()];
        let (from, to) = (before.review_name(), after.review_name());
        let words = [from, to].map(|name| name.replacen('-', " ", 1));
        let question = format!("{} has taken the place of {}. Carry this review to it?", words[1], words[0]);
        let mut basis = Self { ends: Some(ends), ..self.clone() };
        if self.ends.is_none() {
            basis.options.context = basis.options.context.max(context(document));
        }
        Some(Box::new(Next { question, basis, titles: Some(titles), scope: Some(words[1].clone()) }))
    }
}
