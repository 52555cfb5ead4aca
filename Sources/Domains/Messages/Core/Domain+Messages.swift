import Domains
import Storage

extension Domain {
    /// What two people write to each other, and songs that they send each other.
    package static let messages = Domain(
        "messages", migrations: [.messagesTables], personalTables: .messages, notifications: .messages,
        sealedTexts: [
            SealedTextTable("messages", key: "number", author: "CAST(sender AS TEXT)"),
            SealedTextTable("message_secrets", key: "id"),
        ])
}
