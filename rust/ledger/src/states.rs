//! The states of a request: one table that the ledger, its verification and a model of it all use.

/// The state of a charged request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum State {
    Charged,
    Drawn,
    Released,
}

/// The answer to a charge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The key is new: charge it.
    Charge,
    /// The key is charged, and nothing was drawn: continue.
    GoOn,
    /// The noise was drawn, and nothing was released.
    Lost,
    /// The key was released: return the stored bytes.
    Again,
    /// The key belongs to another plan or loss.
    Conflict,
}

/// Returns the state of a request with these entries; `None` if it cannot have them.
pub(crate) fn state(is_drawn: bool, is_released: bool) -> Option<State> {
    match (is_drawn, is_released) {
        (false, false) => Some(State::Charged),
        (true, false) => Some(State::Drawn),
        (true, true) => Some(State::Released),
        (false, true) => None,
    }
}

/// Returns the answer to a charge for a key in this state, for the same plan and loss or for others.
pub(crate) fn charge(found: Option<State>, is_same: bool) -> Answer {
    match found {
        None => Answer::Charge,
        Some(_) if !is_same => Answer::Conflict,
        Some(State::Charged) => Answer::GoOn,
        Some(State::Drawn) => Answer::Lost,
        Some(State::Released) => Answer::Again,
    }
}

/// Returns the state after a draw, if a draw is allowed.
pub(crate) fn draw(found: State) -> Option<State> {
    (found == State::Charged).then_some(State::Drawn)
}

/// Returns the state after a release, if a release is allowed for the process that drew.
pub(crate) fn release(found: State) -> Option<State> {
    (found == State::Drawn).then_some(State::Released)
}

#[cfg(test)]
pub(crate) mod model {
    //! All that three clients may do under two keys, with two crashes, each step being one of the functions above.

    use super::*;
    use std::collections::{HashSet, VecDeque};

    /// What a client holds.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    enum Ticket {
        None,
        Charged(usize),
        Drawn(usize),
    }

    /// A request as it is stored on disk: its state and its plan.
    type Request = Option<(State, usize)>;

    #[derive(Debug, Clone, PartialEq, Eq, Hash)]
    struct World {
        requests: [Request; 2],
        spent: u32,
        clients: [Ticket; 3],
        crashes: u32,
        /// How often noise was allowed to be drawn, and a release was stored, under each key: what nobody writes down.
        draws: [u32; 2],
        releases: [u32; 2],
    }

    const BUDGET: u32 = 4;
    /// What a plan costs.
    const COSTS: [u32; 2] = [1, 3];

    impl World {
        fn next(&self) -> Vec<World> {
            let mut all = Vec::new();
            for client in 0..3 {
                let mut after = Vec::new();
                match self.clients[client] {
                    Ticket::None => {
                        for (key, plan) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                            after.extend(self.charge(client, key, plan));
                        }
                    }
                    Ticket::Charged(key) => after.extend(self.draw(client, key)),
                    Ticket::Drawn(key) => after.extend(self.release(client, key)),
                }
                // What it held may be dropped, as after an error of what it computes.
                let mut dropped = self.clone();
                dropped.clients[client] = Ticket::None;
                // A crash before the commit, or once it is on the disk and before the client hears of it.
                for world in after.iter().chain([self]).filter(|_| self.crashes > 0) {
                    let mut crashed = world.clone();
                    crashed.clients[client] = Ticket::None;
                    crashed.crashes -= 1;
                    all.push(crashed);
                }
                all.extend(after);
                all.push(dropped);
            }
            // The machine.
            if self.crashes > 0 {
                all.push(World { clients: [Ticket::None; 3], crashes: self.crashes - 1, ..self.clone() });
            }
            all
        }

        fn charge(&self, client: usize, key: usize, plan: usize) -> Option<World> {
            let mut world = self.clone();
            let found = self.requests[key];
            match charge(found.map(|(state, _)| state), found.is_some_and(|(_, own)| own == plan)) {
                Answer::Charge if self.spent + COSTS[plan] <= BUDGET => {
                    world.requests[key] = Some((State::Charged, plan));
                    world.spent += COSTS[plan];
                }
                Answer::GoOn => {}
                Answer::Charge | Answer::Lost | Answer::Again | Answer::Conflict => return None,
            }
            world.clients[client] = Ticket::Charged(key);
            Some(world)
        }

        fn draw(&self, client: usize, key: usize) -> Option<World> {
            let mut world = self.clone();
            world.clients[client] = Ticket::None;
            let (state, plan) = self.requests[key].unwrap();
            if let Some(state) = draw(state) {
                world.requests[key] = Some((state, plan));
                world.clients[client] = Ticket::Drawn(key);
                world.draws[key] += 1;
            }
            Some(world)
        }

        fn release(&self, client: usize, key: usize) -> Option<World> {
            let mut world = self.clone();
            world.clients[client] = Ticket::None;
            let (state, plan) = self.requests[key].unwrap();
            if let Some(state) = release(state) {
                world.requests[key] = Some((state, plan));
                world.releases[key] += 1;
            }
            Some(world)
        }

        /// What may never be otherwise, and what no step changes.
        fn check(&self, before: &World) {
            let charged = self.requests.iter().flatten().map(|(_, plan)| COSTS[*plan]).sum::<u32>();
            assert_eq!(self.spent, charged, "what is charged is the sum of the charges, each once: {self:?}");
            assert!(before.spent <= self.spent && self.spent <= BUDGET, "{self:?}");
            for key in 0..2 {
                let state = self.requests[key].map(|(state, _)| state);
                assert!(self.draws[key] <= 1 && self.releases[key] <= self.draws[key], "{self:?}");
                assert_eq!(self.draws[key] == 1, state >= Some(State::Drawn), "{self:?}");
                assert_eq!(self.releases[key] == 1, state == Some(State::Released), "{self:?}");
                let earlier = before.requests[key];
                assert!(earlier.map(|(state, _)| state) <= state, "nothing goes back: {self:?}");
                assert!(earlier.is_none_or(|(_, plan)| self.requests[key].unwrap().1 == plan), "{self:?}");
                // Drawn, and nobody has it any more: so it stays.
                let is_held = before.clients.contains(&Ticket::Drawn(key));
                let was_lost = earlier.is_some_and(|(state, _)| state == State::Drawn) && !is_held;
                assert!(!was_lost || state == Some(State::Drawn), "{self:?}");
            }
        }
    }

    /// Every world that can be reached, once: how many there are, and the first check that fails panics.
    pub(crate) fn explore() -> usize {
        let first = World {
            requests: [None; 2],
            spent: 0,
            clients: [Ticket::None; 3],
            crashes: 2,
            draws: [0; 2],
            releases: [0; 2],
        };
        let mut seen = HashSet::from([first.clone()]);
        let mut next = VecDeque::from([first]);
        while let Some(world) = next.pop_front() {
            for after in world.next() {
                after.check(&world);
                if seen.insert(after.clone()) {
                    next.push_back(after);
                }
            }
        }
        seen.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_clients_and_two_crashes_cannot_release_twice() {
        let worlds = model::explore();
        println!("{worlds} worlds");
        assert!(worlds > 1000, "{worlds}");
    }

    #[test]
    fn entries_say_the_state() {
        assert_eq!(state(false, false), Some(State::Charged));
        assert_eq!(state(true, false), Some(State::Drawn));
        assert_eq!((state(true, true), state(false, true)), (Some(State::Released), None));
    }
}
