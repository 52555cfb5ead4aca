import Model
import Platform
import Push

extension HostileParser {
    /// The readers of what people give as receivers of pushes, and of the answers of their services.
    static let pushes: [HostileParser] = [
        HostileParser("push-targets", mostMemory: 10, mostBytes: 1 << 20, seeds: targetSeeds) { read(target: $0) },
        HostileParser("push-answers", mostMemory: 20, mostBytes: 65_536, seeds: answerSeeds) { bytes in
            let status = 100 + Int(bytes.first ?? 0) * 2
            let body = Array(bytes.dropFirst())
            let now = Timestamp(microseconds: 1_800_000_000_000_000)
            _ = PushOutcome(webPush: status, body: body, retryAfter: nil, at: now).description
            _ = PushOutcome(ntfy: status, body: body, retryAfter: .seconds(86_400), at: now).description
        },
    ]

    /// Reads lines: an address, and two values that belong to it.
    private static func read(target bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
        func line(_ index: Int) -> String { index < lines.count ? lines[index] : "" }
        for origin in [nil, "http://127.0.0.1:4700"] {
            if let subscription = try? WebPushSubscription(
                endpoint: line(0), p256dh: line(1), auth: line(2), simulatedOrigin: origin)
            {
                _ = (subscription.fingerprint, subscription.origin, subscription.secret)
                _ = try? WebPushEncryption.body([1], for: subscription)
            }
            _ = try? WebPushSubscription(secret: Secret(text), simulatedOrigin: origin)
        }
        for exceptions in [[], ["10.0.0.0/8", "fd00::/8"].compactMap { AddressRange($0) }] {
            if let target = try? NtfyTarget(server: line(0), topic: line(1), token: line(2), exceptions: exceptions) {
                _ = (target.fingerprint({ $0.reveal() }), target.server, target.secret, target.allowedAddresses)
            }
            _ = try? NtfyTarget(secret: Secret(text), exceptions: exceptions)
        }
        _ = (try? VAPIDContact(line(0)), try? VAPIDKeyPair(secret: Secret(line(1))), PushTopic(line(2)))
        let notification = PushNotification(title: line(1), body: text, address: "https://a.org/", tag: line(2))
        _ = notification.content()
    }

    // MARK: Seeds

    private static let targetSeeds = [
        // The receiver of RFC 8291, appendix A.
        """
        https://updates.push.services.mozilla.com:8443/wpush/v2/a%2Fb?token=c%2B
        BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4
        BTBZMqHH6r4Tts7J_aSIgg
        """,
        "http://127.0.0.1:4700/push/x\nBCVxsr7N\nBTBZ", "https://ntfy.sh/\nbackline_1-x\ntk_abc",
        "http://[fd00::5]:80/n\nt\n", "mailto:admin@example.com\nq1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94\ngroup-1",
    ]
    private static let answerSeeds = [
        "\u{96}{\"reason\":\"VapidPkHashMismatch\"}", "\u{97}{\"code\":401,\"errno\":109,\"error\":\"Unauthorized\"}",
        "\u{10}{\"code\":42908,\"http\":429}", "\u{70}do not correspond to the credentials",
    ]
}
