import Logging
import Model
import Notifications
import Push
import Storage
import Vault

/// Makes the keys for Web Push while a worker runs, unless there are some: the gateway cannot open the vault that the
/// private key is sealed in. Of several workers, the first one makes them.
struct WebPushKeyMaker: Sendable {
    /// The keys may be deleted while the worker runs.
    private static let interval = Duration.seconds(60)
    private static let retryInterval = Duration.seconds(10)

    let database: Database
    let vault: CurrentVault
    let logger: Logger

    /// Makes keys whenever there are none, until the task is cancelled.
    func run() async {
        repeat {
            let pause: Duration
            do {
                try await makeKeys()
                pause = Self.interval
            } catch {
                // Why the vault or the database cannot be used is logged where they are watched.
                logger.debug("the keys for Web Push are not made yet", metadata: ["error": "\(error)"])
                pause = Self.retryInterval
            }
            guard (try? await Task.sleep(for: pause)) != nil else { return }
        } while !Task.isCancelled
    }

    /// Makes a pair of keys, seals the private one, and stores both, unless there are some.
    func makeKeys() async throws {
        guard try await database.read({ try $0.notifications.webPushKey() }) == nil else { return }
        let keys = VAPIDKeyPair()
        let isNew = try await database.write { transaction in
            try transaction.notifications.storeWebPushKey(
                publicKey: keys.publicKey, privateKey: keys.secret, by: vault, now: .now())
        }
        if isNew { logger.notice("made the key for Web Push", metadata: ["publicKey": "\(keys.publicKey)"]) }
    }
}
