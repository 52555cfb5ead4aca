import Logging
import Model
import Storage
import Vault

/// Sees to the vault's files for as long as a worker runs: makes and writes what is missing, seals for workers what
/// releases before sealed, and says in the database which keys this worker has, since the gateway cannot see them.
///
/// A key file that is missing, wrong or open to others is no reason not to start: who needs a secret is told why there
/// is none.
struct VaultWatch: Sendable {
    /// How soon a file that was changed is noticed. Opening and sealing look at it each time anyway.
    static let interval = Duration.seconds(1)
    /// After how many looks what failed is tried again.
    static let patience = 10

    private let files: VaultFiles
    private let database: Database
    private let worker: String
    private let logger: Logger
    /// The files as they were at the last look.
    private var seen: VaultFiles.Identity?
    private var looksUntilRetry = 0
    /// What the database says of this worker.
    private var said: VaultReader?
    private var keyring: VaultKeyring?
    private var lastError: String?
    private var isResealed = true

    init(files: VaultFiles, database: Database, worker: String, logger: Logger) {
        self.files = files
        self.database = database
        self.worker = worker
        self.logger = logger
    }

    /// Looks until the task is cancelled.
    mutating func run() async {
        while !Task.isCancelled {
            if !isResealed, let keyring { await reseal(keyring) }
            try? await Task.sleep(for: Self.interval)
            await look()
        }
    }

    /// Does what is to be done when a file has changed since the last time, or something failed then.
    mutating func look() async {
        let present = files.identity
        looksUntilRetry -= 1
        guard present != seen || looksUntilRetry == 0 else { return }
        seen = present
        var error: (any Error)?
        do {
            log(try await files.prepare(database))
        } catch let failure {
            error = failure
        }
        let read = try? files.keys.read()
        if read != keyring { isResealed = false }
        keyring = read
        do {
            try await say(VaultReader(worker: worker, keyring: read))
        } catch let failure {
            error = error ?? failure
        }
        if error != nil { looksUntilRetry = Self.patience }
        log(error)
    }

    private mutating func say(_ reader: VaultReader) async throws {
        guard reader != said else { return }
        // A process of the same name may have said the same.
        let known = try await database.read { try $0.vault.readers(among: [reader.worker]) }
        if known != [reader] { try await database.write { try $0.vault.putReader(reader, now: .now()) } }
        said = reader
    }

    private mutating func reseal(_ keyring: VaultKeyring) async {
        do {
            let counts = try await database.resealFormer(with: keyring)
            isResealed = true
            guard counts.resealed > 0 else { return }
            logger.notice(
                "sealed people's secrets anew, so that workers alone open them",
                metadata: ["secrets": "\(counts.resealed)"])
        } catch {
            // With the next look: until then they open as they are.
            logger.debug("secrets are not sealed anew yet", metadata: ["error": "\(error)"])
        }
    }

    // MARK: The log

    private func log(_ preparation: VaultFiles.Preparation) {
        if let former = preparation.movedFrom {
            logger.notice(
                "moved the vault's key to where the gateway need not see it: back it up from there",
                metadata: ["from": "\(former)", "to": "\(files.keys.path)"])
        }
        if let id = preparation.made {
            logger.notice(
                "made the vault's key: back this file up, apart from the database; without it no secret opens",
                metadata: ["file": "\(files.keys.path)", "key": "\(id)"])
        }
        if let id = preparation.unknownPublicKey {
            logger.error(
                """
                what people enter is sealed with a key that this worker does not have: if its key file is a copy, \
                renew it; otherwise remove the public key file, which a worker then writes anew
                """,
                metadata: ["file": "\(files.publicKey.path)", "key": "\(id)"])
        }
    }

    /// Says once what is wrong, and when that is over.
    private mutating func log(_ error: (any Error)?) {
        let text = error.map { "\($0)" }
        guard text != lastError else { return }
        lastError = text
        if let text, error is StorageError {
            logger.warning(
                "it is not written down yet what this worker can open; it tries again", metadata: ["error": "\(text)"])
        } else if let text {
            logger.error(
                "people's keys and connections cannot be used, or not entered, until the vault's files are mended",
                metadata: ["error": "\(text)"])
        } else {
            logger.notice("the vault's files can be used again")
        }
    }
}
