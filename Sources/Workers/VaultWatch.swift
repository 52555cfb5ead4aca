import Logging
import Model
import Storage
import Vault

/// Maintains the vault's files while a worker runs: creates missing ones, and records in the database which keys this
/// worker can read, since the gateway cannot see them.
///
/// A worker starts even if its key file is missing, malformed or readable by others: a job that needs a secret fails
/// with the reason.
struct VaultWatch: Sendable {
    /// How often the files are checked. Opening and sealing also check them each time.
    static let interval = Duration.seconds(1)
    /// After how many checks a failed step is retried.
    static let retryChecks = 10

    private let files: VaultFiles
    private let database: Database
    private let worker: String
    private let logger: Logger
    /// The identity of the files at the last check.
    private var seen: VaultFiles.Identity?
    private var checksUntilRetry = 0
    /// What the database has recorded about this worker.
    private var recorded: VaultReader?
    private var lastError: String?

    init(files: VaultFiles, database: Database, worker: String, logger: Logger) {
        self.files = files
        self.database = database
        self.worker = worker
        self.logger = logger
    }

    /// Checks the files until the task is cancelled.
    mutating func run() async {
        while true {
            // Polling: a check costs two calls of stat. Cancelling the task ends the sleep.
            guard (try? await Task.sleep(for: Self.interval)) != nil else { return }
            await check()
        }
    }

    /// Prepares the files and records the keys if a file has changed since the last check or a failed step is due
    /// again.
    mutating func check() async {
        let present = files.identity
        checksUntilRetry -= 1
        guard present != seen || checksUntilRetry == 0 else { return }
        seen = present
        var error: (any Error)?
        do {
            log(try await files.prepare(database))
        } catch let failure {
            error = failure
        }
        var read: VaultKeyring?
        do {
            read = try files.keys.read()
        } catch let failure {
            error = error ?? failure
        }
        do {
            try await record(VaultReader(worker: worker, keyring: read))
        } catch let failure {
            error = error ?? failure
        }
        if error != nil { checksUntilRetry = Self.retryChecks }
        log(error)
    }

    private mutating func record(_ reader: VaultReader) async throws {
        guard reader != recorded else { return }
        // An earlier process of the same name may have recorded the same.
        let known = try await database.read { try $0.vault.readers(among: [reader.worker]) }
        if known != [reader] { try await database.write { try $0.vault.putReader(reader, now: .now()) } }
        recorded = reader
    }

    // MARK: The log

    private func log(_ preparation: VaultFiles.Preparation) {
        if let id = preparation.made {
            logger.notice(
                "created the vault's key: back up this file, separately from the database; no secret opens without it",
                metadata: ["file": "\(files.keys.path)", "key": "\(id)"])
        }
        if let id = preparation.unknownPublicKey {
            logger.error(
                """
                new secrets are sealed with a key that this worker does not have: if its key file is a copy, copy it \
                again; otherwise remove the public key file, and a worker will write a new one
                """,
                metadata: ["file": "\(files.publicKey.path)", "key": "\(id)"])
        }
    }

    /// Logs an error once, and logs when it is over.
    private mutating func log(_ error: (any Error)?) {
        let text = error.map { "\($0)" }
        guard text != lastError else { return }
        lastError = text
        if let text, error is StorageError {
            logger.warning(
                "this worker's vault keys are not recorded yet; trying again", metadata: ["error": "\(text)"])
        } else if let text {
            logger.error(
                "people's keys and connections cannot be used or entered until the vault's files are repaired",
                metadata: ["error": "\(text)"])
        } else {
            logger.notice("the vault's files can be used again")
        }
    }
}
