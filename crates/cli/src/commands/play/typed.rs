//! What a line typed at the table means.

/// A line, understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Typed {
    Nothing,
    Action(String),
    Board,
    Help,
    Hint,
    History,
    Legal,
    /// Print the position, or set up the one given.
    Position(Option<String>),
    Quit,
    Resign,
    Rules,
    /// Take back so many of one's own actions.
    Undo(usize),
}

/// The commands: the word, and what it does.
pub(super) const COMMANDS: [(&str, &str); 11] = [
    ("legal", "list your legal actions"),
    ("board", "draw the position again"),
    ("hint", "ask the engine what it would play"),
    ("undo", "take back your last action (`undo 2`: your last two)"),
    ("position", "print the position as text (`position TEXT` sets one up, where you play alone)"),
    ("history", "list the plies, as far as you saw them"),
    ("rules", "the rules and the parameters"),
    ("resign", "give up"),
    ("help", "this list (also `?`)"),
    ("quit", "leave (also Ctrl-D); a game with --save can be resumed"),
    ("/WORD", "the command WORD, where an action has the same name"),
];

/// Reads a line. An action's name comes before a command's; `/` in front makes it a command in any case.
///
/// # Errors
/// Lines that begin like a command but are none.
pub(super) fn read(line: &str, legal: &[String]) -> Result<Typed, String> {
    let line = line.trim();
    if line.is_empty() {
        return Ok(Typed::Nothing);
    }
    if legal.iter().any(|action| action == line) {
        return Ok(Typed::Action(line.into()));
    }
    let (slash, words) = line.strip_prefix('/').map_or((false, line), |rest| (true, rest));
    let mut words = words.split_whitespace();
    let command = words.next().unwrap_or_default();
    let rest: Vec<&str> = words.collect();
    let typed = match command.to_ascii_lowercase().as_str() {
        "legal" | "actions" | "moves" => Typed::Legal,
        "board" | "look" => Typed::Board,
        "hint" => Typed::Hint,
        "history" => Typed::History,
        "rules" => Typed::Rules,
        "resign" => Typed::Resign,
        "help" | "?" => Typed::Help,
        "quit" | "exit" => Typed::Quit,
        "undo" => return undo(&rest),
        "position" => return Ok(Typed::Position((!rest.is_empty()).then(|| rest.join(" ")))),
        _ if slash => return Err(format!("there is no command `{command}`; type `help` for those there are")),
        _ => return Ok(Typed::Action(line.into())),
    };
    if rest.is_empty() {
        Ok(typed)
    } else {
        Err(format!("`{command}` takes nothing after it, not `{}`", rest.join(" ")))
    }
}

fn undo(rest: &[&str]) -> Result<Typed, String> {
    match rest {
        [] => Ok(Typed::Undo(1)),
        [count] => match count.parse() {
            Ok(n) if n > 0 => Ok(Typed::Undo(n)),
            _ => Err(format!("`undo {count}`: expected how many of your actions, from 1")),
        },
        _ => Err("`undo` takes one number".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_told_from_actions() {
        let legal = ["hint".to_string(), "b2".to_string()];
        for (line, typed) in [
            (" b2 ", Ok(Typed::Action("b2".into()))),
            ("z9", Ok(Typed::Action("z9".into()))),
            ("hint", Ok(Typed::Action("hint".into()))),
            ("/hint", Ok(Typed::Hint)),
            ("UNDO", Ok(Typed::Undo(1))),
            ("position", Ok(Typed::Position(None))),
            ("/position  3/3/X2 1", Ok(Typed::Position(Some("3/3/X2 1".into())))),
            ("undo 3", Ok(Typed::Undo(3))),
            ("?", Ok(Typed::Help)),
            ("  ", Ok(Typed::Nothing)),
        ] {
            assert_eq!(read(line, &legal), typed, "{line}");
        }
        for (line, says) in [
            ("/jump", "no command `jump`"),
            ("undo 0", "from 1"),
            ("undo x", "from 1"),
            ("undo 1 2", "one number"),
            ("quit now", "takes nothing after it"),
            ("/", "no command ``"),
        ] {
            assert!(read(line, &legal).unwrap_err().contains(says), "{line}");
        }
    }
}
