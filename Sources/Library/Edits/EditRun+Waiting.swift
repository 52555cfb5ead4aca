import Model
import Storage

/// Edits that must not end yet.
extension EditRun {
    /// How long an edit that must not end waits before it tries again what failed.
    private static let unfinishedPause = (
        passing: Duration.seconds(60).dividedInTests, others: Duration.seconds(900).dividedInTests
    )

    /// Why an edit must not end yet, for people; `nil` when it may. An edit that has removed entries, and has not put
    /// the others of their songs back, would lose them; one with a write whose answer is missing would leave it open
    /// whether the service has it.
    ///
    /// Where the source was disconnected and its rows are removed, there is nothing to wait for.
    private func unfinishedReason(of edit: LibraryEdit) async throws -> String? {
        try await database.read { reader in
            let steps = try reader.edits.steps(of: edit)
            guard try reader.library.hasAccount(of: edit.reading) else { return nil }
            if steps.isAmidRemoval { return "Songs that are to stay in “\(edit.title)” are still to be put back:" }
            let name = edit.source.displayName
            return steps.hasUnknownOutcome ? "It is not known yet whether \(name) has made the last write:" : nil
        }
    }

    /// Has an edit that must not end wait where waiting may help: for a credential, a permission, or a service that does
    /// not answer.
    ///
    /// - Throws: `ProviderFailure` or ``Postponed``. It returns where the edit may end, or the service refuses it for
    ///   good.
    func waitForOutcome(_ edit: LibraryEdit, _ failure: ProviderFailure) async throws {
        guard let reason = try await unfinishedReason(of: edit) else { return }
        let message = "\(reason) \(failure.message)"
        switch failure.recovery {
        case .reconnect, .askScope: throw failure
        case .retryAt:
            let later = now().advanced(by: Self.unfinishedPause.passing)
            throw Postponed(until: failure.until ?? later, message: message)
        case .fixConfiguration, .refresh:
            throw Postponed(until: now().advanced(by: Self.unfinishedPause.others), message: message)
        case .tellUser where failure.kind == .accessTokenRefusedAgain:
            // A permission was taken back (``EditError/init(_:at:)``).
            var waiting = ProviderFailure(
                failure.provider, failure.kind, recovery: .reconnect, message: failure.message)
            waiting.reason = failure.reason
            throw waiting
        case .tellUser: return
        }
    }

    /// Has an edit that must not end wait for the account that it is meant for. After a new user token of Apple Music
    /// the next sync shows whether it is the same account's.
    func waitForAccount(_ edit: LibraryEdit, _ error: EditError) async throws {
        guard let reason = try await unfinishedReason(of: edit) else { return }
        guard edit.source.namesAccount, let provider = edit.source.provider else {
            throw Postponed(
                until: now().advanced(by: Self.unfinishedPause.passing), message: "\(reason) \(error.message)")
        }
        throw ProviderFailure(provider, .connectionNeeded, message: "\(reason) \(error.message)")
    }
}

extension ProviderFailure {
    /// Whether another attempt of the edit would have the same answer.
    var endsEdit: Bool {
        switch recovery {
        case .retryAt: false
        case .fixConfiguration: kind != .secretsSealed
        case .reconnect, .askScope, .refresh, .tellUser: true
        }
    }
}
