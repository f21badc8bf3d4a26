//! Where a lesson says that certain actions, and no others, keep what a position is worth, the solvers say so too.

use raichi_agents::truth::known;
use raichi_agents::{CancelFlag, SystemHost, Work};
use raichi_core::lesson::{Course, Step};
use raichi_games::{ROOMS, game};

/// What keeps the value, by the solvers.
fn keeping(step: &Step) -> Vec<String> {
    let game = game(&step.game).expect("a test of the games parses every spec");
    let current = step.open(&*game).expect("a test of the games opens every step");
    let truth = known(&*game).unwrap_or_else(|why| panic!("{}: {why}", step.game));
    let cancel = CancelFlag::default();
    let work = Work {
        deadline: None,
        cancel: &cancel,
        host: &SystemHost,
        n_threads: 1,
        memory: 64 << 20,
        folder: None,
        progress: &|_| {},
    };
    let examined = truth.examine(&*current, None, &work);
    let seat = examined.seat.expect("a seat is to act");
    let value = examined.exact.as_ref().unwrap_or_else(|why| panic!("{}: {why}", step.title)).values[seat];
    let keeps = examined.actions.iter().filter(|action| {
        let exact = action.exact.as_ref().unwrap_or_else(|why| panic!("{}: {why}", step.title));
        (exact.values[seat] - value).abs() < 1e-9
    });
    let mut keeps: Vec<String> = keeps.map(|action| action.action.clone()).collect();
    keeps.sort();
    keeps
}

#[test]
fn what_a_lesson_says_of_values_is_true() {
    let mut n_asked = 0;
    for rooms in ROOMS {
        let course = |text| Course::parse(text).expect("a test of the games parses every lesson").lesson;
        let lessons = [course(rooms.lesson), course(rooms.problems)].concat();
        for step in lessons.iter().flat_map(|lesson| &lesson.step).filter(|step| step.keeps) {
            let mut said = step.actions.clone();
            said.sort();
            assert_eq!(said, keeping(step), "{}: {}", rooms.folder, step.title);
            n_asked += 1;
        }
    }
    assert!(n_asked >= 10, "{n_asked} steps are about values");
}
