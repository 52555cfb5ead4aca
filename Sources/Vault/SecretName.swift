import Model

/// The identity of a secret. A sealed value is bound to it and can only be opened under the same name.
package struct SecretName: Sendable, Hashable {
    package var userID: String
    package var provider: Provider
    /// The kind of secret, such as `apiKey` or `refreshToken`.
    package var field: String

    package init(userID: String, provider: Provider, field: String) {
        self.userID = userID
        self.provider = provider
        self.field = field
    }

    /// The name of a secret of the installation, which belongs to nobody.
    package static func ofInstallation(provider: Provider, field: String) -> SecretName {
        SecretName(userID: "", provider: provider, field: field)
    }

    /// The associated data of the seal. Each part is prefixed with its length, so that no two names have the same data.
    var associatedData: [UInt8] {
        [userID, provider.rawValue, field].flatMap { part in
            let bytes = Array(part.utf8)
            return Array("\(bytes.count):".utf8) + bytes
        }
    }
}
