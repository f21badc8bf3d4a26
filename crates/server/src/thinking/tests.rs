//! The threads: what is dropped does not go on, what takes too long is cut short, and a panic ends nothing but itself.

use std::sync::atomic::AtomicUsize;

use super::*;

const LONG: Duration = Duration::from_secs(3600);
/// Long enough for a slow machine; no test waits that long when all is well.
const PATIENCE: Duration = Duration::from_secs(20);

fn client(n: u8) -> ClientAddress {
    ClientAddress::of([192, 0, 2, n].into())
}

fn request(of: u8, wants: Duration) -> ThinkingRequest {
    let (cancel, begun) = (CancelFlag::default(), Arc::default());
    ThinkingRequest { client: client(of), table: format!("table of {of}").into(), wants, cancel, begun }
}

fn thinking(n_threads: usize) -> Thinking {
    let times = EngineTimes { least: Duration::from_millis(5), turn: Duration::from_millis(100) };
    Thinking::new(n_threads, times).unwrap()
}

/// Thinks until it is cancelled or has had its time, like a search; says which.
fn search(cancel: CancelFlag) -> impl FnOnce(Duration) -> bool + Send + 'static {
    move |time| {
        let start = Instant::now();
        while start.elapsed() < time {
            if cancel.is_cancelled() {
                return true;
            }
            thread::sleep(Duration::from_millis(1));
        }
        false
    }
}

async fn until(what: impl Fn() -> bool) {
    let start = Instant::now();
    while !what() {
        assert!(start.elapsed() < PATIENCE, "it never happened");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test]
async fn what_is_dropped_is_cancelled_or_never_begins() {
    let thinking = thinking(1);
    let running = Arc::new(AtomicUsize::new(0));
    let first = request(1, LONG);
    let (begun, cancel, count) = (Arc::clone(&first.begun), first.cancel.clone(), Arc::clone(&running));
    // A flag left over from the decision before does not end this one.
    first.cancel.cancel();
    let first = thinking.think(first, move |time| {
        count.fetch_add(1, Ordering::SeqCst);
        let was_cancelled = search(cancel)(time);
        count.fetch_sub(1, Ordering::SeqCst);
        was_cancelled
    });
    until(|| begun.load(Ordering::Relaxed) && running.load(Ordering::SeqCst) == 1).await;
    let second = request(1, LONG);
    let second_begun = Arc::clone(&second.begun);
    let second = thinking.think(second, |_| panic!("nobody needs this"));
    drop(second);
    drop(first);
    until(|| running.load(Ordering::SeqCst) == 0).await;
    let third = thinking.think(request(1, LONG), |_| 3);
    assert_eq!(third.await.unwrap(), 3);
    assert!(!second_begun.load(Ordering::Relaxed));
    until(|| thinking.shared.lock().tasks.is_empty()).await;
}

#[tokio::test]
async fn a_long_search_makes_room_when_another_client_comes() {
    let thinking = thinking(1);
    let long = request(1, LONG);
    let (begun, cancel) = (Arc::clone(&long.begun), long.cancel.clone());
    let long = thinking.think(long, search(cancel));
    until(|| begun.load(Ordering::Relaxed)).await;
    let start = Instant::now();
    let quick = thinking.think(request(2, Duration::from_millis(1)), |_| ());
    quick.await.unwrap();
    assert!(start.elapsed() < PATIENCE);
    assert!(long.await.unwrap(), "it was hurried and has still replied");
}

#[tokio::test]
async fn what_ponders_makes_room_at_once() {
    let thinking = thinking(1);
    let (cancel, running) = (CancelFlag::default(), Arc::new(AtomicBool::new(false)));
    let (flag, is_running) = (cancel.clone(), Arc::clone(&running));
    let pondering = thinking.ponder(client(1), cancel, move || {
        is_running.store(true, Ordering::SeqCst);
        search(flag)(LONG)
    });
    until(|| running.load(Ordering::SeqCst)).await;
    assert_eq!(thinking.think(request(1, LONG), |time| time).await.unwrap(), LONG, "it has all the time it wants");
    assert!(pondering.await.unwrap(), "it was cancelled");
    // What is dropped before it begins never does.
    let busy = request(1, LONG);
    let (begun, flag) = (Arc::clone(&busy.begun), busy.cancel.clone());
    let busy = thinking.think(busy, search(flag));
    until(|| begun.load(Ordering::Relaxed)).await;
    drop(thinking.ponder(client(1), CancelFlag::default(), || panic!("nobody needs this")));
    drop(busy);
    until(|| thinking.shared.lock().tasks.is_empty()).await;
}

#[tokio::test]
async fn a_panic_is_the_job_s_alone() {
    let thinking = thinking(1);
    assert!(thinking.think(request(1, LONG), |_| panic!("a bug of this engine")).await.is_err());
    assert!(thinking.think(request(1, LONG), |_| ()).await.is_ok());
}

#[tokio::test]
async fn when_the_server_closes_nothing_goes_on() {
    let thinking = thinking(1);
    let long = request(1, LONG);
    let (begun, cancel) = (Arc::clone(&long.begun), long.cancel.clone());
    let long = thinking.think(long, search(cancel));
    until(|| begun.load(Ordering::Relaxed)).await;
    let waiting = thinking.think(request(2, LONG), |_| ());
    let shared = Arc::downgrade(&thinking.shared);
    drop(thinking);
    assert!(waiting.await.is_err());
    assert!(long.await.unwrap(), "it was cancelled");
    until(|| shared.strong_count() == 0).await;
}
