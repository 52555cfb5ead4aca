import Foundation
import Model
import Platform
import Synchronization

/// Signs the tokens that authorize messages (RFC 8292), one for each push service, and uses each for half of its life.
package final class VAPIDTokens: Sendable {
    /// Services accept at most 24 hours, by their own clocks.
    static let life = Duration.seconds(12 * 3_600)
    static let usefulTime = Duration.seconds(6 * 3_600)
    /// The most tokens in memory. There are few services, but anybody can name a server of their own.
    static let mostTokens = 1_024

    private struct Claims: Encodable {
        let aud: String
        let exp: Int64
        let sub: String
    }

    private struct Token {
        let header: Secret
        let signedAt: Timestamp
    }

    private let keys: VAPIDKeyPair
    private let contact: VAPIDContact
    private let tokens = Mutex<[String: Token]>([:])

    package init(keys: VAPIDKeyPair, contact: VAPIDContact) {
        (self.keys, self.contact) = (keys, contact)
    }

    /// The value of `Authorization` for messages to a push service.
    ///
    /// - Parameter origin: scheme, host and port of the service (``WebPushSubscription/origin``).
    package func authorization(for origin: String, at now: Timestamp = .now()) throws -> Secret {
        if let known = tokens.withLock({ $0[origin] }), Self.isUseful(known, at: now) { return known.header }
        // Some readers do not allow a blank after the comma.
        let header = Secret("vapid t=\(try signed(for: origin, at: now)),k=\(keys.publicKey)")
        let token = Token(header: header, signedAt: now)
        tokens.withLock { tokens in
            if tokens.count >= Self.mostTokens { tokens = tokens.filter { Self.isUseful($0.value, at: now) } }
            if tokens.count >= Self.mostTokens { tokens = [:] }
            tokens[origin] = token
        }
        return token.header
    }

    /// Forgets the token of a service that refuses it: the clock may have been wrong when it was signed.
    package func forget(_ origin: String) {
        tokens.withLock { $0[origin] = nil }
    }

    private func signed(for origin: String, at now: Timestamp) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let end = now.advanced(by: Self.life).microseconds / 1_000_000
        let claims = try encoder.encode(Claims(aud: origin, exp: end, sub: contact.description))
        let text = Base64URL.text(of: #"{"alg":"ES256","typ":"JWT"}"#.utf8) + "." + Base64URL.text(of: claims)
        return text + "." + Base64URL.text(of: try keys.signature(of: text))
    }

    /// If the clock was set back, the token may be valid for longer than services accept.
    private static func isUseful(_ token: Token, at now: Timestamp) -> Bool {
        (.zero..<usefulTime).contains(token.signedAt.duration(to: now))
    }
}
