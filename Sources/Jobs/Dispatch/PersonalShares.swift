import Contracts

/// What a person has of the places that are shared.
enum ShareUse {
    /// Less than they may have while others wait.
    case below
    /// That or more: they get a place while nobody else waits who could have it.
    case reached
    /// All they may have in any case.
    case full
}

/// How many of a worker's places below interactive priority one person may have (``PlaceShare``).
///
/// A single place cannot be divided. So workers that have one, and know the same kinds, are taken together: half of
/// them are one person's while others wait, and all of them while nobody does.
///
/// What a worker asks for beyond its places waits there for milliseconds; it is added to what each may have.
struct PersonalShares {
    private let whileOthersWait: Int
    private let alone: Int
    /// The others that count together with the worker.
    private let others: [ConnectedWorker]

    /// - Parameter others: further workers with a single place of the same kinds, of one that has a single place.
    init(of worker: ConnectedWorker, with others: [ConnectedWorker]) {
        self.others = others
        guard worker.backgroundPlaces > 0 else {
            // It does not say how many it has.
            (whileOthersWait, alone) = (.max, .max)
            return
        }
        let ahead = others.reduce(worker.ahead) { $0 + $1.ahead }
        let places = others.reduce(worker.backgroundPlaces) { $0 + $1.backgroundPlaces }
        whileOthersWait = PlaceShare.whileOthersWait(of: places) + ahead
        alone = (others.isEmpty ? PlaceShare.alone(of: places) : places) + ahead
    }

    private func load(of person: String, on worker: ConnectedWorker) -> Int {
        others.reduce(worker.backgroundLoad(of: person)) { $0 + $1.backgroundLoad(of: person) }
    }

    /// What a person has, the places included that are being taken.
    ///
    /// - Parameter worker: as it is now.
    func use(by person: String, of worker: ConnectedWorker) -> ShareUse {
        guard alone < .max, !PlaceShare.isWhole(for: person) else { return .below }
        let load = load(of: person, on: worker)
        return load < whileOthersWait ? .below : load < alone ? .reached : .full
    }

    /// How many more places a person may have.
    func room(for person: String, on worker: ConnectedWorker, whileOthersWait isContended: Bool) -> Int {
        guard alone < .max, !PlaceShare.isWhole(for: person) else { return .max }
        return max(0, (isContended ? whileOthersWait : alone) - load(of: person, on: worker))
    }
}

extension DispatchState {
    /// The shares of a worker's places.
    ///
    /// - Parameter worker: known under `epoch`, or taken out for the moment.
    func shares(of worker: ConnectedWorker, epoch: String) -> PersonalShares {
        guard worker.backgroundPlaces == 1 else { return PersonalShares(of: worker, with: []) }
        return PersonalShares(
            of: worker,
            with: workers.filter { other, state in
                other != epoch && state.backgroundPlaces == 1 && state.takesBackground && state.kinds == worker.kinds
            }.map(\.value))
    }
}
