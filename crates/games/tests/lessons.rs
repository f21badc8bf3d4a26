//! The lessons and the problems: every file is read, and every step's position and answers are those of the rules.

use raichi_core::AnyGame;
use raichi_core::erased::split_spec;
use raichi_core::lesson::{Course, Judged, Step};
use raichi_games::{ROOMS, game, rooms};

#[test]
fn every_step_of_every_lesson_is_true_to_the_rules() {
    let mut faults = Vec::new();
    let lessons = ROOMS.iter().map(|rooms| (rooms, rooms.lesson));
    let problems = ROOMS.iter().map(|rooms| (rooms, rooms.problems));
    for (rooms, text) in lessons.chain(problems) {
        let course = match Course::parse(text) {
            Ok(course) => course,
            Err(why) => {
                faults.push(format!("{}: {why}", rooms.folder));
                continue;
            }
        };
        for lesson in &course.lesson {
            for (i, step) in lesson.step.iter().enumerate() {
                let place = format!("{}: {}, step {} (`{}`)", rooms.folder, lesson.title, i + 1, step.title);
                if split_spec(&step.game).0 != rooms.id {
                    faults.push(format!("{place}: `{}` is another game", step.game));
                    continue;
                }
                match game(&step.game) {
                    Ok(game) => faults.extend(step.faults(&*game).into_iter().map(|fault| format!("{place}: {fault}"))),
                    Err(why) => faults.push(format!("{place}: {why}")),
                }
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn every_game_has_problems_with_grades() {
    for rooms in ROOMS {
        let shelf = Course::parse(rooms.problems).unwrap_or_else(|why| panic!("{}: {why}", rooms.folder));
        let steps: Vec<_> = shelf.lesson.iter().flat_map(|lesson| &lesson.step).collect();
        assert!(steps.len() >= 4, "{} has {} problems", rooms.folder, steps.len());
        for step in steps {
            assert!(step.grade.is_some_and(|grade| (1..=5).contains(&grade)), "{}: {}", rooms.folder, step.title);
        }
    }
}

#[test]
fn a_step_that_is_not_true_is_found() {
    let step = |history: &str, goal: &str| {
        let text = format!(
            "[[lesson]]\ntitle = 'L'\n[[lesson.step]]\ntitle = 'S'\ngame = 'tic-tac-toe'\nhistory = '{history}'\ntask = 'Do.'\n\
             right = 'Yes.'\nwrong = 'No.'\n{goal}"
        );
        let course = Course::parse(&text).expect("the text is a course");
        course.lesson[0].step[0].faults(&*game("tic-tac-toe").expect("the defaults make a game"))
    };
    assert_eq!(step("a1 b1 b2 c1", "actions = ['c3']"), [""; 0]);
    assert_eq!(step("a1 b1 b2 c1", "won = true"), [""; 0]);
    for (history, goal, says) in [
        ("a1 a1", "won = true", "a1"),
        ("a1 b1 b2 c1", "actions = ['a1']", "not a legal action"),
        ("a1 b1", "won = true", "no legal action"),
        ("a1 b1 b2 c1 c3", "won = true", "not to act"),
        ("a1 b1 b2 c1", "won = true\ntries = { b1 = 'Taken.' }", "tries, `b1`"),
        ("a1 b1", "won = true\nwithin = 3\nsolution = ['b2', 'c3']\nreplies = { b2 = 'b2' }", "replies to `b2`"),
        ("a1 b1", "won = true\nwithin = 3\nsolution = ['b2', 'b3']\nreplies = { b2 = 'c1' }", "does not do it"),
        ("a1 b1", "lasts = 'b2 b3'\nchoices = ['2', '3']", "not over after the plies"),
        ("a1 b1", "lasts = 'b2 b3 c3'\nchoices = ['2', '4']", "`3` is right, and not among"),
        ("a1 b1", "lasts = 'b2 b3 c3'\nchoices = ['2', '3']\ntries = { 4 = 'No.' }", "`4` is no answer"),
    ] {
        let faults = step(history, goal);
        assert!(faults.iter().any(|fault| fault.contains(says)), "{history}, {goal}: {faults:?}");
    }
    assert_eq!(step("a1 b1", "won = true\nwithin = 3\nsolution = ['b2', 'c3']\nreplies = { b2 = 'c1' }"), [""; 0]);
    assert_eq!(step("a1 b1", "lasts = 'b2 b3 c3'\nchoices = ['2', '3']"), [""; 0]);
}

/// How many ways of the learner through a step, which keeps to `among`, are judged right, and how many wrong.
fn ways(step: &Step, game: &dyn AnyGame, line: &mut Vec<String>) -> (usize, usize) {
    let opened = step.open(game).expect("a test opens every step");
    let learner = step.learner(&*opened);
    let after = |line: &[String]| {
        let (mut current, mut judged) = (step.open(game).expect("it opened before"), None);
        for token in line {
            judged = Some(step.play(&mut *current, &*opened, token).expect("the action is legal"));
        }
        (current, judged)
    };
    match after(line) {
        (_, Some(Judged::Right { .. })) => (1, 0),
        (_, Some(Judged::Wrong { .. })) => (0, 1),
        (current, _) => {
            let open = current.legal(learner).into_iter().filter(|a| step.among.is_empty() || step.among.contains(a));
            open.fold((0, 0), |(right, wrong), action| {
                line.push(action);
                let (more_right, more_wrong) = ways(step, game, line);
                line.pop();
                (right + more_right, wrong + more_wrong)
            })
        }
    }
}

/// The proof is played in whatever order the learner likes: where the step leaves a choice, each leads to what it says.
#[test]
fn all_ways_through_the_proof_of_sim_lead_where_it_says() {
    let course = Course::parse(rooms("sim").expect("Sim has rooms").lesson).expect("it parses");
    let proof = &course.lesson[1].step;
    let ways = |step: &Step| ways(step, &*game(&step.game).expect("the spec is right"), &mut Vec::new());
    let found: Vec<(usize, usize)> = proof.iter().map(ways).collect();
    // Five lines at a point, every other one the learner's; three of nine lines; three in any order; one harmless of three,
    // then the last; the rim in any order; two points of the rim that are no neighbours, and the fifth line.
    assert_eq!(found, [(5 * 3, 0), (3, 6), (6, 0), (1, 2), (120, 0), (5, 10)]);
}

#[test]
fn who_leaves_the_actions_of_a_step_is_told_so() {
    let course = Course::parse(rooms("sim").expect("Sim has rooms").lesson).expect("it parses");
    let step = &course.lesson[1].step[4];
    let game = game(&step.game).expect("the spec is right");
    let opened = step.open(&*game).expect("it opens");
    let mut current = step.open(&*game).expect("it opens");
    assert_eq!(step.play(&mut *current, &*opened, "1-2"), Ok(Judged::GoesOn { said: String::new() }));
    assert_eq!(current.history(raichi_core::Viewer::Referee), "1-2 1-3", "White takes the first line of the star");
    assert_eq!(step.play(&mut *current, &*opened, "1-4"), Ok(Judged::Wrong { said: step.wrong.clone() }));
}
