import Model

/// A message to a browser: its content, and how long and how urgently its push service tries to deliver it.
package struct WebPushMessage: Sendable, Equatable {
    /// What every service accepts: at least a minute, since Windows refuses 0, and at most the four weeks of Google.
    package static let timesToLive = Duration.seconds(60)...Duration.seconds(28 * 86_400)

    package let content: [UInt8]
    /// Whole seconds.
    package let timeToLive: Duration
    package let urgency: PushUrgency
    package let topic: PushTopic?

    /// - Parameters:
    ///   - content: at most ``WebPushEncryption/longestMessage`` bytes.
    ///   - timeToLive: how long the service keeps the message for a device that is off, within ``timesToLive``.
    ///   - topic: replaces an undelivered message with the same topic.
    package init(
        content: [UInt8], timeToLive: Duration, urgency: PushUrgency = .normal, topic: PushTopic? = nil
    ) {
        precondition(content.count <= WebPushEncryption.longestMessage, "PushNotification shortens its content")
        self.content = content
        let time = min(max(timeToLive, Self.timesToLive.lowerBound), Self.timesToLive.upperBound)
        self.timeToLive = .seconds(time.components.seconds)
        self.urgency = urgency
        self.topic = topic
    }

    /// The header fields of a request, without the one that authorizes it.
    package var headers: [(name: String, value: String)] {
        var headers = [
            ("Content-Type", "application/octet-stream"), ("Content-Encoding", "aes128gcm"),
            ("TTL", "\(timeToLive.components.seconds)"), ("Urgency", urgency.rawValue),
        ]
        if let topic { headers.append(("Topic", topic.description)) }
        return headers
    }
}
