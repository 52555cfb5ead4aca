import Model
import Storage
import Vault

/// A report of a person to the administrators.
package struct PersonReport: Sendable, Equatable {
    package let id: String
    /// `nil` once the reporter is erased.
    package let reporterID: String?
    /// `nil` once the reported person is erased.
    package let subjectID: String?
    package let createdAt: Timestamp
    /// The seal of the report's text and of what the profile showed; `nil` after the decision.
    package let content: SealedText?
    /// `nil` while the report is open.
    package let decision: Decision?
    package let decidedAt: Timestamp?

    /// What an administrator decides about a report.
    package enum Decision: String, Sendable, CaseIterable, SQLConvertible {
        case nothing
        /// The person is suspended.
        case suspend
    }

    /// How long a report lasts, decided or not.
    package static let retention = Duration.seconds(90 * 86_400)
    /// The most characters of a report's text.
    package static let maximumLength = 1_000

    /// The name under which the content is sealed. It has no author: a report stays when its reporter is erased.
    package static func contentName(id: String) -> TextName { TextName(table: "reports", row: id, author: "") }

    init(row: Row) throws {
        id = try row["id"]
        reporterID = try row["reporter_id"]
        subjectID = try row["subject_id"]
        createdAt = try row["created_at"]
        let bytes: [UInt8]? = try row["sealed"]
        content = try bytes.map { SealedText(keyID: try row["key_id"], bytes: $0) }
        // A decision of a later version leaves the report decided.
        decision = try (row["decision"] as String?).map { Decision(rawValue: $0) ?? .nothing }
        decidedAt = try row["decided_at"]
    }
}

/// What a report contains: the reporter's words, and the profile as it was then, so that changing it does not hide what
/// was reported.
package struct ReportContent: Sendable, Equatable, Codable {
    package var text: String
    package var username: String
    package var displayName: String?
    package var bio: String?
    /// The path of the picture, which leads nowhere once the person has another one.
    package var picture: String?
    /// The messages that were reported, the first one first; `nil` for none.
    package var messages: [ReportedMessage]?

    /// The most messages of a report; further ones are left out.
    package static let mostMessages = 20

    package init(
        text: String, username: String, displayName: String?, bio: String?, picture: String?,
        messages: [ReportedMessage]? = nil
    ) {
        self.text = text
        self.username = username
        self.displayName = displayName
        self.bio = bio
        self.picture = picture
        self.messages = messages
    }
}

/// A copy of a message that was reported.
package struct ReportedMessage: Sendable, Equatable, Codable {
    package var id: String
    package var at: Timestamp
    package var text: String?
    package var songTitle: String?
    package var songArtists: [String]

    package init(id: String, at: Timestamp, text: String?, songTitle: String?, songArtists: [String]) {
        (self.id, self.at, self.text) = (id, at, text)
        (self.songTitle, self.songArtists) = (songTitle, songArtists)
    }
}
