import Logging
import Model
import Notifications
import NotificationSources
import Push
import PushServices
import Storage
import Telemetry
import Vault

/// Sends one push to one target, with the address and keys from the vault.
struct PushServiceAccess: Sendable {
    /// Opens the address and keys of a target.
    let open: @Sendable (SealedSecret, SecretName) throws(VaultError) -> Secret
    let settings: PushSettings
    /// The sender of Web Push; `nil` while there are no keys, or no contact.
    let webPush: WebPushClient?
    let ntfy: NtfyClient
    let logger: Logger
    let throttle: LogThrottle

    /// How long to wait for what the operator has to repair, such as the vault's key file.
    private static let repairPause = Duration.seconds(600)
    /// The bytes of the shorter message to a service for which the usual one was too large.
    private static let shortContent = 1_200

    /// A push as it is sent: what it shows, and what it replaces.
    struct Message: Sendable {
        let notification: PushNotification
        let topic: PushTopic
        let urgency: NotificationUrgency
        let timeToLive: Duration
    }

    /// - Returns: what becomes of the intents of the push, and whether the host should rather be left alone for now.
    /// - Throws: `CancellationError`; `StorageError`.
    func send(
        _ message: Message, to key: PushTargetKey, of userID: String, channel: NotificationChannel,
        sealed: SealedSecret?
    ) async throws -> (ending: PushEnding, hostFails: Bool) {
        guard let sealed else { return (.targetGone, false) }
        let secret: Secret
        do throws(VaultError) {
            secret = try open(sealed, PushTarget.secretName(id: key.id, userID: userID))
        } catch .doesNotOpen {
            log("the address of a push target is damaged, so that the target ends")
            return (.targetGone, false)
        } catch {
            log("pushes wait, since the vault cannot be opened: \(error)")
            return (.again(at: .now().advanced(by: Self.repairPause)), false)
        }
        switch channel {
        case .webPush: return try await sendWebPush(message, to: secret, userID: userID)
        case .ntfy: return try await sendNtfy(message, to: secret, userID: userID)
        case .page: return (.dropped, false)
        }
    }

    private func sendWebPush(
        _ message: Message, to secret: Secret, userID: String
    ) async throws -> (ending: PushEnding, hostFails: Bool) {
        guard let webPush else { return (.again(at: .now().advanced(by: Self.repairPause)), false) }
        let subscription: WebPushSubscription
        do {
            subscription = try WebPushSubscription(secret: secret, simulatedOrigin: settings.simulatedService)
        } catch {
            return (waitForSettings(error), false)
        }
        func send(atMost bytes: Int) async throws -> PushOutcome {
            try await webPush.send(
                WebPushMessage(
                    content: message.notification.content(atMost: bytes), timeToLive: message.timeToLive,
                    urgency: PushUrgency(message.urgency), topic: message.topic), to: subscription, person: userID)
        }
        var outcome = try await send(atMost: WebPushEncryption.longestMessage)
        if case .tooLarge = outcome { outcome = try await send(atMost: Self.shortContent) }
        return ending(of: outcome, host: subscription.host)
    }

    private func sendNtfy(
        _ message: Message, to secret: Secret, userID: String
    ) async throws -> (ending: PushEnding, hostFails: Bool) {
        let target: NtfyTarget
        do {
            target = try NtfyTarget(secret: secret, exceptions: settings.ntfyNetworks)
        } catch {
            return (waitForSettings(error), false)
        }
        func send(_ notification: PushNotification) async throws -> PushOutcome {
            try await ntfy.send(
                NtfyMessage(notification, priority: PushUrgency(message.urgency).ntfyPriority), to: target,
                person: userID)
        }
        var outcome = try await send(message.notification)
        if case .tooLarge = outcome {
            outcome = try await send(
                PushNotification(
                    title: message.notification.title, address: message.notification.address,
                    tag: message.notification.tag))
        }
        return ending(of: outcome, host: target.host)
    }

    /// What the rules or the settings no longer allow stays: a mistake of the operator must not end it.
    private func waitForSettings(_ error: some Error) -> PushEnding {
        log("pushes to a target wait, since the configuration does not allow its address: \(error)")
        return .again(at: .now().advanced(by: Self.repairPause))
    }

    private func ending(of outcome: PushOutcome, host: String) -> (ending: PushEnding, hostFails: Bool) {
        switch outcome {
        case .accepted: return (.sent, false)
        case .gone: return (.targetGone, false)
        case .refused(let answer): return (.refused(answer: "\(answer)"), false)
        case .tooLarge, .rejected:
            log("a push is dropped: \(outcome)", host: host)
            return (.dropped, false)
        case .wait(let until, let answer):
            let moment = min(until, .now().advanced(by: PushTarget.longestPause))
            // Without an answer nothing was sent, nor would the host get the next push.
            guard answer != nil else { return (.again(at: moment), true) }
            return (.paused(until: moment), false)
        case .unreachable: return (.unanswered, true)
        }
    }

    private func log(_ text: String, host: String? = nil) {
        logger.log(
            level: .warning, "\(text)", metadata: host.map { ["host": "\($0)"] } ?? [:], throttle: throttle)
    }
}

extension PushUrgency {
    init(_ urgency: NotificationUrgency) {
        self =
            switch urgency {
            case .veryLow: .veryLow
            case .low: .low
            case .normal: .normal
            case .high: .high
            }
    }
}
