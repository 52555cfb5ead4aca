import Accounts
import Gateway
import Model
import People
import Storage
import Vault

/// Writes reports of people, with what they show and what they have written, sealed.
package struct ReportWriter: Sendable {
    private let textKeys: CurrentTextKeys
    private let pictures: PicturePaths

    package init(textKeys: CurrentTextKeys, pictures: PicturePaths) {
        (self.textKeys, self.pictures) = (textKeys, pictures)
    }

    /// Stores a report. Messages that were reported before stay in a report that is not decided.
    ///
    /// - Parameters:
    ///   - subjectID: `nil` for a name that nobody has.
    ///   - message: what the person has written to the reporter, who knows them by it.
    /// - Throws: `PeopleRefusal`; `ActLimitReached`; `TextKeyError`.
    package func report(
        _ subjectID: String?, by userID: String, text: String, message: ReportedMessage? = nil,
        in transaction: WriteTransaction
    ) throws {
        let profile = try subjectID.flatMap { try transaction.accounts.profile(userID: $0) }
        var content = ReportContent(
            text: text, username: profile?.username ?? "", displayName: profile?.displayName, bio: profile?.bio,
            picture: profile.flatMap { pictures.path(of: $0.picture) }, messages: message.map { [$0] })
        try transaction.people.report(
            subjectID, by: userID, isKnown: message != nil, now: .now(),
            isSame: { id, sealed in
                guard let open = try? self.content(of: sealed, report: id) else { return false }
                content.keepMessages(of: open)
                return open == content
            },
            seal: { id in
                try textKeys.seal(
                    try JSONColumn.encode(content), as: PersonReport.contentName(id: id), in: transaction)
            })
    }

    /// Opens what a report contains.
    ///
    /// - Throws: `TextKeyError`; `StorageError`.
    func content(of sealed: SealedText, report id: String) throws -> ReportContent {
        let text = try textKeys.open(sealed, as: PersonReport.contentName(id: id))
        return try JSONColumn.decode(text, column: "reports.sealed")
    }
}

extension ReportContent {
    /// Adds the messages of the report that this one replaces.
    fileprivate mutating func keepMessages(of former: ReportContent) {
        guard let kept = former.messages else { return }
        let known = Set(kept.map(\.id))
        messages = Array((kept + (messages ?? []).filter { !known.contains($0.id) }).prefix(Self.mostMessages))
    }
}
