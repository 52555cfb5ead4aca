import Foundation
import Model
import Platform

/// A message to a topic of an ntfy server (https://docs.ntfy.sh/publish/#publish-as-json).
package struct NtfyMessage: Sendable, Equatable {
    /// Longer messages become attachments.
    package static let longestText = 4_096
    package static let longestTitle = 250
    package static let priorities = 1...5

    let notification: PushNotification
    let priority: Int
    let tags: [String]

    /// - Parameters:
    ///   - priority: 1 to 5, of which 3 is the usual one.
    ///   - tags: emoji names of ntfy or other words, which the app shows: at most five, of letters, digits, hyphens and
    ///     underscores.
    package init(_ notification: PushNotification, priority: Int = 3, tags: [String] = []) {
        self.notification = notification
        self.priority = min(max(priority, Self.priorities.lowerBound), Self.priorities.upperBound)
        self.tags = Array(
            tags.filter { tag in
                (1...30).contains(tag.utf8.count)
                    && tag.utf8.allSatisfy { $0.isASCIILetterOrDigit || "-_".utf8.contains($0) }
            }.prefix(5))
    }

    /// The body of a request to the server's root. Header fields could not have it, since they are not UTF-8.
    package func body(for target: NtfyTarget) throws -> [UInt8] {
        let (title, text) = notification.body.map { (notification.title, $0) } ?? (nil, notification.title)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(
            try encoder.encode(
                Document(
                    topic: target.topic.reveal(), title: title?.shortened(toBytes: Self.longestTitle),
                    message: text.shortened(toBytes: Self.longestText), priority: priority,
                    tags: tags.isEmpty ? nil : tags, click: notification.address)))
    }

    private struct Document: Encodable {
        let topic: String
        let title: String?
        let message: String
        let priority: Int
        let tags: [String]?
        let click: String
    }
}
