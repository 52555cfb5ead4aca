import Foundation
import Model
import Synchronization

/// Developer tokens, each signed once and used until half of its life is over.
package final class AppleMusicDeveloperTokens: Sendable {
    /// How long a token is used. It is valid for longer by as much again.
    static let usefulTime = AppleMusicDeveloperKey.lifetime / 2
    /// The most tokens that are kept. People's own keys are few.
    private static let maximumCount = 256

    private struct Name: Hashable {
        var teamID: String
        var keyID: String
    }

    private struct Signed {
        var token: Secret
        /// Another private key of the same name may have been entered since.
        var key: AppleMusicDeveloperKey
        var signedAt: Date
    }

    private let tokens = Mutex<[Name: Signed]>([:])

    package init() {}

    /// A token of the key, and whether it was signed now.
    ///
    /// - Throws: ``AppleMusicError/privateKeyUnreadable``.
    package func token(
        of key: AppleMusicDeveloperKey, now: Date = Date()
    ) async throws(AppleMusicError) -> (token: Secret, isNew: Bool) {
        let name = Name(teamID: key.teamID, keyID: key.keyID)
        if let known = tokens.withLock({ $0[name] }), known.key == key, Self.isUseful(known, at: now) {
            return (known.token, false)
        }
        let token = try await key.token(now: now)
        tokens.withLock { tokens in
            if tokens.count >= Self.maximumCount { tokens = tokens.filter { Self.isUseful($0.value, at: now) } }
            if tokens.count >= Self.maximumCount { tokens = [:] }
            tokens[name] = Signed(token: token, key: key, signedAt: now)
        }
        return (token, true)
    }

    /// Forgets a token that Apple refuses: the clock may have been wrong when it was signed.
    package func forget(_ token: Secret) {
        tokens.withLock { tokens in tokens = tokens.filter { $0.value.token != token } }
    }

    /// A clock that was set back makes a token one of the future, which Apple refuses.
    private static func isUseful(_ signed: Signed, at now: Date) -> Bool {
        (0..<usefulTime).contains(now.timeIntervalSince(signed.signedAt))
    }
}
