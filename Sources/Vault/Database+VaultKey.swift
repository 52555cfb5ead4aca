import Model
import Storage

extension Database {
    /// Makes the vault's key file where it is missing and nothing is sealed that anybody needs.
    ///
    /// - Returns: the id of a key that was made just now.
    /// - Throws: ``VaultKeyFileError``, or what reading the database throws.
    package func makeVaultKeyIfNeeded(at keyFile: VaultKeyFile) async throws -> String? {
        do {
            _ = try keyFile.read()
            return nil
        } catch .missing(let path) {
            guard try await read({ try $0.vault.isEmpty(now: .now()) }) else {
                throw VaultKeyFileError.missing(path: path)
            }
            return try keyFile.make()?.current.id
        }
    }
}
