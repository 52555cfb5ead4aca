import Crypto
import Model

/// What a limit counts by: a provider and one of its credentials, known by a fingerprint that cannot be turned back.
package struct PermitKey: Hashable, Sendable, CustomStringConvertible {
    package let provider: String
    /// `provider:fingerprint`, as the database has it.
    package let description: String

    /// What all candidates for a provider's credential take turns with, besides each one's own key.
    init(candidatesOf provider: String) {
        self.provider = provider
        description = "\(provider):candidates"
    }

    /// - Parameter credential: `nil` for a provider that asks for none.
    package init(provider: String, credential: Secret?) {
        self.provider = provider
        guard let credential else {
            description = "\(provider):anonymous"
            return
        }
        let digest = SHA256.hash(data: Array("backline permit\n\(provider)\n\(credential.reveal())".utf8))
        description = "\(provider):\(digest.prefix(8).hexadecimal)"
    }
}
