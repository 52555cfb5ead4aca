import Foundation
import Model
import Synchronization

/// Caches developer tokens: each is signed once and used for half of its lifetime.
package final class AppleMusicDeveloperTokens: Sendable {
    /// How long a token is used. It remains valid for as long again.
    static let usefulTime = AppleMusicDeveloperKey.lifetime / 2
    /// The most tokens that are cached. Few people have their own keys.
    private static let maximumCount = 256

    private struct Name: Hashable {
        var teamID: String
        var keyID: String
    }

    private struct SignedToken {
        var token: Secret
        /// A different private key with the same name may have been entered since.
        var key: AppleMusicDeveloperKey
        var signedAt: Date
    }

    private let tokens = Mutex<[Name: SignedToken]>([:])

    package init() {}

    /// A token signed with the key, and whether it was signed just now.
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
            tokens[name] = SignedToken(token: token, key: key, signedAt: now)
        }
        return (token, true)
    }

    /// Forgets a token that Apple refuses: the clock may have been wrong when it was signed.
    package func forget(_ token: Secret) {
        tokens.withLock { tokens in tokens = tokens.filter { $0.value.token != token } }
    }

    /// If the clock was set back, the token appears to be from the future, and Apple refuses it.
    private static func isUseful(_ signed: SignedToken, at now: Date) -> Bool {
        (0..<usefulTime).contains(now.timeIntervalSince(signed.signedAt))
    }
}
