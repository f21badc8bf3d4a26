//! The queue in simulated time: as many threads as it is told, and jobs that use all they may.

use std::net::Ipv4Addr;

use super::*;

const SECOND: Duration = Duration::from_secs(1);

fn client(n: u32) -> ClientAddress {
    ClientAddress::of(Ipv4Addr::from(n).into())
}

fn table(name: impl ToString) -> Table {
    name.to_string().into()
}

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

/// A queue, the time, and what is being thought about.
struct Simulation {
    queue: Queue,
    now: Duration,
    /// With the time by which each ends by itself.
    running: Vec<(JobId, Duration)>,
}

/// What ended, and when it had begun.
#[derive(Clone, Copy, Debug)]
struct Ended {
    job: JobId,
    thought: Duration,
}

impl Simulation {
    fn new(n_threads: usize) -> Simulation {
        let queue = Queue::new(n_threads, EngineTimes::default());
        Simulation { queue, now: Duration::ZERO, running: Vec::new() }
    }

    fn enter(&mut self, of: u32, at: impl ToString, wants: Duration) -> JobId {
        self.queue.enter(client(of), &table(at), wants)
    }

    /// Goes on until a job ends or the time has come.
    fn step(&mut self, until: Duration) -> Option<Ended> {
        loop {
            while let Some(Turn { job, time }) = self.queue.begin_next(self.now) {
                self.running.push((job, self.now + time));
            }
            let overdue = self.queue.overdue(self.now);
            for (job, end) in &mut self.running {
                if overdue.jobs.contains(job) {
                    *end = self.now;
                }
            }
            if let Some(i) = self.running.iter().position(|&(_, end)| end <= self.now) {
                let (job, _) = self.running.swap_remove(i);
                let begun = self.queue.jobs[&job].begun.expect("it runs").at;
                self.queue.remove(job, self.now);
                return Some(Ended { job, thought: self.now - begun });
            }
            if self.now >= until {
                return None;
            }
            let ends = self.running.iter().map(|&(_, end)| end);
            self.now = ends.chain(overdue.next).chain([until]).min().expect("there is always an end");
        }
    }

    fn run_until_end_of(&mut self, job: JobId) -> Duration {
        let start = self.now;
        while let Some(ended) = self.step(start + 1000 * SECOND) {
            if ended.job == job {
                return self.now - start;
            }
        }
        panic!("job {job} did not end");
    }
}

#[test]
fn spare_time_is_what_no_job_wants() {
    let mut queue = Queue::new(2, EngineTimes::default());
    let begin =
        |queue: &mut Queue, now| std::iter::from_fn(|| queue.begin_next(now)).map(|turn| turn.job).collect::<Vec<_>>();
    let long = queue.enter(client(1), &table("long"), 5 * SECOND);
    let [first, second] = [(); 2].map(|()| queue.enter_spare(client(1)));
    // One thread is left over, and who ponders there has no end as long as nobody waits for it.
    assert_eq!(begin(&mut queue, ms(0)), [long, first]);
    assert_eq!(queue.overdue(ms(999)), Overdue { jobs: vec![], next: Some(SECOND) });
    assert_eq!(queue.overdue(SECOND), Overdue { jobs: vec![first], next: None });
    queue.remove(first, SECOND);
    assert_eq!(begin(&mut queue, SECOND), [second]);
    assert_eq!(queue.overdue(4 * SECOND), Overdue::default());
    // A job gets that thread at once, and nothing is taken from the long one, though another client has come.
    let job = queue.enter(client(2), &table("job"), SECOND);
    assert!(begin(&mut queue, 4 * SECOND).is_empty());
    assert_eq!(queue.overdue(4 * SECOND), Overdue { jobs: vec![second], next: None });
    assert_eq!(queue.overdue(4 * SECOND), Overdue::default(), "each is named once");
    queue.remove(second, 4 * SECOND);
    assert_eq!(queue.begin_next(4 * SECOND), Some(Turn { job, time: SECOND }));
    // While jobs have all threads, nobody ponders; and a job for which there is no thread is still made room for.
    let spare = queue.enter_spare(client(3));
    let third = queue.enter(client(3), &table("third"), SECOND);
    assert_eq!(queue.overdue(4 * SECOND).jobs, [long]);
    queue.remove(long, 4 * SECOND);
    assert_eq!(begin(&mut queue, 4 * SECOND), [third]);
    queue.remove(third, 5 * SECOND);
    assert_eq!(begin(&mut queue, 5 * SECOND), [spare]);
    for id in [job, spare] {
        queue.remove(id, 6 * SECOND);
    }
    assert_eq!((queue.jobs.len(), queue.spare.n_running()), (0, 0));
}

#[test]
fn a_job_for_which_a_thread_is_free_hurries_nobody() {
    let mut queue = Queue::new(2, EngineTimes::default());
    let long = queue.enter(client(1), &table("long"), 5 * SECOND);
    assert_eq!(queue.begin_next(ms(0)).unwrap().job, long);
    queue.enter(client(2), &table("other"), SECOND);
    assert_eq!(queue.overdue(4 * SECOND), Overdue::default());
}

#[test]
fn spare_time_is_shared_among_clients() {
    let mut queue = Queue::new(1, EngineTimes::default());
    let mut of = HashMap::new();
    for (n, by) in [(8, 1), (1, 2)] {
        for _ in 0..n {
            of.insert(queue.enter_spare(client(by)), by);
        }
    }
    let mut turns = HashMap::from([(1, 0), (2, 0)]);
    let mut now = ms(0);
    for _ in 0..100 {
        let Turn { job, .. } = queue.begin_next(now).unwrap();
        now += SECOND;
        assert_eq!(queue.overdue(now).jobs, [job]);
        queue.remove(job, now);
        let by = of.remove(&job).unwrap();
        *turns.get_mut(&by).unwrap() += 1;
        of.insert(queue.enter_spare(client(by)), by);
    }
    assert_eq!(turns, HashMap::from([(1, 50), (2, 50)]));
}

/// Tables of one client whose engines think again as soon as they have thought.
struct Crowd {
    /// Of which client, at which table.
    jobs: HashMap<JobId, (u32, usize)>,
    n_turns: HashMap<(u32, usize), usize>,
    time: HashMap<(u32, usize), Duration>,
    shortest: Duration,
}

impl Crowd {
    fn new(simulation: &mut Simulation, clients: std::ops::Range<u32>, n_tables: usize, wants: Duration) -> Crowd {
        let mut crowd =
            Crowd { jobs: HashMap::new(), n_turns: HashMap::new(), time: HashMap::new(), shortest: Duration::MAX };
        for client in clients {
            for table in 0..n_tables {
                crowd.n_turns.insert((client, table), 0);
                crowd.jobs.insert(simulation.enter(client, table, wants), (client, table));
            }
        }
        crowd
    }

    /// Runs until the time has come, or until `job` has ended. Returns what that thought.
    fn run(
        &mut self,
        simulation: &mut Simulation,
        wants: Duration,
        until: Duration,
        job: Option<JobId>,
    ) -> Option<Duration> {
        while let Some(ended) = simulation.step(until) {
            if Some(ended.job) == job {
                return Some(ended.thought);
            }
            let (client, table) = self.jobs.remove(&ended.job).expect("the job is the crowd's");
            *self.n_turns.get_mut(&(client, table)).unwrap() += 1;
            *self.time.entry((client, table)).or_default() += ended.thought;
            self.shortest = self.shortest.min(ended.thought);
            self.jobs.insert(simulation.enter(client, table, wants), (client, table));
        }
        None
    }

    fn turns(&self) -> (usize, usize) {
        let turns = || self.n_turns.values().copied();
        (turns().min().unwrap(), turns().max().unwrap())
    }
}

#[test]
fn where_nobody_waits_engines_take_the_time_they_want() {
    let mut simulation = Simulation::new(2);
    let jobs = [simulation.enter(1, "a", 5 * SECOND), simulation.enter(1, "b", SECOND)];
    assert_eq!(simulation.run_until_end_of(jobs[1]), SECOND);
    assert_eq!(simulation.run_until_end_of(jobs[0]), 4 * SECOND);
}

#[test]
fn a_hundred_tables_of_one_visitor_do_not_stop_another() {
    let wants = 5 * SECOND;
    let mut simulation = Simulation::new(2);
    let mut crowd = Crowd::new(&mut simulation, 1..2, 100, wants);
    crowd.run(&mut simulation, wants, 20 * SECOND, None);
    for i in 0..50 {
        let entered = simulation.now;
        let job = simulation.enter(2, "alone", SECOND);
        let thought = crowd.run(&mut simulation, wants, entered + 100 * SECOND, Some(job)).expect("it ends");
        let waited = simulation.now - entered;
        // All the time it wants, and hardly any wait.
        assert!(thought == SECOND && waited <= ms(1_250), "{i}: thought {thought:?}, waited {waited:?}");
        crowd.run(&mut simulation, wants, entered + waited + ms(37 * i), None);
    }
    // All the tables went on, and none thought for much longer than another.
    let (least, most) = (crowd.time.values().min().unwrap(), crowd.time.values().max().unwrap());
    assert!(crowd.turns().0 >= 10 && *most - *least <= ms(100), "{:?} turns, {least:?} to {most:?}", crowd.turns());
    assert!(crowd.shortest >= ms(50), "{:?}", crowd.shortest);
}

#[test]
fn nor_when_the_other_comes_while_the_first_of_them_still_have_all_their_time() {
    let wants = 5 * SECOND;
    let mut simulation = Simulation::new(2);
    simulation.enter(1, "first", wants);
    simulation.enter(1, "second", wants);
    simulation.step(ms(1));
    let mut crowd = Crowd::new(&mut simulation, 1..2, 100, wants);
    simulation.step(ms(90));
    let job = simulation.enter(2, "alone", SECOND);
    // The two that began first are nobody's in the crowd.
    crowd.jobs.extend([(1, (1, 0)), (2, (1, 1))]);
    crowd.run(&mut simulation, wants, 100 * SECOND, Some(job)).expect("it ends");
    assert!(simulation.now <= ms(90 + 1_250), "{:?}", simulation.now);
}

#[test]
fn a_single_long_search_does_not_stop_another_visitor() {
    for n_threads in [1, 2] {
        let mut simulation = Simulation::new(n_threads);
        for table in 0..n_threads {
            simulation.enter(1, table, 5 * SECOND);
        }
        simulation.step(ms(100));
        let job = simulation.enter(2, "alone", SECOND);
        let waited = simulation.run_until_end_of(job);
        // At most a turn until a thread is free.
        assert!(waited <= 2 * SECOND, "{n_threads} threads: {waited:?}");
    }
}

#[test]
fn under_any_load_every_table_gets_its_turns() {
    let wants = 5 * SECOND;
    let mut simulation = Simulation::new(2);
    let mut crowd = Crowd::new(&mut simulation, 0..50, 20, wants);
    let mut busy = Crowd::new(&mut simulation, 100..101, 500, wants);
    let minutes = 10 * 60 * SECOND;
    // Both crowds' jobs end in one simulation.
    crowd.jobs.extend(busy.jobs.drain());
    crowd.n_turns.extend(busy.n_turns.drain());
    crowd.run(&mut simulation, wants, minutes, None);
    let by_client = |client| {
        let turns = crowd.n_turns.iter().filter(|((of, _), _)| *of == client).map(|(_, &n)| n);
        (turns.clone().min().unwrap(), turns.clone().max().unwrap(), turns.sum::<usize>())
    };
    let all: Vec<(usize, usize, usize)> = (0..50).chain([100]).map(by_client).collect();
    let (fewest, most) = (all.iter().map(|n| n.2).min().unwrap(), all.iter().map(|n| n.2).max().unwrap());
    assert!(most - fewest <= 1, "clients have the same number of turns: {all:?}");
    for (fewest, most, _) in &all[..50] {
        assert!(*fewest >= 20 && most - fewest <= 1, "and their tables: {all:?}");
    }
    assert!(crowd.shortest >= ms(50));
    // The one with five hundred tables has twenty-five times fewer turns at each.
    assert!(all[50].1 - all[50].0 <= 1);
}

#[test]
fn a_quick_engine_of_the_same_visitor_does_not_wait_for_all_the_slow_ones() {
    let wants = 5 * SECOND;
    let mut simulation = Simulation::new(2);
    let mut crowd = Crowd::new(&mut simulation, 1..2, 100, wants);
    crowd.run(&mut simulation, wants, 20 * SECOND, None);
    let entered = simulation.now;
    let job = simulation.enter(1, "quick", ms(200));
    crowd.run(&mut simulation, wants, entered + 100 * SECOND, Some(job)).expect("it ends");
    assert!(simulation.now - entered <= ms(200), "{:?}", simulation.now - entered);
}

#[test]
fn more_threads_than_clients_are_all_used() {
    let mut simulation = Simulation::new(8);
    let wants = 4 * SECOND;
    let mut crowd = Crowd::new(&mut simulation, 1..3, 8, wants);
    crowd.run(&mut simulation, wants, 60 * SECOND, None);
    let (fewest, most) = crowd.turns();
    // Eight threads for sixteen tables: half of the time each, no longer than a turn.
    assert!(fewest >= 25 && most - fewest <= 2, "{fewest} to {most}");
    assert_eq!(crowd.shortest, SECOND);
}

#[test]
fn what_nobody_needs_any_more_leaves_no_trace() {
    let mut simulation = Simulation::new(1);
    let jobs = [simulation.enter(1, "a", SECOND), simulation.enter(1, "a", SECOND), simulation.enter(2, "b", SECOND)];
    simulation.queue.begin_next(Duration::ZERO).unwrap();
    jobs.iter().rev().for_each(|&job| simulation.queue.remove(job, ms(5)));
    jobs.iter().for_each(|&job| simulation.queue.remove(job, ms(5)));
    let queue = &simulation.queue;
    assert_eq!((queue.n_waiting, queue.jobs.len(), queue.waiting.len(), queue.tables.len()), (0, 0, 0, 0));
    assert_eq!(queue.clients.n_active(), 0);
    assert_eq!(simulation.queue.begin_next(ms(5)), None);
}
