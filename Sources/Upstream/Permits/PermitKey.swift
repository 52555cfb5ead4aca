import Crypto
import Model

/// What a limit counts by: a provider and one of its credentials, known by a fingerprint that cannot be turned back;
/// and a part of the provider, where each counts for itself.
package struct PermitKey: Hashable, Sendable, CustomStringConvertible {
    package let provider: String
    /// `provider:fingerprint` or `provider:fingerprint/scope`, as the database has it.
    package let description: String

    /// What all candidates for a provider's credential take turns with, besides each one's own key.
    init(candidatesOf provider: String) {
        self.provider = provider
        description = "\(provider):candidates"
    }

    /// - Parameters:
    ///   - credential: `nil` for a provider that asks for none.
    ///   - scope: a part of the provider that counts for itself, such as a model.
    package init(provider: String, credential: Secret?, scope: String? = nil) {
        self.provider = provider
        let suffix = scope.map { "/\($0)" } ?? ""
        guard let credential else {
            description = "\(provider):anonymous\(suffix)"
            return
        }
        let digest = SHA256.hash(data: Array("backline permit\n\(provider)\n\(credential.reveal())".utf8))
        description = "\(provider):\(digest.prefix(8).hexadecimal)\(suffix)"
    }
}
