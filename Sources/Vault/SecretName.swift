import Contracts

/// Which secret of whom: what a sealed value is bound to, so that it opens nowhere else.
package struct SecretName: Sendable, Hashable {
    package var userID: String
    package var provider: CredentialProvider
    /// Such as `apiKey` or `refreshToken`.
    package var field: String

    package init(userID: String, provider: CredentialProvider, field: String) {
        self.userID = userID
        self.provider = provider
        self.field = field
    }

    /// The associated data of the seal. A length goes before each part, so that no two names share it.
    var associatedData: [UInt8] {
        [userID, provider.rawValue, field].flatMap { part in
            let bytes = Array(part.utf8)
            return Array("\(bytes.count):".utf8) + bytes
        }
    }
}
