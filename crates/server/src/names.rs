//! What people call themselves, made fit to be shown beside other words.
//!
//! Characters that cannot be seen or that change the direction of text are removed: with them a name could rearrange the
//! words beside it, look like another name, or look like none. Some invisible characters change what others look like;
//! those are kept where they do: they join and colour emoji, and join letters (RFC 5892, appendix A).

use icu_properties::props::{
    CanonicalCombiningClass, DefaultIgnorableCodePoint, EmojiModifier, ExtendedPictographic, GeneralCategory,
    GeneralCategoryGroup, JoiningType,
};
use icu_properties::{CodePointMapData, CodePointSetData};
use unicode_segmentation::UnicodeSegmentation;

/// The longest name, in characters as people count them.
const MAX_NAME: usize = 40;
/// The longest name in bytes; a joined emoji may have dozens.
const MAX_BYTES: usize = 320;
/// Of a longer text only the beginning is looked at.
const MAX_READ: usize = 8 * MAX_BYTES;
/// A family of four has seven code points; what has more than this is a letter under a pile of accents.
const MAX_CODE_POINTS: usize = 12;

const ZERO_WIDTH_NON_JOINER: char = '\u{200c}';
const ZERO_WIDTH_JOINER: char = '\u{200d}';
const TEXT_STYLE: char = '\u{fe0e}';
const EMOJI_STYLE: char = '\u{fe0f}';
const KEYCAP: char = '\u{20e3}';
const BLACK_FLAG: char = '\u{1f3f4}';
const END_OF_TAGS: char = '\u{e007f}';
const BLANK_BRAILLE: char = '\u{2800}';

/// The name in this text; `None` where nothing of it can be seen.
pub(crate) fn name(text: &str) -> Option<String> {
    let visible = visible(text);
    let mut name = String::new();
    let clusters = visible.graphemes(true).filter(|cluster| cluster.chars().count() <= MAX_CODE_POINTS);
    for cluster in clusters.take(MAX_NAME) {
        if name.len() + cluster.len() > MAX_BYTES {
            break;
        }
        name += cluster;
    }
    name.truncate(name.trim_end().len());
    name.chars().any(|c| !c.is_whitespace() && !is_mark(c)).then_some(name)
}

/// The text without what cannot be seen, and one blank wherever there were some.
fn visible(text: &str) -> String {
    let mut before = String::new();
    let mut rest = text.chars().take(MAX_READ).peekable();
    while let Some(c) = rest.next() {
        let next = rest.peek().copied();
        if c.is_whitespace() || c == BLANK_BRAILLE {
            if !before.is_empty() && !before.ends_with(' ') {
                before.push(' ');
            }
        } else if c == BLACK_FLAG {
            before.push(c);
            // The flag of a part of a country: its code in invisible letters.
            let code: String = rest.clone().take_while(|&c| is_tag(c)).collect();
            let n = code.chars().count();
            if (3..=6).contains(&n) && rest.clone().nth(n) == Some(END_OF_TAGS) {
                before.extend(code.chars().chain([END_OF_TAGS]));
                rest.nth(n);
            }
        } else if is_visible(c) || is_needed(c, &before, next) {
            before.push(c);
        }
    }
    before
}

fn is_visible(c: char) -> bool {
    const UNSEEN: GeneralCategoryGroup = GeneralCategoryGroup::Other.union(GeneralCategoryGroup::Separator);
    let category = CodePointMapData::<GeneralCategory>::new().get(c);
    !UNSEEN.contains(category) && !CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c)
}

/// Whether an invisible character changes what stands before or after it.
fn is_needed(c: char, before: &str, next: Option<char>) -> bool {
    let mut before = before.chars().rev();
    let Some(last) = before.next() else { return false };
    match c {
        TEXT_STYLE | EMOJI_STYLE => is_pictograph(last) || is_keycap_base(last) && next == Some(KEYCAP),
        ZERO_WIDTH_JOINER if joins_pictographs(last, next) => true,
        ZERO_WIDTH_JOINER | ZERO_WIDTH_NON_JOINER => joins_letters(last, before, next),
        _ => false,
    }
}

fn joins_pictographs(last: char, next: Option<char>) -> bool {
    let ends_one = is_pictograph(last)
        || matches!(last, EMOJI_STYLE | END_OF_TAGS)
        || CodePointSetData::new::<EmojiModifier>().contains(last);
    ends_one && next.is_some_and(is_pictograph)
}

/// After a virama, or between two letters that would join without it.
fn joins_letters(last: char, before: impl Iterator<Item = char>, next: Option<char>) -> bool {
    let joining = |c| CodePointMapData::<JoiningType>::new().get(c);
    if CodePointMapData::<CanonicalCombiningClass>::new().get(last) == CanonicalCombiningClass::Virama {
        return next.is_some_and(char::is_alphanumeric);
    }
    let letter = std::iter::once(last).chain(before).map(joining).find(|&kind| kind != JoiningType::Transparent);
    let joins_on = matches!(letter, Some(JoiningType::LeftJoining | JoiningType::DualJoining));
    joins_on
        && next.map(joining).is_some_and(|kind| matches!(kind, JoiningType::RightJoining | JoiningType::DualJoining))
}

fn is_pictograph(c: char) -> bool {
    CodePointSetData::new::<ExtendedPictographic>().contains(c)
}

fn is_keycap_base(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '#' | '*')
}

fn is_tag(c: char) -> bool {
    matches!(c, '\u{e0030}'..='\u{e0039}' | '\u{e0061}'..='\u{e007a}')
}

fn is_mark(c: char) -> bool {
    GeneralCategoryGroup::Mark.contains(CodePointMapData::<GeneralCategory>::new().get(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_removed() {
        for (text, expected) in [
            ("  Ann \n", "Ann"),
            ("A\u{202e}n\u{7}n", "Ann"),
            ("Ann\u{2066}\u{202a}\u{200f}\u{61c}", "Ann"),
            ("A\u{200b}n\u{2060}n\u{feff}\u{ad}\u{34f}\u{180e}", "Ann"),
            // Hangul fillers, Khmer inherent vowels, variation selectors, tags, private use.
            ("A\u{3164}n\u{ffa0}n\u{115f}\u{17b4}\u{fe0f}\u{e0101}\u{e0041}\u{e007f}\u{e000}", "Ann"),
            ("A\u{200d}n\u{200c}n\u{200d}", "Ann"),
            ("Ann\t\u{a0}\u{2003}\u{2800}Lee", "Ann Lee"),
            ("Ann\u{2028}Lee", "Ann Lee"),
        ] {
            assert_eq!(name(text).as_deref(), Some(expected), "{}", text.escape_unicode());
        }
    }

    #[test]
    fn a_name_that_cannot_be_seen_is_none() {
        for text in
            ["", " \t\u{200b}", "\u{2800}\u{3164}", "\u{fe0f}\u{200d}", "\u{e0061}", "\u{301}\u{301}", "\u{d}\u{a}"]
        {
            assert_eq!(name(text), None, "{}", text.escape_unicode());
        }
    }

    #[test]
    fn joined_emoji_and_joined_letters_survive() {
        for text in [
            "👩‍👩‍👧‍👦",
            "👩🏽‍🚀",
            "❤️",
            "👩🏽‍❤️‍💋‍👨🏿",
            "🏳️‍🌈",
            "🏴‍☠️",
            "🇸🇪🇳🇴",
            "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
            "1️⃣#️⃣",
            "👍🏿",
            "☎︎",
            "می\u{200c}خواهم",
            "क्\u{200d}ष",
            "e\u{301}",
            "שׁלום",
            "Ann 👩‍👩‍👧‍👦 Lee",
        ] {
            assert_eq!(name(text).as_deref(), Some(text), "{}", text.escape_unicode());
        }
    }

    #[test]
    fn what_only_looks_like_a_sequence_is_taken_apart() {
        for (text, expected) in [
            ("👩\u{200d}", "👩"),
            ("👩\u{200d}\u{200d}👧", "👩\u{200d}👧"),
            ("👩\u{200d}x", "👩x"),
            ("❤\u{fe0f}\u{fe0f}", "❤\u{fe0f}"),
            ("1\u{fe0f}2", "12"),
            // No end, too long a code, a code of letters that are no tags.
            ("\u{1f3f4}\u{e0067}\u{e0062}", "\u{1f3f4}"),
            ("\u{1f3f4}\u{e0067}\u{e0067}\u{e0067}\u{e0067}\u{e0067}\u{e0067}\u{e0067}\u{e007f}", "\u{1f3f4}"),
            ("\u{1f3f4}x\u{e0062}\u{e0062}\u{e0062}\u{e007f}", "\u{1f3f4}x"),
        ] {
            assert_eq!(name(text).as_deref(), Some(expected), "{}", text.escape_unicode());
        }
    }

    #[test]
    fn long_names_are_cut_between_characters() {
        let graphemes = |text: &str| name(text).unwrap().graphemes(true).count();
        assert_eq!(graphemes(&"ö".repeat(1_000)), 40);
        assert_eq!(graphemes(&"o\u{308}".repeat(1_000)), 40);
        assert_eq!(graphemes(&"🇸🇪".repeat(1_000)), 40);
        // Forty families are too many bytes; none is torn apart.
        let families = name(&"👩‍👩‍👧‍👦".repeat(1_000)).unwrap();
        assert_eq!(families, "👩‍👩‍👧‍👦".repeat(12));
        // A pile of accents is no letter; what stands beside it stays.
        assert_eq!(name(&format!("Ann o{} Lee", "\u{308}".repeat(500))).as_deref(), Some("Ann  Lee"));
        assert_eq!(name(&"\u{200b}".repeat(100_000)), None);
    }
}
