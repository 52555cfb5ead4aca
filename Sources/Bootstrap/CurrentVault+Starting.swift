import Logging
import Storage
import Vault

extension CurrentVault {
    package convenience init(_ configuration: BacklineConfiguration.Vault) {
        self.init(keyFile: VaultKeyFile(path: configuration.keyFile))
    }

    /// Makes the key of an installation that has none yet, and says what is wrong with one that cannot be used. That
    /// keeps nobody from starting: only what needs a secret fails, and says why.
    package func start(database: Database, logger: Logger) async {
        do {
            guard let id = try await database.makeVaultKeyIfNeeded(at: keyFile) else { return }
            logger.notice(
                "made the vault's key: back this file up, apart from the database; without it no secret opens",
                metadata: ["file": "\(keyFile.path)", "key": "\(id)"])
        } catch {
            logger.error(
                "people's keys and connections cannot be used until the vault's key is mended",
                metadata: ["error": "\(error)"])
        }
    }
}
