//! Agents' options, and the spec text `id:key=value,key=value` that names an agent with them. Where an agent says so the
//! first entry may be a bare value: `level:6`.
//!
//! The form is that of games' specs; agents have other kinds of values: durations and decimals.

use std::fmt;
use std::time::Duration;

use raichi_core::params::SpecError;

/// One declared option of an agent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AgentOption {
    /// The key, as written in a spec.
    pub name: &'static str,
    /// What values it takes.
    pub kind: OptionKind,
    /// The default in spec text; `None` where it depends on the other options or the option may be absent.
    pub default: Option<&'static str>,
    /// One sentence for people: what it changes.
    pub help: &'static str,
}

/// What values an option takes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum OptionKind {
    /// Whole numbers.
    Int {
        /// Least value.
        min: u64,
        /// Greatest value.
        max: u64,
    },
    /// Whole numbers from 1, each with a name for people.
    Grade {
        /// The names, from that of 1.
        names: &'static [&'static str],
    },
    /// Decimal numbers without an exponent: `1.4`.
    Decimal {
        /// Least value.
        min: f64,
        /// Greatest value.
        max: f64,
    },
    /// Whole milliseconds or seconds: `200ms`, `1s`; at least 1 ms.
    Duration {
        /// Longest, in seconds.
        max_seconds: u64,
    },
    /// One of these words.
    Choice {
        /// The words.
        options: &'static [&'static str],
    },
    /// A list or a measure that the agent reads itself, of letters, digits, `-`, `_`, `.`, `/`, `+` and `:`: `70x8`.
    Text {
        /// What it is, for error messages: `the tuples, like 70x8`.
        of: &'static str,
    },
    /// The name of something that only the game can tell, of letters, digits, `-`, `_` and `.`: `hand`.
    Name {
        /// What is named, for error messages: `an evaluator`.
        of: &'static str,
    },
}

impl OptionKind {
    fn parse(&self, text: &str) -> Option<OptionValue> {
        match *self {
            OptionKind::Int { min, max } => number(text).filter(|n| (min..=max).contains(n)).map(OptionValue::Int),
            OptionKind::Grade { names } => {
                number(text).filter(|&n| (1..=names.len() as u64).contains(&n)).map(OptionValue::Int)
            }
            OptionKind::Decimal { min, max } => {
                let value = match text.strip_prefix('-') {
                    Some(size) if min < 0.0 => decimal(size).filter(|&size| size > 0.0).map(|size| -size),
                    _ => decimal(text),
                };
                value.filter(|x| (min..=max).contains(x)).map(OptionValue::Decimal)
            }
            OptionKind::Duration { max_seconds } => {
                let milliseconds = match text.strip_suffix("ms") {
                    Some(digits) => number(digits)?,
                    None => number(text.strip_suffix('s')?)?.checked_mul(1000)?,
                };
                let allowed = 1..=max_seconds * 1000;
                allowed.contains(&milliseconds).then(|| OptionValue::Duration(Duration::from_millis(milliseconds)))
            }
            OptionKind::Choice { options } => {
                options.iter().find(|&&word| word == text).map(|&word| OptionValue::Choice(word))
            }
            OptionKind::Text { .. } => is_text(text).then(|| OptionValue::Text(text.into())),
            OptionKind::Name { .. } => is_name(text).then(|| OptionValue::Name(text.into())),
        }
    }
}

impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            OptionKind::Int { min, max } => write!(f, "a whole number from {min} to {max}"),
            OptionKind::Grade { names } => write!(f, "a level from 1 to {}", names.len()),
            OptionKind::Decimal { min, max } => write!(f, "a decimal number like 1.4 from {min} to {max}"),
            OptionKind::Duration { max_seconds } => {
                write!(f, "a time in whole ms or s, like 200ms or 1s, from 1ms to {max_seconds}s")
            }
            OptionKind::Choice { options } => write!(f, "one of {}", options.join(", ")),
            OptionKind::Text { of } => write!(f, "{of}"),
            OptionKind::Name { of } => write!(f, "the name of {of}, of letters, digits, -, _ and ."),
        }
    }
}

// As in games' specs: decimal, without sign or leading zeros.
fn number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if digits && (text == "0" || !text.starts_with('0')) { text.parse().ok() } else { None }
}

fn decimal(text: &str) -> Option<f64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    number(whole)?;
    let digits = !fraction.is_empty() && fraction.bytes().all(|b| b.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

// A name may stand for a file, and must not lead out of its folder.
fn is_name(text: &str) -> bool {
    let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    (1..=64).contains(&text.len()) && text.bytes().all(allowed) && !text.starts_with('.')
}

fn is_text(text: &str) -> bool {
    let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'/' | b'+' | b':');
    (1..=20_000).contains(&text.len()) && text.bytes().all(allowed)
}

/// An option's value.
#[derive(Clone, PartialEq, Debug)]
pub enum OptionValue {
    /// Of [`OptionKind::Int`] and [`OptionKind::Grade`].
    Int(u64),
    /// Of [`OptionKind::Decimal`].
    Decimal(f64),
    /// Of [`OptionKind::Duration`].
    Duration(Duration),
    /// Of [`OptionKind::Choice`].
    Choice(&'static str),
    /// Of [`OptionKind::Text`].
    Text(String),
    /// Of [`OptionKind::Name`].
    Name(String),
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionValue::Int(n) => write!(f, "{n}"),
            OptionValue::Decimal(x) => write!(f, "{x}"),
            OptionValue::Duration(time) => match time.as_millis() {
                whole if whole.is_multiple_of(1000) => write!(f, "{}s", whole / 1000),
                milliseconds => write!(f, "{milliseconds}ms"),
            },
            OptionValue::Choice(word) => write!(f, "{word}"),
            OptionValue::Text(text) => write!(f, "{text}"),
            OptionValue::Name(name) => write!(f, "{name}"),
        }
    }
}

/// The options given in a spec, beside the declared ones.
#[derive(Clone, Debug)]
pub struct Options {
    agent: &'static str,
    /// The option whose value may stand bare as the first entry, and does so in the canonical spec.
    bare: Option<&'static str>,
    declared: &'static [AgentOption],
    given: Vec<Option<OptionValue>>,
}

impl Options {
    /// Reads the part of a spec behind the colon (`None` where there is no colon). Where `bare` names an option, its value
    /// may stand as the first entry without its key.
    ///
    /// # Errors
    /// Names the entry that is malformed, unknown, repeated or out of range, and what is allowed.
    pub fn parse(
        agent: &'static str,
        declared: &'static [AgentOption],
        bare: Option<&'static str>,
        text: Option<&str>,
    ) -> Result<Options, SpecError> {
        let allowed = || match declared {
            [] => "no options".into(),
            _ => declared.iter().map(|option| option.name).collect::<Vec<_>>().join(", "),
        };
        let mut given = vec![None; declared.len()];
        for (place, entry) in text.into_iter().flat_map(|text| text.split(',')).enumerate() {
            let unnamed = bare.filter(|_| place == 0).map(|key| (key, entry));
            let Some((key, value)) = entry.split_once('=').or(unnamed) else {
                return Err(SpecError::NotKeyValue { game: agent.into(), entry: entry.into(), allowed: allowed() });
            };
            let Some(i) = declared.iter().position(|option| option.name == key) else {
                return Err(SpecError::UnknownKey { game: agent.into(), key: key.into(), allowed: allowed() });
            };
            if given[i].is_some() {
                return Err(SpecError::RepeatedKey { key: key.into() });
            }
            let Some(value) = declared[i].kind.parse(value) else {
                let allowed = declared[i].kind.to_string();
                return Err(SpecError::BadValue { key: key.into(), value: value.into(), allowed });
            };
            given[i] = Some(value);
        }
        Ok(Options { agent, bare, declared, given })
    }

    /// The id of the agent.
    pub fn agent(&self) -> &'static str {
        self.agent
    }

    /// Whether the agent has an option of this name.
    pub fn declares(&self, name: &str) -> bool {
        self.declared.iter().any(|option| option.name == name)
    }

    fn position(&self, name: &str) -> usize {
        self.declared.iter().position(|option| option.name == name).expect("agents ask for options they declare")
    }

    /// The value given, or else the default, if there is one.
    pub fn get(&self, name: &str) -> Option<OptionValue> {
        let i = self.position(name);
        self.given[i].clone().or_else(|| self.default_of(i))
    }

    fn default_of(&self, i: usize) -> Option<OptionValue> {
        let text = self.declared[i].default?;
        Some(self.declared[i].kind.parse(text).expect("declared defaults are in range"))
    }

    /// Gives an option a value where the spec gave none. The canonical text will show it.
    pub fn give(&mut self, name: &str, value: OptionValue) {
        let i = self.position(name);
        self.given[i].get_or_insert(value);
    }

    /// The value of a whole-number option, if given or defaulted.
    ///
    /// # Panics
    /// When the agent asks for what it did not declare so.
    pub fn int(&self, name: &str) -> Option<u64> {
        self.get(name).map(|value| match value {
            OptionValue::Int(n) => n,
            other => panic!("option {name} is declared as a whole number, not {other:?}"),
        })
    }

    /// The value of a decimal option, if given or defaulted.
    ///
    /// # Panics
    /// When the agent asks for what it did not declare so.
    pub fn decimal(&self, name: &str) -> Option<f64> {
        self.get(name).map(|value| match value {
            OptionValue::Decimal(x) => x,
            other => panic!("option {name} is declared as a decimal number, not {other:?}"),
        })
    }

    /// The value of a duration, if given or defaulted.
    ///
    /// # Panics
    /// When the agent asks for what it did not declare so.
    pub fn duration(&self, name: &str) -> Option<Duration> {
        self.get(name).map(|value| match value {
            OptionValue::Duration(time) => time,
            other => panic!("option {name} is declared as a duration, not {other:?}"),
        })
    }

    /// The value of an option that takes one of several words, if given or defaulted.
    ///
    /// # Panics
    /// When the agent asks for what it did not declare so.
    pub fn choice(&self, name: &str) -> Option<&'static str> {
        self.get(name).map(|value| match value {
            OptionValue::Choice(word) => word,
            other => panic!("option {name} is declared as a choice, not {other:?}"),
        })
    }

    /// The value of an option that takes a text, if given or defaulted.
    ///
    /// # Panics
    /// When the agent asks for what it did not declare so.
    pub fn text(&self, name: &str) -> Option<String> {
        self.get(name).map(|value| match value {
            OptionValue::Text(text) => text,
            other => panic!("option {name} is declared as a text, not {other:?}"),
        })
    }

    /// The value of an option that takes a name, if given or defaulted.
    ///
    /// # Panics
    /// When the agent asks for what it did not declare so.
    pub fn name(&self, name: &str) -> Option<String> {
        self.get(name).map(|value| match value {
            OptionValue::Name(word) => word,
            other => panic!("option {name} is declared as a name, not {other:?}"),
        })
    }

    /// The canonical spec: the bare value first, if the agent takes one, then what differs from the defaults, in the
    /// declared order.
    pub fn canonical(&self) -> String {
        let is_bare = |option: &AgentOption| self.bare == Some(option.name);
        let bare = self.bare.and_then(|name| self.get(name)).map(|value| value.to_string());
        let others =
            self.declared.iter().enumerate().filter(|(_, option)| !is_bare(option)).filter_map(|(i, option)| {
                let value = self.given[i].as_ref().filter(|&value| self.default_of(i).as_ref() != Some(value))?;
                Some(format!("{}={value}", option.name))
            });
        let entries: Vec<String> = bare.into_iter().chain(others).collect();
        match entries[..] {
            [] => self.agent.to_string(),
            _ => format!("{}:{}", self.agent, entries.join(",")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DECLARED: &[AgentOption] = &[
        AgentOption { name: "time", kind: OptionKind::Duration { max_seconds: 3600 }, default: None, help: "" },
        AgentOption { name: "sims", kind: OptionKind::Int { min: 1, max: 1000 }, default: Some("50"), help: "" },
        AgentOption { name: "c", kind: OptionKind::Decimal { min: 0.0, max: 10.0 }, default: Some("1.4"), help: "" },
        AgentOption {
            name: "final",
            kind: OptionKind::Choice { options: &["visits", "value"] },
            default: Some("visits"),
            help: "",
        },
    ];

    fn canonical(text: &str) -> Result<String, SpecError> {
        Options::parse("a", DECLARED, None, Some(text)).map(|options| options.canonical())
    }

    #[test]
    fn canonical_text_is_in_order_and_leaves_defaults_out() {
        assert_eq!(canonical("c=2,time=1000ms").unwrap(), "a:time=1s,c=2");
        assert_eq!(canonical("c=1.40,sims=50,final=visits").unwrap(), "a");
        assert_eq!(canonical("time=1500ms,final=value").unwrap(), "a:time=1500ms,final=value");
        assert_eq!(Options::parse("a", DECLARED, None, None).unwrap().canonical(), "a");
        for text in ["a:time=1500ms", "a:time=3600s", "a:sims=7,c=0.25"] {
            assert_eq!(canonical(text.split_once(':').unwrap().1).unwrap(), text);
        }
    }

    #[test]
    fn the_first_entry_may_be_a_bare_value_where_the_agent_says_so() {
        let read = |text: &str| Options::parse("a", DECLARED, Some("sims"), Some(text)).map(|read| read.canonical());
        assert_eq!(read("7,c=2").unwrap(), "a:7,c=2");
        assert_eq!(read("c=2,sims=7").unwrap(), "a:7,c=2");
        assert_eq!(read("c=2").unwrap(), "a:50,c=2");
        assert!(read("x").unwrap_err().to_string().contains("`sims=x`: sims is a whole number from 1 to 1000"));
        assert!(read("7,8").unwrap_err().to_string().contains("not of the form key=value"));
        assert!(read("7,sims=8").unwrap_err().to_string().contains("`sims` is given twice"));
    }

    #[test]
    fn names_lead_nowhere_else() {
        const NAMED: &[AgentOption] = &[AgentOption {
            name: "evaluator",
            kind: OptionKind::Name { of: "an evaluator" },
            default: None,
            help: "",
        }];
        let read = |text: &str| Options::parse("a", NAMED, None, Some(text)).map(|read| read.canonical());
        assert_eq!(read("evaluator=hand").unwrap(), "a:evaluator=hand");
        for wrong in ["evaluator=", "evaluator=../x", "evaluator=.x", "evaluator=a b"] {
            assert!(read(wrong).unwrap_err().to_string().contains("the name of an evaluator"), "{wrong}");
        }
    }

    #[test]
    fn a_decimal_number_has_a_sign_where_it_may_be_below_0() {
        const SIGNED: &[AgentOption] = &[AgentOption {
            name: "init",
            kind: OptionKind::Decimal { min: -20.0, max: 1.0 },
            default: Some("0"),
            help: "",
        }];
        let read = |text: &str| Options::parse("a", SIGNED, None, Some(text)).map(|read| read.canonical());
        assert_eq!(read("init=-12.50").unwrap(), "a:init=-12.5");
        for wrong in ["init=-21", "init=-", "init=--1", "init=-0", "init=-01", "init=+1"] {
            assert!(read(wrong).unwrap_err().to_string().contains("from -20 to 1"), "{wrong}");
        }
        assert!(canonical("c=-1").is_err());
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, says) in [
            ("time=1", "`time=1`: time is a time in whole ms or s"),
            ("time=0ms", "from 1ms to 3600s"),
            ("time=3601s", "from 1ms to 3600s"),
            ("time=99999999999999999999s", "`time=9999"),
            ("time=18446744073709551615s", "`time=1844"),
            ("time=-1s", "`time=-1s`"),
            ("time=s", "`time=s`"),
            ("sims=0", "`sims=0`: sims is a whole number from 1 to 1000"),
            ("sims=01", "`sims=01`"),
            ("c=1e3", "`c=1e3`: c is a decimal number like 1.4 from 0 to 10"),
            ("c=.5", "`c=.5`"),
            ("c=1.", "`c=1.`"),
            ("c=inf", "`c=inf`"),
            ("final=best", "one of visits, value"),
            ("c=1,c=1", "`c` is given twice"),
            ("simz=3", "a has no parameter `simz`; it takes time, sims, c, final"),
            ("sims", "not of the form key=value"),
            ("", "not of the form key=value"),
        ] {
            let error = canonical(text).unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
