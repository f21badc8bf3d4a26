//! Which messages of each seat have been carried out. One that is sent again is acknowledged again and changes nothing; an
//! id that is used again for something else is refused, since an acknowledgement would say what did not happen.

use std::collections::HashMap;

use raichi_core::seat::Seat;
use sha2::{Digest, Sha256};

use crate::error::Refusal;
use crate::store::PlyRow;

/// A message that asks for something.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Request {
    id: RequestId,
    /// A digest of what it asks for; `None` in tables from before this was stored.
    content: Option<u64>,
}

/// Each seat has ids of its own.
type RequestId = (Seat, String);

/// The messages that have been carried out.
#[derive(Debug, Default)]
pub(super) struct Requests(HashMap<RequestId, Done>);

#[derive(Debug)]
struct Done {
    content: Option<u64>,
    /// How many plies there were with the one that it asked for.
    n_plies: usize,
}

impl Request {
    pub(super) fn play(seat: Seat, id: String, action: &str, n_plies: usize) -> Request {
        Request::new(seat, id, &[b"play", action.as_bytes(), &(n_plies as u64).to_le_bytes()])
    }

    pub(super) fn resign(seat: Seat, id: String) -> Request {
        Request::new(seat, id, &[b"resign"])
    }

    pub(super) fn draw(seat: Seat, id: String, n_plies: usize) -> Request {
        Request::new(seat, id, &[b"draw", &(n_plies as u64).to_le_bytes()])
    }

    pub(super) fn rematch(seat: Seat, id: String) -> Request {
        Request::new(seat, id, &[b"rematch"])
    }

    pub(super) fn take_back(seat: Seat, id: String, n_plies: usize) -> Request {
        Request::new(seat, id, &[b"take-back", &(n_plies as u64).to_le_bytes()])
    }

    fn new(seat: Seat, id: String, parts: &[&[u8]]) -> Request {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        let [a, b, c, d, e, f, g, h, ..]: [u8; 32] = hash.finalize().into();
        Request { id: (seat, id), content: Some(u64::from_le_bytes([a, b, c, d, e, f, g, h])) }
    }

    /// As it is stored with its ply: `SEAT#CONTENT:ID`; `SEAT:ID` in tables from before.
    pub(super) fn to_text(&self) -> String {
        let (seat, id) = &self.id;
        match self.content {
            Some(content) => format!("{seat}#{content:016x}:{id}"),
            None => format!("{seat}:{id}"),
        }
    }

    fn from_text(text: &str) -> Option<Request> {
        let (head, id) = text.split_once(':')?;
        let (seat, content) = match head.split_once('#') {
            Some((seat, content)) => (seat, Some(u64::from_str_radix(content, 16).ok()?)),
            None => (head, None),
        };
        Some(Request { id: (seat.parse().ok()?, id.into()), content })
    }
}

impl Requests {
    /// Those that asked for these plies, and those that have none.
    pub(super) fn of(plies: &[PlyRow], others: &[(String, usize)]) -> Requests {
        let request = |ply: &PlyRow| Request::from_text(ply.request.as_deref()?);
        let mut requests = Requests::default();
        for (text, n_plies) in others {
            if let Some(request) = Request::from_text(text) {
                requests.done(request, *n_plies);
            }
        }
        for (i, ply) in plies.iter().enumerate() {
            if let Some(request) = request(ply) {
                requests.done(request, i + 1);
            }
        }
        requests
    }

    /// How many plies there were when this was carried out, if it was.
    ///
    /// # Errors
    /// When another message had its id.
    pub(super) fn find(&self, request: &Request) -> Result<Option<usize>, Refusal> {
        let Some(done) = self.0.get(&request.id) else { return Ok(None) };
        if done.content.is_none() || done.content == request.content {
            return Ok(Some(done.n_plies));
        }
        Err(reused_id(&request.id.1))
    }

    pub(super) fn done(&mut self, request: Request, n_plies: usize) {
        let Request { id, content } = request;
        self.0.entry(id).or_insert(Done { content, n_plies });
    }
}

pub(super) fn reused_id(id: &str) -> Refusal {
    Refusal::new("message/reused-id", format!("the id `{id}` belongs to another message, which was carried out"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(id: &str, action: &str, n_plies: usize) -> Request {
        Request::play(1, id.into(), action, n_plies)
    }

    #[test]
    fn a_message_is_known_again_by_its_content_even_after_it_was_stored() {
        for id in ["x", "a:b", "0#1:c", "", "é\n#"] {
            let request = play(id, "a1", 4);
            let ply = PlyRow { text: "a1".into(), request: Some(request.to_text()), played_at: 0, used: None };
            let requests = Requests::of(&[ply], &[]);
            assert_eq!(requests.find(&request), Ok(Some(1)), "{id:?}");
            for other in [play(id, "a2", 4), play(id, "a1", 5), Request::resign(1, id.into())] {
                assert_eq!(requests.find(&other).unwrap_err().code, "message/reused-id", "{id:?}");
            }
            assert_eq!(requests.find(&Request::play(0, id.into(), "a1", 4)), Ok(None), "another seat's");
        }
    }

    #[test]
    fn messages_of_tables_from_before_are_known_by_their_ids() {
        let ply = |request: &str| PlyRow { text: "a1".into(), request: Some(request.into()), played_at: 0, used: None };
        let requests = Requests::of(&[ply("1:x"), ply("no request"), ply("1#zz:y")], &[]);
        assert_eq!(requests.find(&play("x", "b2", 0)), Ok(Some(1)));
        assert_eq!(requests.0.len(), 1);
    }
}
