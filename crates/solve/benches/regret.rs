//! Iterations a second of processor time of each kind of CFR on Kuhn and Leduc Poker, in one thread:
//! `cargo bench --profile figures -p raichi-solve --bench regret`.

use std::time::SystemTime;

use raichi_core::PathGame;
use raichi_core::host::{BareHost, CancelFlag};
use raichi_core::information::Information;
use raichi_games::kuhn_poker::KuhnPoker;
use raichi_games::leduc_poker::LeducPoker;
use raichi_solve::Work;
use raichi_solve::regret::{FullCfr, SampledCfr, Sampling, Sequences, Weights};

fn main() {
    measure("kuhn-poker", KuhnPoker, 200_000, -1.0 / 18.0);
    measure("leduc-poker", LeducPoker, 40_000, -0.085_606);
}

fn measure<G: Information>(name: &str, game: G, n: u64, value: f64) {
    let game = PathGame::from(game);
    let work = Work {
        deadline: None,
        cancel: &CancelFlag::default(),
        host: &BareHost,
        n_threads: 1,
        memory: 1 << 30,
        folder: None,
        progress: &|_| {},
    };
    let begin = now();
    let sequences = Sequences::of(&game, &work).expect("the game is small");
    let millis = (now() - begin) * 1e3;
    println!(
        "{name}: {} information sets, {} ends, walked in {millis:.2} ms",
        sequences.n_information_sets(),
        sequences.n_ends()
    );
    let report = |method: &str, begin: f64, plans: [Vec<f64>; 2]| {
        let rate = n as f64 / (now() - begin);
        let plans = [&plans[0][..], &plans[1][..]];
        let (found, exploitability) = (sequences.values(plans)[0], sequences.exploitability(plans));
        assert!((found - value).abs() < 2.0 * exploitability + 1e-6, "{method}: {found}, not {value}");
        println!(
            "  {method:<18} {rate:>12.0} iterations/s, value {found:+.6}, exploitability {exploitability:.2e} after {n}"
        );
    };
    let full = [
        ("CFR", Weights::Plain),
        ("CFR+", Weights::Plus),
        ("linear", Weights::Linear),
        ("discounted", Weights::DISCOUNTED),
    ];
    for (method, weights) in full {
        let begin = now();
        let mut cfr = FullCfr::new(&sequences, weights);
        (0..n).for_each(|_| cfr.iterate());
        report(method, begin, cfr.average());
    }
    for (method, sampling) in
        [("external sampling", Sampling::External), ("outcome sampling", Sampling::Outcome { exploration: 0.6 })]
    {
        let begin = now();
        let mut cfr = SampledCfr::new(&game, sampling, 1);
        (0..n).for_each(|_| cfr.iterate());
        report(method, begin, cfr.average(&sequences));
    }
}

/// Processor time of this thread, which other programs on the machine do not lengthen; wall time where the system tells none.
fn now() -> f64 {
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = spent.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(
        || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64()),
        |nanoseconds| nanoseconds / 1e9,
    )
}
