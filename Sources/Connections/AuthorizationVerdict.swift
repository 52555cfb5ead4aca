import Contracts
import Foundation
import Model

/// What came of an attempt to connect: the result of its job, from which its page or app is answered.
package struct AuthorizationVerdict: Codable, Sendable, Equatable {
    package var isConnected: Bool
    /// Why not, in camelCase.
    package var code: String?
    /// A `Recovery`'s raw value.
    package var recovery: String?
    /// For people.
    package var detail: String?
    /// Whole seconds since 1970 after which trying again makes sense.
    package var retryAt: Int64?

    package static let connected = AuthorizationVerdict(isConnected: true)

    package static func failed(_ code: String, _ recovery: Recovery, _ detail: String) -> AuthorizationVerdict {
        AuthorizationVerdict(isConnected: false, code: code, recovery: recovery.rawValue, detail: detail)
    }

    /// All codes that a failed attempt can have.
    package static let codes: Set<String> = Set(
        ["noVerdict", "authorizationOver", "codeRefused"]
            + [
                ConnectionFault.accountNotAllowed, .clientRefused, .tokenRequestRefused, .secretsSealed, .rateLimited,
                .quotaExhausted, .serverError, .timedOut, .notReached, .unreadable,
            ].map(\.rawValue))

    /// Of a code that is refused, the way out is the same as of a grant: to connect again.
    init(_ failure: ConnectionFailure) {
        isConnected = false
        code = failure.fault == .grantRefused ? "codeRefused" : failure.fault.rawValue
        recovery = failure.recovery.rawValue
        detail = failure.message
        retryAt = failure.until.map { $0.microseconds / 1_000_000 }
    }

    private init(isConnected: Bool, code: String? = nil, recovery: String? = nil, detail: String? = nil) {
        self.isConnected = isConnected
        self.code = code
        self.recovery = recovery
        self.detail = detail
    }

    /// JSON.
    package var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Strings and numbers alone: that cannot fail.
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    package init?(text: String) {
        guard let value = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else { return nil }
        self = value
    }
}
