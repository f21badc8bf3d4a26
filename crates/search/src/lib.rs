//! Choose an action now.
