//! The agents that come with the command. `README.md` beside this says how each was made, and how good it is.

/// Their names and archives.
pub(super) const SHIPPED: &[(&str, &[u8])] = &[
    ("learned-al-jabar", include_bytes!("learned-al-jabar.zip")),
    ("learned-black-6", include_bytes!("learned-black-6.zip")),
    ("learned-blackjack", include_bytes!("learned-blackjack.zip")),
    ("learned-connect-four", include_bytes!("learned-connect-four.zip")),
    ("learned-french-military", include_bytes!("learned-french-military.zip")),
    ("learned-hex-6", include_bytes!("learned-hex-6.zip")),
    ("learned-kaalu", include_bytes!("learned-kaalu.zip")),
    ("learned-nim", include_bytes!("learned-nim.zip")),
    ("learned-nim3p", include_bytes!("learned-nim3p.zip")),
    ("learned-tic-tac-toe", include_bytes!("learned-tic-tac-toe.zip")),
    ("learned-yavalath", include_bytes!("learned-yavalath.zip")),
];
