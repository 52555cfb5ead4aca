import Model
import Platform
import Storage

/// Writing to the service, and recording what was written.
extension EditRun {
    /// Performs the write of a step, which is recorded as sent before the request leaves.
    ///
    /// - Throws: any error that ends the run. The resulting state of the step is stored.
    func writeStep(_ step: EditStep, _ work: inout Work) async throws -> EditMachine.Event {
        let changes = work.machine.takeChanges()
        // Earlier results are stored first, so that they do not have to wait for a permit.
        let (earlier, sending) = changes.divided(at: step.number)
        let (edit, created, isRestored) = (work.edit, work.created, work.machine.isRestored)
        let (done, restores, verifiedAt) = (work.machine.done, work.restores, work.verifiedAt)
        if work.upstream.asksForAdmission, !earlier.isEmpty || created != nil {
            try await storeChanges(earlier, done: done, created: created, isRestored: isRestored, restores, of: edit)
        }
        let asks = work.upstream.asksForAdmission
        let noted = asks ? sending : changes
        let window = EditMachine.window(consistencyDelay: consistencyDelays[edit.source])
        let admission = WriteAdmission(window: window) { [self] in
            if case .remove = step.action, let verifiedAt,
                verifiedAt.duration(to: .now()) > max(window, Self.shortestFreshness)
            {
                throw StaleComparison()
            }
            try await storeChanges(
                noted, done: done, created: asks ? nil : created, isRestored: isRestored, restores, of: edit)
        }
        work.created = nil
        do {
            if !asks { try await admission.begin() }
            let made = try await WriteAdmission.$current.withValue(admission) {
                try await send(step, of: edit, work.upstream)
            }
            work.created = made.created
            work.recent = RecentMark(at: now(), version: made.version)
            return .answered(version: made.version)
        } catch let failure as ProviderFailure {
            let event = failure.event(hasBegun: admission.hasBegun)
            if case .lost = event { return event }
            // The state after the failure is stored before the failure ends the run.
            let action = work.machine.handle(event, at: now())
            try await storeProgress(of: &work)
            guard action == .stop else { return .resumed }
            throw failure
        } catch {
            guard !admission.hasBegun else { throw error }
            // When a worker is told to stop, it stores the step and does not send it. If the run belongs to another
            // worker by now, nothing is stored here either.
            _ = work.machine.handle(.notMade, at: now())
            guard error is StaleComparison else {
                try? await storeProgress(of: &work)
                throw error
            }
            try await storeProgress(of: &work)
            work.lateRemovals += 1
            guard work.lateRemovals <= Self.mostLateRemovals else {
                throw Postponement(
                    until: now().advanced(by: Duration.seconds(10).dividedInTests),
                    message: "Requests to \(edit.source.displayName) have to wait too long at the moment.")
            }
            // The list is compared again, and the removal is sent immediately afterwards.
            return .resumed
        }
    }

    /// The list was compared too long ago for a removal.
    private struct StaleComparison: Error {}

    /// How many times a run compares the list again because the removal could not be sent immediately.
    private static let mostLateRemovals = 3

    /// The minimum time after which a list is compared again before entries are removed.
    private static let shortestFreshness = Duration.seconds(5)

    func storeProgress(of work: inout Work) async throws {
        let (changes, created) = (work.machine.takeChanges(), work.created)
        guard !changes.isEmpty || created != nil else { return }
        try await storeChanges(
            changes, done: work.machine.done, created: created, isRestored: work.machine.isRestored, work.restores,
            of: work.edit)
        work.created = nil
    }

    private func storeChanges(
        _ changes: EditMachine.Changes, done: Int, created: EditUpstream.CreatedPlaylist?, isRestored: Bool,
        _ restores: Int, of edit: LibraryEdit
    ) async throws {
        let moment = now()
        try await checkpoint { transaction in
            try transaction.edits.updateSteps(changes, of: edit)
            if let created { try transaction.edits.created(created, by: edit, now: moment) }
            try transaction.edits.setRunning(edit, done: done, restores: isRestored ? nil : restores)
        }
    }

    /// The answer to a write.
    private struct WriteAnswer: Sendable {
        /// The version of the list after the write, if the service reports one.
        var version: String?
        var created: EditUpstream.CreatedPlaylist?
    }

    private func send(_ step: EditStep, of edit: LibraryEdit, _ upstream: EditUpstream) async throws -> WriteAnswer {
        func supported<Call>(_ call: Call?, _ operation: EditRefusal.Operation) throws -> Call {
            guard let call else { throw EditError(.notSupported(edit.source, operation)) }
            return call
        }
        switch step.action {
        case .save(let tracks):
            try await upstream.save(tracks)
            return WriteAnswer()
        case .unsave(let tracks):
            try await supported(upstream.unsave, .unsave)(tracks)
            return WriteAnswer()
        case .create(let name, let description, let isPublic):
            let playlist = try await upstream.create(name, description, isPublic)
            return WriteAnswer(version: playlist.version, created: playlist)
        case .append:
            let playlist = try await playlist(of: edit)
            return WriteAnswer(version: try await upstream.append(playlist.sourceID, step.action.tracks))
        case .verify: return WriteAnswer()
        case .remove(let ids, _):
            let playlist = try await playlist(of: edit)
            let remove = try supported(upstream.remove, .removeEntries)
            return WriteAnswer(version: try await remove(playlist.sourceID, ids))
        case .insert(_, let position, let placed, _):
            let playlist = try await playlist(of: edit)
            let insert = try supported(upstream.insert, .removeEntries)
            // Others may have shortened the list.
            let place = min(position + placed, step.before?.count ?? .max)
            return WriteAnswer(version: try await insert(playlist.sourceID, step.action.tracks, place))
        case .rename(let name, let description):
            let playlist = try await playlist(of: edit)
            try await supported(upstream.rename, .rename)(playlist.sourceID, name, description)
            return WriteAnswer()
        }
    }
}

extension ProviderFailure {
    /// The event that a failure causes for a step.
    ///
    /// - Parameter hasBegun: whether the step was recorded as sent. Before that, nothing has been sent, regardless of
    ///   what failed, such as the refresh of a token.
    fileprivate func event(hasBegun: Bool) -> EditMachine.Event {
        switch outcome {
        case .unknown where hasBegun: .lost
        case .refused where hasBegun && endsEdit: .refused(isAboutSongs: kind == .requestRefused)
        case .notSent, .refused, .unknown: .notMade
        }
    }
}
