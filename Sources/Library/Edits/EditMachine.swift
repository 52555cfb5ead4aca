import Model

/// The steps of an edit, one after the other, and what follows from each answer (docs/library-edits.md).
///
/// The caller stores the steps that changed (``takeChanges()``) before it carries an action out. So a write that may
/// have been made is always known as `sent`, whatever the moment at which the process dies.
package struct EditMachine: Sendable {
    package enum Event: Sendable {
        /// A run begins, or what the last action asked for is done.
        case resumed
        /// The list at the service, as it is now.
        case marked(PlaylistMark)
        /// The service has made the write. The version is that of the list after it.
        case answered(version: String?)
        /// The service made nothing and will not: it is not to be tried again.
        case refused
        /// The request was not made, or the service asked for a pause before it did anything.
        case notMade
        /// There is no answer: the write may have been made.
        case lost
        case found(EditFinding)
    }

    package enum Action: Sendable, Equatable {
        /// Read how many entries the list has.
        case readMark
        case send(EditStep)
        /// Read what a step without an answer did.
        case inspect(EditStep)
        /// The service may not show yet what it did, or the request may still be under way.
        case wait(until: Timestamp)
        /// Ask the person whether the write was made.
        case ask(EditStep, EditFinding.Doubt)
        case finish
        case stop
    }

    package private(set) var steps: [EditStep]
    /// The list at the service, if it is known.
    private var mark: PlaylistMark?
    /// How long after a lost answer the service is read.
    private let settleTime: Duration
    private var changed: Set<Int> = []

    /// - Parameter mark: of the list at the service, where an answer told it within the settle time.
    package init(steps: [EditStep], mark: PlaylistMark? = nil, settleTime: Duration) {
        (self.steps, self.mark, self.settleTime) = (steps, mark, settleTime)
    }

    /// The steps that changed since the last call.
    package mutating func takeChanges() -> [EditStep] {
        defer { changed = [] }
        return steps.filter { changed.contains($0.number) }
    }

    /// The songs and entries that the service has confirmed.
    package var done: Int {
        steps.reduce(0) { sum, step in
            switch step.action {
            case .save(let tracks), .unsave(let tracks): sum + (step.state == .done ? tracks.count : 0)
            case .append(let tracks, let placed): sum + (step.state == .done ? tracks.count : placed)
            case .create, .verify, .remove, .insert, .rename: sum
            }
        }
    }

    package mutating func handle(_ event: Event, at now: Timestamp) -> Action {
        guard let index = steps.firstIndex(where: { $0.state != .done }) else { return .finish }
        switch event {
        case .resumed: break
        case .marked(let mark): self.mark = mark
        case .answered(let version):
            let step = steps[index]
            let count =
                if case .create = step.action { 0 } else {
                    (step.before ?? mark).map { $0.count + step.action.difference }
                }
            end(index, mark: count.map { PlaylistMark(count: $0, version: version) }, at: now)
        case .refused:
            takeBack(index)
            return .stop
        case .notMade:
            takeBack(index)
            return .stop
        case .lost:
            steps[index].lostAt = now
            changed.insert(steps[index].number)
            mark = nil
        case .found(let finding):
            if let action = take(finding, of: index, at: now) { return action }
        }
        return next(at: now)
    }

    /// Takes what was found about a step without an answer.
    private mutating func take(_ finding: EditFinding, of index: Int, at now: Timestamp) -> Action? {
        switch finding {
        case .done(let mark): end(index, mark: mark, at: now)
        case .notDone(let mark):
            takeBack(index)
            self.mark = mark
        case .partly(let count, let mark):
            switch steps[index].action {
            case .append(let tracks, let placed):
                steps[index].action = .append(tracks, placed: placed + count)
            case .insert(let tracks, let position, let placed):
                steps[index].action = .insert(tracks, position: position, placed: placed + count)
            case .save, .unsave, .create, .verify, .remove, .rename: break
            }
            takeBack(index)
            self.mark = mark
        case .notShown:
            guard steps[index].answeredAt == nil else { return .ask(steps[index], .notShown) }
            (steps[index].lostAt, steps[index].answeredAt) = (now, now)
            changed.insert(steps[index].number)
        case .unclear(let doubt): return .ask(steps[index], doubt)
        }
        return nil
    }

    /// The person's answer about a step without one.
    ///
    /// - Returns: whether there is such a step.
    package mutating func answer(isDone: Bool, at now: Timestamp) -> Bool {
        guard let index = steps.firstIndex(where: { $0.state != .done }), steps[index].state == .sent else {
            return false
        }
        if !isDone {
            takeBack(index)
        } else if case .create = steps[index].action {
            // Reading the service tells its id; the mark says that it is there. It may not be shown yet.
            (steps[index].after, steps[index].answeredAt) = (PlaylistMark(count: 0, version: nil), nil)
            changed.insert(steps[index].number)
        } else {
            end(index, mark: nil, at: now)
        }
        return true
    }

    private mutating func next(at now: Timestamp) -> Action {
        guard let index = steps.firstIndex(where: { $0.state != .done }) else { return .finish }
        switch steps[index].state {
        case .done: return .finish
        case .planned:
            if steps[index].action.needsMark, mark == nil { return .readMark }
            steps[index].state = .sent
            steps[index].before = mark
            (steps[index].sentAt, steps[index].lostAt) = (now, nil)
            changed.insert(steps[index].number)
            return .send(steps[index])
        case .sent:
            // A run that died has left it so. The request may be under way until its time limit.
            let lostAt = steps[index].lostAt ?? now
            if steps[index].lostAt == nil {
                steps[index].lostAt = now
                changed.insert(steps[index].number)
            }
            let until = lostAt.advanced(by: settleTime)
            return now < until ? .wait(until: until) : .inspect(steps[index])
        }
    }

    private mutating func end(_ index: Int, mark: PlaylistMark?, at now: Timestamp) {
        steps[index].state = .done
        (steps[index].after, steps[index].answeredAt) = (mark, now)
        changed.insert(steps[index].number)
        self.mark = mark
    }

    private mutating func takeBack(_ index: Int) {
        steps[index].state = .planned
        (steps[index].before, steps[index].after) = (nil, nil)
        (steps[index].sentAt, steps[index].lostAt, steps[index].answeredAt) = (nil, nil, nil)
        changed.insert(steps[index].number)
        mark = nil
    }
}
