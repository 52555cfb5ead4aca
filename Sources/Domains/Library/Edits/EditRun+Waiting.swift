import Library
import LibraryWriting
import Model
import Platform
import Storage

/// Waiting for edits that must not end yet.
extension EditRun {
    /// How long an edit that must not end waits before it retries what failed.
    private static let unfinishedPause = (
        passing: Duration.seconds(60).dividedInTests, others: Duration.seconds(900).dividedInTests
    )

    /// Why an edit must not end yet, for people; `nil` if it may. If an edit has removed entries and not yet put back
    /// the other entries of the same songs, these would be lost. If the answer to a write is missing, it would remain
    /// unknown whether the service has made it.
    ///
    /// If the source was disconnected and its rows were deleted, there is nothing to wait for.
    private func unfinishedReason(of edit: LibraryEdit) async throws -> String? {
        try await database.read { reader in
            let steps = try reader.edits.steps(of: edit)
            guard try reader.library.hasAccount(of: edit.scan) else { return nil }
            if steps.isAmidRemoval { return "Songs that should stay in “\(edit.title)” still have to be put back:" }
            let name = edit.source.displayName
            return steps.hasUnknownOutcome ? "It is not known yet whether \(name) has made the last change:" : nil
        }
    }

    /// Makes an edit that must not end wait if waiting may help: for a credential, for a permission, or for a service
    /// that does not respond.
    ///
    /// - Throws: `ProviderFailure` or ``Postponement``. Returns normally if the edit may end, or if the service refuses
    ///   it permanently.
    func waitForOutcome(_ edit: LibraryEdit, _ failure: ProviderFailure) async throws {
        guard let reason = try await unfinishedReason(of: edit) else { return }
        let message = "\(reason) \(failure.message)"
        switch failure.recovery {
        case .reconnect, .askScope: throw failure
        case .retryAt:
            let later = now().advanced(by: Self.unfinishedPause.passing)
            throw Postponement(until: failure.until ?? later, message: message)
        case .fixConfiguration, .refresh:
            throw Postponement(until: now().advanced(by: Self.unfinishedPause.others), message: message)
        case .tellUser where failure.kind == .accessTokenRefusedAgain:
            // A permission was revoked (``EditError/init(_:at:)``).
            var waiting = ProviderFailure(
                failure.provider, failure.kind, recovery: .reconnect, message: failure.message)
            waiting.reason = failure.reason
            throw waiting
        case .tellUser: return
        }
    }

    /// Makes an edit that must not end wait for the account that it was meant for. After a new Apple Music user token,
    /// the next sync shows whether it belongs to the same account.
    func waitForAccount(_ edit: LibraryEdit, _ error: EditError) async throws {
        guard let reason = try await unfinishedReason(of: edit) else { return }
        guard edit.source.namesAccount, let provider = edit.source.provider else {
            throw Postponement(
                until: now().advanced(by: Self.unfinishedPause.passing), message: "\(reason) \(error.message)")
        }
        throw ProviderFailure(provider, .connectionNeeded, message: "\(reason) \(error.message)")
    }
}

extension ProviderFailure {
    /// Whether retrying the edit would yield the same answer.
    var endsEdit: Bool {
        switch recovery {
        case .retryAt: false
        case .fixConfiguration: kind != .secretsSealed
        case .reconnect, .askScope, .refresh, .tellUser: true
        }
    }
}
