import Crypto
import Model
import Platform

/// What a limit counts by: a provider, one of its credentials as an irreversible fingerprint, and, if the provider
/// counts parts of itself separately (a model, for example), that part.
package struct PermitKey: Hashable, Sendable, CustomStringConvertible {
    package let provider: String
    /// `provider:fingerprint` or `provider:fingerprint/scope`, as stored in the database.
    package let description: String

    /// The key that all candidate credentials of a provider share, in addition to each one's own key.
    init(candidatesOf provider: String) {
        self.provider = provider
        description = "\(provider):candidates"
    }

    /// - Parameters:
    ///   - credential: `nil` for a provider that needs none.
    ///   - scope: a part of the provider that is counted separately, such as a model.
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
