//! Views made once for all who see the same.

use bytes::Bytes;
use prometheus_client::metrics::counter::Counter;
use raichi_core::seat::SeatSet;

use crate::message::{ServerMessage, View};
use crate::view::Known;

/// The views of a table as it is now, kept until every connection has asked for its own.
pub(super) struct Views {
    /// Counts those that are made.
    n_made: Counter,
    made: Vec<Made>,
    /// Connections that have not asked since the table changed.
    n_waiting: usize,
}

/// A view for those who play these seats and have been sent this before.
struct Made {
    seats: SeatSet,
    known: Known,
    text: Bytes,
    known_then: Known,
}

impl Views {
    pub(super) fn new(n_made: Counter) -> Views {
        Views { n_made, made: Vec::new(), n_waiting: 0 }
    }

    /// The table has changed: all connections will ask for a view.
    pub(super) fn renew(&mut self, n_connections: usize) {
        self.made.clear();
        self.n_waiting = n_connections;
    }

    /// The message for a connection, and what it has been sent then. `make` is called where nobody has asked for the
    /// same before.
    pub(super) fn view(&mut self, seats: SeatSet, known: Known, make: impl Fn() -> (View, Known)) -> (Bytes, Known) {
        let text_of = |view| Bytes::from(ServerMessage::View(Box::new(view)).to_text());
        let same = self.made.iter().find(|made| (made.seats, made.known) == (seats, known));
        let (text, known_then) = if let Some(made) = same {
            debug_assert_eq!(made.text, text_of(make().0), "the table has changed without an announcement");
            (made.text.clone(), made.known_then)
        } else {
            let (view, known_then) = make();
            self.n_made.inc();
            let text = text_of(view);
            if self.n_waiting > 1 {
                self.made.push(Made { seats, known, text: text.clone(), known_then });
            }
            (text, known_then)
        };
        self.forget_one();
        (text, known_then)
    }

    /// A connection has been served or has gone. Nothing is kept once nobody is left to ask.
    pub(super) fn forget_one(&mut self) {
        self.n_waiting = self.n_waiting.saturating_sub(1);
        if self.n_waiting == 0 {
            self.made = Vec::new();
        }
    }
}
