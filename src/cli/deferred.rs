//! Arguments of a command that are described when that command is asked for. Of thirty commands one runs, and describing
//! them all takes longer, and more memory, than reading what was typed.

use std::ops::Deref;

use clap::builder::Resettable;
use clap::error::Error;
use clap::{ArgMatches, Args, Command, FromArgMatches};

/// The arguments `T` of a command, not described before it is asked for, or listed for help, completions and the manual.
#[derive(Debug)]
pub(super) struct Deferred<T>(T);

impl<T> Deref for Deferred<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Args> Args for Deferred<T> {
    fn augment_args(command: Command) -> Command {
        command.defer(described::<T>)
    }

    fn augment_args_for_update(command: Command) -> Command {
        command.defer(described::<T>)
    }
}

/// `command` with the arguments `T`. What it does has been said where it is listed.
fn described<T: Args>(command: Command) -> Command {
    let [about, long_about] = [command.get_about(), command.get_long_about()]
        .map(|said| said.cloned().map_or(Resettable::Reset, Resettable::Value));
    T::augment_args(command).about(about).long_about(long_about)
}

impl<T: FromArgMatches> FromArgMatches for Deferred<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches(matches).map(Self)
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches_mut(matches).map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}
