import Storage
import TestSupport
import Vault

/// Runs `body` with a database, and a vault whose key file is in the database's folder.
func withVault(
    _ body: (_ database: Database, _ folder: TemporaryFolder, _ vault: CurrentVault) async throws -> Void
) async throws {
    try await withDatabase { database, folder in
        let file = VaultKeyFile(path: folder.file("vault.key"))
        _ = try file.make()
        try await body(database, folder, CurrentVault(keyFile: file))
    }
}
