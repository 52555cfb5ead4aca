import Model
import Storage

/// Seals a secret with the key that seals now.
package protocol SecretSealer: Sendable {
    /// ``VaultRotation`` changes that key under the lock that every write transaction holds. So what is sealed in the
    /// transaction that stores it is sealed with a key that the rotation still waits for, or with the one after it.
    /// It takes a look at a file's times, and after a change at its 200 bytes.
    ///
    /// - Throws: ``VaultError``.
    func seal(_ secret: Secret, as name: SecretName, in transaction: WriteTransaction) throws -> SealedSecret
}
