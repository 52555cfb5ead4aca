import Model

/// The steps of an edit, performed in order, and what follows from each answer (docs/library-edits.md).
///
/// The caller stores the changed steps (``takeChanges()``) before it performs an action. So a write that may have been
/// made is always stored as `sent`, no matter when the process dies.
package struct EditMachine: Sendable {
    package enum Event: Sendable {
        /// A run begins, or the last action is done.
        case resumed
        /// The list at the service as it is now.
        case marked(PlaylistMark)
        /// The list as the library knows it before a step that may have been made; the response to
        /// ``Action/recall(_:)``.
        case recalled(PlaylistMark?)
        /// The service has made the write. The version is that of the list afterwards.
        case answered(version: String?)
        /// The service did not make the write, and it must not be tried again.
        ///
        /// - Parameter isAboutSongs: whether the service might accept other songs.
        case refused(isAboutSongs: Bool)
        /// The request was not sent, or the service asked for a pause before it did anything.
        case notMade
        /// There is no answer: the write may have been made.
        case lost
        case found(EditFinding)
    }

    package enum Action: Sendable, Equatable {
        /// Read how many entries the list has before a step, and how many of its songs.
        ///
        /// - Parameter known: the list as the previous answer left it; if present, it is not read again.
        case readMark(EditStep, known: PlaylistMark?)
        /// Report what the library knows of the list before a step.
        case recall(EditStep)
        case send(EditStep)
        /// Read what a step without an answer did.
        case inspect(EditStep)
        /// Wait, because the service may not show the change yet, or the request may still be running.
        case wait(until: Timestamp)
        /// Ask the user whether the write was made.
        case ask(EditStep, EditFinding.Uncertainty)
        case finish
        case stop
    }

    package internal(set) var steps: [EditStep]
    /// The list at the service, if it is known.
    var mark: PlaylistMark?
    /// The step for which ``mark`` was read.
    var markedStep: Int?
    /// Whether the list was compared with the one that the user saw, and nothing has happened since.
    private var isVerified = false
    /// How long to wait after a lost answer before the service is read.
    private let consistencyDelay: Duration
    /// Whether steps may have been made without being recorded as such, because the database was restored from a
    /// backup.
    package private(set) var isRestored: Bool
    var changed: Set<Int> = []
    /// The number of the first step that was replaced; all later steps were replaced as well.
    var replaced: Int?

    /// - Parameter mark: the list at the service, if an answer reported it within the consistency delay.
    package init(
        steps: [EditStep], mark: PlaylistMark? = nil, consistencyDelay: Duration, isRestored: Bool = false
    ) {
        (self.steps, self.mark, self.consistencyDelay, self.isRestored) = (steps, mark, consistencyDelay, isRestored)
    }

    /// How long after a write was recorded as sent its request may begin. It is shorter than the time that others wait
    /// for the request.
    package static func window(consistencyDelay: Duration) -> Duration { consistencyDelay / 2 }

    /// Returns the steps that changed since the last call.
    package mutating func takeChanges() -> Changes {
        defer { (changed, replaced) = ([], nil) }
        let kept = steps.filter { changed.contains($0.number) && $0.number < replaced ?? .max }
        return Changes(
            steps: kept, replacement: replaced.map { first in Array(steps.filter { $0.number >= first }) })
    }

    /// The number of songs and entries that the service has confirmed.
    package var done: Int {
        steps.reduce(0) { sum, step in
            switch step.action {
            case .save(let tracks), .unsave(let tracks): sum + (step.state == .done ? tracks.count : 0)
            case .append(let tracks, let placed): sum + (step.state == .done ? tracks.count : placed)
            case .create, .verify, .remove, .insert, .rename: sum
            }
        }
    }

    private var openIndex: Int? { steps.firstIndex { $0.state.isOpen } }

    package mutating func handle(_ event: Event, at now: Timestamp) -> Action {
        guard let index = openIndex else { return .finish }
        isVerified = false
        switch event {
        case .resumed: break
        case .marked(let mark):
            (self.mark, markedStep) = (mark, steps[index].number)
            handle(mark, before: index, at: now)
        case .recalled(let mark):
            steps[index].state = .sent
            (steps[index].before, steps[index].sentAt, steps[index].lostAt) = (mark, nil, now)
            changed.insert(steps[index].number)
        case .answered(let version):
            let step = steps[index]
            let count =
                if case .create = step.action { 0 } else {
                    (step.before ?? mark).map { max(0, $0.count + step.action.difference) }
                }
            end(index, mark: count.map { PlaylistMark(count: $0, version: version) }, at: now)
            // Steps are performed in order, so later ones were not made before the restore.
            isRestored = false
        case .refused(let isAboutSongs):
            revert(index)
            guard isAboutSongs, giveUp(index) else { return .stop }
        case .notMade:
            revert(index)
            return .stop
        case .lost:
            steps[index].lostAt = now
            changed.insert(steps[index].number)
            mark = nil
        case .found(let finding):
            if let action = handle(finding, of: index, at: now) { return action }
        }
        return next(at: now)
    }

    /// Handles the current list before a step that writes.
    private mutating func handle(_ mark: PlaylistMark, before index: Int, at now: Timestamp) {
        switch steps[index].action {
        case .insert(let tracks, _, _, let wanted?):
            // The user has put the song back themselves.
            if let track = tracks.first, mark.songs?[track.id] ?? 0 >= wanted { end(index, mark: mark, at: now) }
        case .remove(let ids, let entries):
            // Part of a removal is already done. Entries that others have added must not be removed with it.
            guard mark.version == nil || mark.version != steps.last(where: { $0.state == .done })?.after?.version,
                let songs = mark.songs, ids.reduce(0, { $0 + (songs[$1] ?? 0) }) != entries
            else { return }
            refuseRemoval(of: Set(ids), at: index)
        case .save, .unsave, .create, .append, .verify, .insert, .rename: break
        }
    }

    /// Handles the finding about a step without an answer.
    private mutating func handle(_ finding: EditFinding, of index: Int, at now: Timestamp) -> Action? {
        switch finding {
        case .done(let mark):
            end(index, mark: mark, at: now)
            if case .verify = steps[index].action { (isVerified, isRestored) = (true, false) }
        case .notDone(let mark):
            revert(index)
            (self.mark, markedStep) = (mark, mark.map { _ in steps[index].number })
            // Steps are performed in order, so later ones were not made either.
            isRestored = false
        case .partly(let count, let mark):
            switch steps[index].action {
            case .append(let tracks, let placed):
                steps[index].action = .append(tracks, placed: placed + count)
            case .insert(let tracks, let position, let placed, let wanted):
                steps[index].action = .insert(tracks, position: position, placed: placed + count, upTo: wanted)
            case .save, .unsave, .create, .verify, .remove, .rename: break
            }
            revert(index)
            self.mark = mark
            isRestored = false
        case .notYet(let doubt):
            guard steps[index].answeredAt == nil else { return .ask(steps[index], doubt) }
            (steps[index].lostAt, steps[index].answeredAt) = (now, now)
            changed.insert(steps[index].number)
        case .unclear(let doubt): return .ask(steps[index], doubt)
        }
        return nil
    }

    /// Handles the user's answer about a step whose outcome is unknown.
    ///
    /// - Returns: whether there is such a step.
    package mutating func answer(isDone: Bool, at now: Timestamp) -> Bool {
        guard let index = openIndex, steps[index].state == .sent else { return false }
        if !isDone {
            revert(index)
        } else if case .create = steps[index].action {
            // The playlist's id is found by reading the service; the mark records that it exists. It may not be shown
            // yet.
            (steps[index].after, steps[index].answeredAt) = (PlaylistMark(count: 0, version: nil), nil)
            changed.insert(steps[index].number)
        } else {
            end(index, mark: nil, at: now)
        }
        return true
    }

    private mutating func next(at now: Timestamp) -> Action {
        guard let index = openIndex else { return .finish }
        if steps[index].state == .planned {
            if isRestored, !steps[index].action.isRepeatable { return .recall(steps[index]) }
            if let action = prepare(index, at: now) { return action }
            steps[index].state = .sent
            steps[index].before = mark
            (steps[index].sentAt, steps[index].lostAt) = (now, nil)
            changed.insert(steps[index].number)
            return .send(steps[index])
        }
        var lostAt = now
        if let known = steps[index].lostAt {
            // A time in the future comes from a clock that was ahead.
            lostAt = min(known, now.advanced(by: Self.window(consistencyDelay: consistencyDelay)))
        } else {
            // The run that sent it died or has stalled. Its request may still begin, and run until its time limit.
            lostAt = now.advanced(by: Self.window(consistencyDelay: consistencyDelay))
        }
        if lostAt != steps[index].lostAt {
            steps[index].lostAt = lostAt
            changed.insert(steps[index].number)
        }
        let until = lostAt.advanced(by: consistencyDelay)
        return now < until ? .wait(until: until) : .inspect(steps[index])
    }

    /// What has to be read or verified before a step is sent.
    private mutating func prepare(_ index: Int, at now: Timestamp) -> Action? {
        let step = steps[index]
        switch step.action {
        case .append: return markedStep == step.number ? nil : .readMark(step, known: mark)
        // Others may have changed the list since the last answer.
        case .insert: return markedStep == step.number ? nil : .readMark(step, known: nil)
        case .remove where steps.hasRemoved:
            return markedStep == step.number ? nil : .readMark(step, known: nil)
        case .remove:
            guard !isVerified, let verifying = steps.firstIndex(where: { $0.action == .verify }) else { return nil }
            // The user may have changed the list since it was compared.
            revert(verifying)
            return next(at: now)
        case .save, .unsave, .create, .verify, .rename: return nil
        }
    }

    private mutating func end(_ index: Int, mark: PlaylistMark?, at now: Timestamp) {
        steps[index].state = .done
        (steps[index].after, steps[index].answeredAt) = (mark, now)
        changed.insert(steps[index].number)
        (self.mark, markedStep) = (mark, nil)
    }

    private mutating func revert(_ index: Int) {
        steps[index].state = .planned
        (steps[index].before, steps[index].after) = (nil, nil)
        (steps[index].sentAt, steps[index].lostAt, steps[index].answeredAt) = (nil, nil, nil)
        changed.insert(steps[index].number)
        (mark, markedStep) = (nil, nil)
    }
}

extension EditMachine {
    /// The changes to store.
    package struct Changes: Sendable {
        package var steps: [EditStep]
        /// The steps that replace all steps from the first of them on; `nil` if none are replaced.
        package var replacement: [EditStep]?

        var isEmpty: Bool { steps.isEmpty && replacement == nil }

        /// Splits off the change of one step. In the other changes, that step is still planned.
        func divided(at number: Int) -> (others: Changes, one: Changes) {
            let one = (steps + (replacement ?? [])).filter { $0.number == number }
            var others = Changes(steps: steps.filter { $0.number != number }, replacement: replacement)
            if let index = replacement?.firstIndex(where: { $0.number == number }), let step = one.first {
                others.replacement?[index] = EditStep(number: step.number, action: step.action)
            }
            return (others, Changes(steps: one))
        }
    }
}
