use raichi_games::sim::Sim;

use crate::drawn::Known;

#[test]
fn safe_lines_count() {
    let known = Known::<Sim>::new("");
    // Seat 0 has a path of two lines, which closes one; seat 1's two lines are apart.
    let value = known.value("X/X1/1O1/4/4O 0", 0);
    assert!(value < 0.0, "{value}");
}

#[test]
fn of_three_seats_the_one_with_more_safe_lines_has_more() {
    let known = Known::<Sim>::new("players=3");
    let [first, second, third] = [0, 1, 2].map(|seat| known.value("X/X1/1O1/4/4O 2", seat));
    assert!(first < second && first < third, "{first} {second} {third}");
}

#[test]
fn an_own_triangle_is_looked_at_last() {
    let known = Known::<Sim>::new("");
    assert!(!known.best("X/X1/1O1/4/4O 0").contains(&"2-3".to_string()));
}
