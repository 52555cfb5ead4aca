import Contracts

/// How much of their share of the slots a person has.
enum ShareUse {
    /// Less than the share while others wait.
    case below
    /// That share or more: the person gets a slot only while nobody else who could use it is waiting.
    case reached
    /// The most that one person may have.
    case full
}

/// How many of a worker's slots below interactive priority one person may have (``SlotShare``).
///
/// A single slot cannot be divided. So workers with one slot that know the same kinds are counted together: one
/// person may have half of them while others wait, and all of them while nobody else does.
///
/// Jobs that a worker asks for beyond its slots wait there for milliseconds. Their number is added to each limit.
struct PersonalShares {
    private let whileOthersWait: Int
    private let alone: Int
    /// The workers that are counted together with the worker.
    private let others: [ConnectedWorker]

    /// - Parameter others: for a worker with a single slot, the other workers with one slot and the same kinds.
    init(of worker: ConnectedWorker, with others: [ConnectedWorker]) {
        self.others = others
        guard worker.backgroundSlots > 0 else {
            // The worker does not report its capacity.
            (whileOthersWait, alone) = (.max, .max)
            return
        }
        let ahead = others.reduce(worker.ahead) { $0 + $1.ahead }
        let slots = others.reduce(worker.backgroundSlots) { $0 + $1.backgroundSlots }
        whileOthersWait = SlotShare.whileOthersWait(of: slots) + ahead
        alone = (others.isEmpty ? SlotShare.alone(of: slots) : slots) + ahead
    }

    private func load(of person: String, on worker: ConnectedWorker) -> Int {
        others.reduce(worker.backgroundLoad(of: person)) { $0 + $1.backgroundLoad(of: person) }
    }

    /// How much a person has, including reserved slots.
    ///
    /// - Parameter worker: the worker as it is now; the shares may have been made before jobs were assigned to it.
    func use(by person: String, of worker: ConnectedWorker) -> ShareUse {
        guard alone < .max, !SlotShare.isUnlimited(for: person) else { return .below }
        let load = load(of: person, on: worker)
        return load < whileOthersWait ? .below : load < alone ? .reached : .full
    }

    /// How many more slots a person may take.
    func room(for person: String, on worker: ConnectedWorker, whileOthersWait isContended: Bool) -> Int {
        guard alone < .max, !SlotShare.isUnlimited(for: person) else { return .max }
        return max(0, (isContended ? whileOthersWait : alone) - load(of: person, on: worker))
    }
}

extension DispatchState {
    /// The shares of a worker's slots.
    ///
    /// - Parameter worker: the worker of `instance`, which may be removed from `workers` for the moment.
    func shares(of worker: ConnectedWorker, instance: String) -> PersonalShares {
        guard worker.backgroundSlots == 1 else { return PersonalShares(of: worker, with: []) }
        return PersonalShares(
            of: worker,
            with: workers.filter { other, state in
                other != instance && state.backgroundSlots == 1 && state.takesBackground && state.kinds == worker.kinds
            }.map(\.value))
    }
}
