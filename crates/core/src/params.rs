//! A game's declared parameters, and the spec text `id:key=value,key=value` that names a game with them.

use std::fmt;

use crate::notation::shortened;

/// One declared parameter.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "wire-types", derive(ts_rs::TS))]
pub struct ParamSpec {
    /// The key, as written in a spec.
    pub name: &'static str,
    /// What values it takes.
    pub kind: ParamKind,
    /// The default in spec text; `None` where it depends on the other parameters or the parameter may be absent.
    pub default: Option<&'static str>,
    /// One sentence for people: what it changes.
    pub help: &'static str,
}

/// What values a parameter takes.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "wire-types", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum ParamKind {
    /// Whole numbers from `min` to `max` in steps of `step` from `min`.
    Int {
        /// Least value.
        min: u64,
        /// Greatest value.
        max: u64,
        /// Distance of neighbouring values, 1 for all whole numbers.
        step: u64,
    },
    /// `true` or `false`.
    Bool,
    /// One of these words.
    Choice {
        /// The words.
        options: &'static [&'static str],
    },
    /// Whole numbers between slashes, `1/3/5`.
    List {
        /// Fewest entries.
        min_len: usize,
        /// Most entries.
        max_len: usize,
        /// Least value of an entry.
        min: u64,
        /// Greatest value of an entry.
        max: u64,
    },
}

impl ParamKind {
    /// All whole numbers from `min` to `max`.
    pub const fn int(min: u64, max: u64) -> ParamKind {
        ParamKind::Int { min, max, step: 1 }
    }

    fn parse(&self, text: &str) -> Option<Value> {
        match *self {
            ParamKind::Int { min, max, step } => {
                number(text).filter(|&n| (min..=max).contains(&n) && (n - min).is_multiple_of(step)).map(Value::Int)
            }
            ParamKind::Bool => match text {
                "true" => Some(Value::Bool(true)),
                "false" => Some(Value::Bool(false)),
                _ => None,
            },
            ParamKind::Choice { options } => options.iter().find(|&&o| o == text).map(|&o| Value::Choice(o)),
            ParamKind::List { min_len, max_len, min, max } => {
                let entries: Option<Vec<u64>> =
                    text.split('/').map(|entry| number(entry).filter(|n| (min..=max).contains(n))).collect();
                entries.filter(|list| (min_len..=max_len).contains(&list.len())).map(Value::List)
            }
        }
    }
}

impl fmt::Display for ParamKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ParamKind::Int { min, max, step: 1 } => write!(f, "a whole number from {min} to {max}"),
            ParamKind::Int { min, max, step } => {
                write!(f, "a whole number from {min} to {max} in steps of {step}")
            }
            ParamKind::Bool => write!(f, "true or false"),
            ParamKind::Choice { options } => write!(f, "one of {}", options.join(", ")),
            ParamKind::List { min_len, max_len, min, max } => {
                write!(f, "{min_len} to {max_len} numbers from {min} to {max} with / between them")
            }
        }
    }
}

// Decimal, without sign or leading zeros, as the contract asks.
fn number(text: &str) -> Option<u64> {
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    let canonical = digits && !text.is_empty() && (text == "0" || !text.starts_with('0'));
    if canonical { text.parse().ok() } else { None }
}

/// A parameter's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Of [`ParamKind::Int`].
    Int(u64),
    /// Of [`ParamKind::Bool`].
    Bool(bool),
    /// Of [`ParamKind::Choice`].
    Choice(&'static str),
    /// Of [`ParamKind::List`].
    List(Vec<u64>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Int(n) => write!(f, "{n}"),
            Value::Bool(b) => write!(f, "{b}"),
            Value::Choice(word) => write!(f, "{word}"),
            Value::List(list) => {
                let entries: Vec<String> = list.iter().map(u64::to_string).collect();
                write!(f, "{}", entries.join("/"))
            }
        }
    }
}

/// Why a spec names no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// No game has this id.
    #[error("there is no game `{}`; {meant}the games are {known}", shortened(.id))]
    UnknownGame {
        /// The id given.
        id: String,
        /// Which game is also called so: `it is also called …`, or nothing.
        meant: String,
        /// The ids there are.
        known: String,
    },
    /// An entry is not `key=value`.
    #[error("`{}` is not of the form key=value; {game} takes {allowed}", shortened(.entry))]
    NotKeyValue {
        /// The game's id.
        game: String,
        /// The entry given.
        entry: String,
        /// The keys there are.
        allowed: String,
    },
    /// The game has no such parameter.
    #[error("{game} has no parameter `{}`; it takes {allowed}", shortened(.key))]
    UnknownKey {
        /// The game's id.
        game: String,
        /// The key given.
        key: String,
        /// The keys there are.
        allowed: String,
    },
    /// A parameter is given twice.
    #[error("`{key}` is given twice; give it once")]
    RepeatedKey {
        /// The key.
        key: String,
    },
    /// A value is out of its range.
    #[error("`{key}={}`: {key} is {allowed}", shortened(.value))]
    BadValue {
        /// The key.
        key: String,
        /// The value given.
        value: String,
        /// What is allowed.
        allowed: String,
    },
    /// Each value is in its range, but together they make no game.
    #[error("`{key}={}`: {why}", shortened(.value))]
    Conflict {
        /// The key to change.
        key: String,
        /// Its value.
        value: String,
        /// What is wrong with it beside the others, and what is allowed.
        why: String,
    },
}

impl SpecError {
    /// The declared parameter that is to be changed, where it is one.
    pub fn param(&self) -> Option<&str> {
        match self {
            SpecError::RepeatedKey { key } | SpecError::BadValue { key, .. } | SpecError::Conflict { key, .. } => {
                Some(key)
            }
            SpecError::UnknownGame { .. } | SpecError::NotKeyValue { .. } | SpecError::UnknownKey { .. } => None,
        }
    }

    /// Parameters that make no game together.
    pub fn conflict(key: &str, value: impl fmt::Display, why: impl Into<String>) -> SpecError {
        SpecError::Conflict { key: key.into(), value: value.to_string(), why: why.into() }
    }
}

/// The parameters given in a spec, beside the declared ones.
#[derive(Clone, Debug)]
pub struct Params {
    specs: Vec<ParamSpec>,
    given: Vec<Option<Value>>,
    defaults: Vec<Option<Value>>,
}

impl Params {
    /// Reads the part of a spec behind the colon (`None` where there is no colon).
    ///
    /// # Errors
    /// Names the entry that is malformed, unknown, repeated or out of range, and what is allowed.
    pub fn parse(game: &str, specs: Vec<ParamSpec>, text: Option<&str>) -> Result<Params, SpecError> {
        let allowed = || specs.iter().map(|spec| spec.name).collect::<Vec<_>>().join(", ");
        let mut given = vec![None; specs.len()];
        for entry in text.into_iter().flat_map(|text| text.split(',')) {
            let Some((key, value)) = entry.split_once('=') else {
                return Err(SpecError::NotKeyValue { game: game.into(), entry: entry.into(), allowed: allowed() });
            };
            let Some(i) = specs.iter().position(|spec| spec.name == key) else {
                return Err(SpecError::UnknownKey { game: game.into(), key: key.into(), allowed: allowed() });
            };
            if given[i].is_some() {
                return Err(SpecError::RepeatedKey { key: key.into() });
            }
            let Some(value) = specs[i].kind.parse(value) else {
                let allowed = specs[i].kind.to_string();
                return Err(SpecError::BadValue { key: key.into(), value: value.into(), allowed });
            };
            given[i] = Some(value);
        }
        let defaults = specs
            .iter()
            .map(|spec| spec.default.map(|text| spec.kind.parse(text).expect("declared defaults are in range")))
            .collect();
        Ok(Params { specs, given, defaults })
    }

    fn position(&self, name: &str) -> usize {
        self.specs.iter().position(|spec| spec.name == name).expect("games ask for parameters they declare")
    }

    /// The value given, if one was.
    pub fn given(&self, name: &str) -> Option<&Value> {
        self.given[self.position(name)].as_ref()
    }

    /// Sets the default of a parameter whose default depends on the others; a given value equal to it will not be
    /// printed in the canonical text.
    pub fn set_default(&mut self, name: &str, value: Value) {
        let i = self.position(name);
        self.defaults[i] = Some(value);
    }

    /// The value given, or else the default, if there is one.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let i = self.position(name);
        self.given[i].as_ref().or(self.defaults[i].as_ref())
    }

    /// The value of a whole-number parameter.
    ///
    /// # Panics
    /// When the game asks for what it did not declare so.
    pub fn int(&self, name: &str) -> u64 {
        match self.get(name) {
            Some(&Value::Int(n)) => n,
            other => panic!("parameter {name} is declared as a number with a default, not {other:?}"),
        }
    }

    /// The value of a boolean parameter.
    ///
    /// # Panics
    /// When the game asks for what it did not declare so.
    pub fn bool(&self, name: &str) -> bool {
        match self.get(name) {
            Some(&Value::Bool(b)) => b,
            other => panic!("parameter {name} is declared as a boolean with a default, not {other:?}"),
        }
    }

    /// The value of a parameter that takes one of several words.
    ///
    /// # Panics
    /// When the game asks for what it did not declare so.
    pub fn choice(&self, name: &str) -> &'static str {
        match self.get(name) {
            Some(&Value::Choice(word)) => word,
            other => panic!("parameter {name} is declared as a choice with a default, not {other:?}"),
        }
    }

    /// The value of a list parameter, if given or defaulted.
    ///
    /// # Panics
    /// When the game asks for what it did not declare so.
    pub fn list(&self, name: &str) -> Option<&[u64]> {
        match self.get(name) {
            Some(Value::List(list)) => Some(list),
            None => None,
            other => panic!("parameter {name} is declared as a list, not {other:?}"),
        }
    }

    /// The canonical spec: what differs from the defaults, in the declared order.
    pub fn canonical(&self, id: &str) -> String {
        let mut text = id.to_string();
        let mut separator = ':';
        for ((spec, given), default) in self.specs.iter().zip(&self.given).zip(&self.defaults) {
            if let Some(value) = given.as_ref().filter(|&value| default.as_ref() != Some(value)) {
                text += &format!("{separator}{}={value}", spec.name);
                separator = ',';
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn specs() -> Vec<ParamSpec> {
        vec![
            ParamSpec { name: "size", kind: ParamKind::int(2, 19), default: Some("11"), help: "" },
            ParamSpec { name: "swap", kind: ParamKind::Bool, default: Some("false"), help: "" },
            ParamSpec {
                name: "sizes",
                kind: ParamKind::List { min_len: 1, max_len: 3, min: 1, max: 9 },
                default: None,
                help: "",
            },
        ]
    }

    fn canonical(text: &str) -> Result<String, SpecError> {
        Params::parse("g", specs(), Some(text)).map(|params| params.canonical("g"))
    }

    #[test]
    fn canonical_text_is_in_order_and_leaves_defaults_out() {
        assert_eq!(canonical("swap=true,size=7").unwrap(), "g:size=7,swap=true");
        assert_eq!(canonical("size=11,swap=false").unwrap(), "g");
        assert_eq!(canonical("sizes=1/2").unwrap(), "g:sizes=1/2");
        assert_eq!(Params::parse("g", specs(), None).unwrap().canonical("g"), "g");
    }

    #[test]
    fn an_error_names_the_parameter_to_change() {
        let param = |text| canonical(text).unwrap_err().param().map(String::from);
        assert_eq!(param("size=1").as_deref(), Some("size"));
        assert_eq!(param("swap=true,swap=true").as_deref(), Some("swap"));
        assert_eq!(SpecError::conflict("sizes", "1", "why").param(), Some("sizes"));
        assert_eq!(param("sise=3"), None);
        assert_eq!(param("size"), None);
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, says) in [
            ("size=1", "`size=1`: size is a whole number from 2 to 19"),
            ("size=07", "`size=07`"),
            ("size=+7", "`size=+7`"),
            ("size=", "`size=`"),
            ("swap=True", "true or false"),
            ("size=3,size=3", "`size` is given twice"),
            ("sise=3", "no parameter `sise`; it takes size, swap, sizes"),
            ("size", "not of the form key=value"),
            ("", "not of the form key=value"),
            ("sizes=1/0", "1 to 3 numbers from 1 to 9"),
            ("size=99999999999999999999999", "whole number"),
        ] {
            let error = canonical(text).unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
