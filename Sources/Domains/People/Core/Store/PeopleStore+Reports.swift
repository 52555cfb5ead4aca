import DomainEvents
import Model
import Storage
import Vault
import Visibility

/// The list of reports for administrators.
package let reportList = Keyset<RowID>("reports", by: "reports.id", descending: true)

private let reportColumns = SQL(
    """
    reports.id, reports.created_at, reports.key_id, reports.sealed, reports.decision, reports.decided_at,
    (SELECT people.user_id FROM people WHERE people.key = reports.reporter) AS reporter_id,
    (SELECT people.user_id FROM people WHERE people.key = reports.subject AND people.state <> 2) AS subject_id
    """)

extension PeopleStore {
    /// Reports, newest first. Reports of the administrator who asks are left to the others.
    ///
    /// - Parameter isOpen: whether to list the open ones or the decided ones.
    package func reports(
        isOpen: Bool, for administrator: Viewer, after cursor: Cursor<RowID>? = nil, limit: Int
    ) throws -> [PersonReport] {
        try transaction.map(
            """
            SELECT \(reportColumns) FROM reports
            WHERE reports.decision \(isOpen ? "IS NULL" as SQL : "IS NOT NULL") AND reports.subject <> \(administrator.key)
                \(reportList.following(cursor))
            ORDER BY \(reportList.order) LIMIT \(limit)
            """, PersonReport.init)
    }

    package func report(id: String) throws -> PersonReport? {
        try transaction.row("SELECT \(reportColumns) FROM reports WHERE reports.id = \(id)").map(PersonReport.init)
    }
}

extension PeopleStore where Access == WriteTransaction {
    /// Stores a report. A further report of the same person by the same reporter replaces one that is still open, and
    /// counts like a new one, since administrators read it again. The same report again has no further effect.
    ///
    /// - Parameters:
    ///   - subjectID: `nil` for a name that nobody has.
    ///   - isKnown: whether the reporter knows the person otherwise than by follows, such as by messages.
    ///   - isSame: whether the open report with this id has the same content.
    ///   - seal: seals the content of the report with this id.
    /// - Throws: ``PeopleRefusal``; `ActLimitReached`; what `seal` throws.
    package func report(
        _ subjectID: String?, by userID: String, isKnown: Bool = false, now: Timestamp,
        isSame: (_ id: String, _ content: SealedText) -> Bool, seal: (_ id: String) throws -> SealedText
    ) throws {
        let (viewer, relation) = try pair(userID, subjectID)
        guard try isKnown && relation.person.state != .gone || self.isKnown(relation, to: viewer) else {
            throw PeopleRefusal.unknownPerson
        }
        let open = try transaction.row(
            """
            SELECT id, key_id, sealed FROM reports
            WHERE reporter = \(viewer.key) AND subject = \(relation.person.key) AND decision IS NULL LIMIT 1
            """
        ).map { row -> (id: String, content: SealedText) in
            (try row["id"], SealedText(keyID: try row["key_id"], bytes: try row["sealed"]))
        }
        if let open, isSame(open.id, open.content) { return }
        try transaction.visibility.count(ActLimit.reports, by: viewer.key, now: now)
        if let open {
            let content = try seal(open.id)
            try transaction.run(
                "UPDATE reports SET key_id = \(content.keyID), sealed = \(content.bytes) WHERE id = \(open.id)")
            return
        }
        let id = UUIDv7.next()
        let content = try seal(id)
        try transaction.run(
            """
            INSERT INTO reports (id, reporter, subject, created_at, key_id, sealed)
            VALUES (\(id), \(viewer.key), \(relation.person.key), \(now), \(content.keyID), \(content.bytes))
            """)
    }

    /// Decides on a report, and deletes what was sealed with it. The same decision again has no further
    /// effect.
    ///
    /// - Returns: the id of the person whom the decision concerns; `nil` for somebody who is erased, and when the
    ///   report had this decision before.
    /// - Throws: ``PeopleRefusal/unknownReport``, ``PeopleRefusal/alreadyDecided``;
    ///   ``PeopleRefusal/selfTarget`` for a report of the administrator.
    package func decide(
        _ decision: PersonReport.Decision, aboutReport id: String, by administratorID: String, now: Timestamp
    ) throws -> String? {
        guard let report = try report(id: id) else { throw PeopleRefusal.unknownReport }
        guard report.subjectID != administratorID else { throw PeopleRefusal.selfTarget }
        if let earlier = report.decision {
            guard earlier == decision else { throw PeopleRefusal.alreadyDecided }
            return nil
        }
        try transaction.run(
            """
            UPDATE reports SET decision = \(decision), decided_at = \(now), key_id = NULL, sealed = NULL
            WHERE id = \(id)
            """)
        if let reporterID = report.reporterID {
            try transaction.publish(
                PersonNotified(
                    recipientID: reporterID, kind: .reportDecided, subject: "", actorID: nil, itemID: id, time: now))
        }
        return report.subjectID
    }

    /// Deletes up to `limit` reports that were made before a moment, decided or not.
    ///
    /// - Returns: the number of deleted reports.
    package func pruneReports(madeBefore time: PruningTime, limit: Int) throws -> Int {
        try transaction.execute(
            """
            DELETE FROM reports WHERE id IN (
                SELECT id FROM reports WHERE created_at < \(time.moment) ORDER BY created_at LIMIT \(limit))
            """)
    }
}
