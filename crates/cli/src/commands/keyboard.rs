//! Lines from the person at the keyboard, or from a script in its place.

use std::io::{self, BufRead, IsTerminal};

use anstream::adapter::strip_str;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::{Context, Editor};
use rustyline::{Helper, Highlighter, Hinter, Validator};

use crate::failure::Failure;
use crate::output::Output;

/// Where lines come from.
pub(crate) enum Keyboard {
    /// A terminal: lines are edited, Tab completes, ↑ brings back.
    Terminal(Box<Editor<Words, DefaultHistory>>),
    /// A pipe or a file: lines are echoed, so that the output reads like a session.
    Script,
}

impl Keyboard {
    pub(crate) fn new() -> Keyboard {
        if !(io::stdin().is_terminal() && io::stdout().is_terminal()) {
            return Keyboard::Script;
        }
        // A terminal that cannot be edited on can still be read from.
        Editor::new().map_or(Keyboard::Script, |editor| Keyboard::Terminal(Box::new(editor)))
    }

    /// The next line without its end; `None` when there are no more or the person wants to leave (Ctrl-C, Ctrl-D).
    ///
    /// # Errors
    /// When the terminal or the pipe is broken.
    pub(crate) fn line(
        &mut self,
        prompt: &str,
        words: Vec<String>,
        out: &mut Output,
    ) -> Result<Option<String>, Failure> {
        match self {
            Keyboard::Script => script_line(prompt, out),
            Keyboard::Terminal(editor) => {
                editor.set_helper(Some(Words(words)));
                match editor.readline(&strip_str(prompt).to_string()) {
                    Ok(line) => {
                        // Without a history ↑ brings nothing back; no harm done.
                        let _ = editor.add_history_entry(&line);
                        Ok(Some(line))
                    }
                    Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
                    Err(why) => Err(Failure::Failed(format!("cannot read from the terminal: {why}"))),
                }
            }
        }
    }

    /// Forgets the lines typed so far: the next person may have secrets from the last.
    pub(crate) fn forget(&mut self) {
        if let Keyboard::Terminal(editor) = self {
            let _ = editor.clear_history();
        }
    }
}

fn script_line(prompt: &str, out: &mut Output) -> Result<Option<String>, Failure> {
    out.print(prompt)?;
    let mut bytes = Vec::new();
    let read = io::stdin().lock().read_until(b'\n', &mut bytes);
    if read.map_err(|why| Failure::Failed(format!("cannot read standard input: {why}")))? == 0 {
        out.line("")?;
        return Ok(None);
    }
    let line = String::from_utf8_lossy(&bytes).trim_end_matches(['\r', '\n']).to_string();
    if !io::stdin().is_terminal() {
        out.line(&line)?;
    }
    Ok(Some(line))
}

/// The words that Tab completes: the legal actions, then the commands.
#[derive(Helper, Highlighter, Hinter, Validator)]
pub(crate) struct Words(Vec<String>);

impl Completer for Words {
    type Candidate = String;

    fn complete(&self, line: &str, cursor: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = &line[..cursor];
        Ok((0, self.0.iter().filter(|word| word.starts_with(typed)).cloned().collect()))
    }
}
