import AppleMusic
import Bootstrap
import Foundation
import Logging
import Model
import Settings
import Synchronization
import Telemetry

/// The installation's Apple developer key, whose file can be replaced while the process runs.
final class InstallationAppleMusicKey: Sendable {
    /// How long a key is used before its file is read again.
    private static let interval = Duration.seconds(600)

    private let configuration: BacklineConfiguration.AppleMusic.DeveloperKey
    private let logger: Logger
    private let throttle = LogThrottle(limit: 1, per: .seconds(3_600))
    private let state = Mutex<(key: AppleMusicDeveloperKey, readAt: MonotonicInstant)?>(nil)

    init(_ configuration: BacklineConfiguration.AppleMusic.DeveloperKey, logger: Logger) {
        self.configuration = configuration
        self.logger = logger
    }

    /// The key, read from its file unless that was done recently.
    ///
    /// - Throws: ``ProviderFailure`` of the kind `credentialMissing`; the cause is logged.
    func key() throws -> AppleMusicDeveloperKey {
        let now = MonotonicInstant.now()
        if let known = state.withLock({ $0 }), known.readAt.duration(to: now) < Self.interval { return known.key }
        do throws(SecretFile.Failure) {
            let key = AppleMusicDeveloperKey(
                teamID: configuration.teamID, keyID: configuration.keyID,
                privateKey: try SecretFile.readPEM(configuration.privateKeyFile))
            state.withLock { $0 = (key, now) }
            return key
        } catch {
            warn("appleMusic.privateKeyFile cannot be used", reason: "\(error)")
            throw AppleMusicError.installationKeyMissing
        }
    }

    /// Apple refuses the key's tokens, or they cannot be signed with it. The next use reads the file again.
    func failed(_ failure: ProviderFailure) {
        state.withLock { $0 = nil }
        warn("Apple Music cannot be used with this installation's developer key", reason: failure.message)
    }

    private func warn(_ message: Logger.Message, reason: String) {
        guard throttle.admit() != nil else { return }
        logger.warning(
            message,
            metadata: [
                "teamID": "\(configuration.teamID)", "keyID": "\(configuration.keyID)",
                "path": "\(configuration.privateKeyFile)", "reason": "\(reason)",
            ])
    }
}
