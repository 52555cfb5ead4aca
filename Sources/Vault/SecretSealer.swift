import Model
import Storage

/// Seals secrets with the current key.
package protocol SecretSealer: Sendable {
    /// Seals a secret in the transaction that stores it.
    ///
    /// ``VaultRotation`` changes the current key only in a write transaction. So a secret is sealed either with a key
    /// that the rotation has not removed yet, or with the new one. A call costs a `stat` of the key file, and a read of
    /// its 200 bytes after a change.
    ///
    /// - Throws: ``VaultError``.
    func seal(_ secret: Secret, as name: SecretName, in transaction: WriteTransaction) throws -> SealedSecret
}
