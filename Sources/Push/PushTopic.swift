import Crypto
import Platform

/// The name by which a message replaces an earlier one that its push service has not delivered yet (RFC 8030,
/// section 5.4).
///
/// The RFC allows base64url. Apple's service reportedly refuses underscores, so only letters, digits and hyphens are
/// used.
package struct PushTopic: Sendable, Hashable, CustomStringConvertible {
    package static let longest = 32

    package let description: String

    /// - Returns: `nil` unless the text is 1 to 32 letters, digits and hyphens.
    package init?(_ text: String) {
        let isPlain = text.utf8.allSatisfy { $0.isUnreservedInURLs && !"._~".utf8.contains($0) }
        guard (1...Self.longest).contains(text.utf8.count), isPlain else { return nil }
        description = text
    }

    /// The topic of a group of messages to one receiver.
    ///
    /// Push services see topics. It is a hash, so that they see neither what a group is about, nor that two receivers
    /// have the same one.
    package init(group: String, receiver: String) {
        let hash = SHA256.hash(data: Array("backline push topic\n\(receiver)\n\(group)".utf8))
        description = hash.prefix(Self.longest / 2).hexadecimal
    }
}
