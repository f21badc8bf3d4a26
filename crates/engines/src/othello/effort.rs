//! What a search of Othello has spent, and whether it is to end.

/// Nodes, and a question that is asked whenever so many more of them were entered.
pub(super) struct Effort<'a> {
    pub(super) nodes: u64,
    /// Whether the work is over; it is told how many nodes were entered since it was last asked. `None` where nothing ends it.
    is_over: Option<&'a (dyn Fn(u64) -> bool + Sync)>,
    told: u64,
    asks_at: u64,
    stopped: bool,
}

/// A node takes less than a tenth of a microsecond, where patterns are looked up a few times as long.
pub(super) const ASK_EVERY: u64 = 1 << 10;

impl<'a> Effort<'a> {
    pub(super) fn new(is_over: &'a (dyn Fn(u64) -> bool + Sync)) -> Self {
        Effort { nodes: 0, is_over: Some(is_over), told: 0, asks_at: 0, stopped: false }
    }

    pub(super) fn unlimited() -> Self {
        Effort { nodes: 0, is_over: None, told: 0, asks_at: u64::MAX, stopped: false }
    }

    /// Whether the work is over, as far as was asked; what was found since is worth nothing then.
    #[inline]
    pub(super) fn is_stopped(&mut self) -> bool {
        if self.nodes >= self.asks_at && !self.stopped {
            self.asks_at = self.nodes + ASK_EVERY;
            let since = self.not_told();
            self.told = self.nodes;
            self.stopped = self.is_over.is_some_and(|is_over| is_over(since));
        }
        self.stopped
    }

    /// How many nodes were entered since it was last asked.
    pub(super) fn not_told(&self) -> u64 {
        self.nodes - self.told
    }

    /// The same, without asking.
    #[inline]
    pub(super) fn was_stopped(&self) -> bool {
        self.stopped
    }
}
