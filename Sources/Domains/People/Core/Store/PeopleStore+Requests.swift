import DomainEvents
import Model
import Storage
import Visibility

private let requestList = Keyset<Int>("follow requests", by: "follow_requests.change", descending: true)

extension PeopleStore {
    /// Reads the cursor of a page of requests; `nil` for any other text.
    package static func requestCursor(_ text: String) -> Cursor<Int>? { requestList.cursor(text) }

    /// Those who ask to follow a viewer, newest first, also with a private profile.
    package func requests(to viewer: Viewer, after cursor: Cursor<Int>? = nil, limit: Int) throws -> PeoplePage {
        try transaction.peoplePage(
            """
            SELECT \(Standing.columns(for: viewer)), follow_requests.requested_at AS since,
                follow_requests.change AS change,
                CASE WHEN \(Facet.act.condition(for: viewer)) THEN 1 ELSE 0 END AS is_visible
            FROM follow_requests JOIN people ON people.key = follow_requests.requester
            WHERE follow_requests.requested = \(viewer.key)
            """, by: requestList, after: cursor, limit: limit)
    }

    /// The requests between a viewer and some other people, in both directions.
    package func requests(between viewer: Viewer, and people: some Sequence<PersonKey>) throws -> FollowRequests {
        let people = Set(people)
        guard !people.isEmpty else { return FollowRequests(of: viewer, []) }
        let rows = try people.listParts.flatMap { part in
            try transaction.map(
                """
                SELECT requester, requested, requested_at FROM follow_requests
                WHERE requester = \(viewer.key) AND requested IN (\(list: part))
                UNION ALL
                SELECT requester, requested, requested_at FROM follow_requests
                WHERE requested = \(viewer.key) AND requester IN (\(list: part))
                """
            ) { row in
                (
                    requester: try row["requester"] as PersonKey, requested: try row["requested"] as PersonKey,
                    at: try row["requested_at"] as Timestamp
                )
            }
        }
        return FollowRequests(of: viewer, rows)
    }

    /// The requests between each of some viewers and some people, in both directions.
    package func requests(
        between viewers: [Viewer], and people: Set<PersonKey>
    ) throws -> [PersonKey: FollowRequests] {
        guard !people.isEmpty else { return [:] }
        var rows: [PersonKey: [(requester: PersonKey, requested: PersonKey, at: Timestamp)]] = [:]
        for part in viewers.listParts {
            let keys = part.map(\.key)
            try transaction.forEachRow(
                """
                SELECT requester AS viewer, requester, requested, requested_at FROM follow_requests
                WHERE requester IN (\(list: keys)) AND requested IN (\(list: people))
                UNION ALL
                SELECT requested AS viewer, requester, requested, requested_at FROM follow_requests
                WHERE requested IN (\(list: keys)) AND requester IN (\(list: people))
                """
            ) { row in
                rows[try row["viewer"], default: []].append(
                    (requester: try row["requester"], requested: try row["requested"], at: try row["requested_at"]))
                return .continue
            }
        }
        return viewers.reduce(into: [:]) { requests, viewer in
            if let own = rows[viewer.key] { requests[viewer.key] = FollowRequests(of: viewer, own) }
        }
    }

    package func hasRequest(of requested: PersonKey, by requester: PersonKey) throws -> Bool {
        try transaction.row(
            "SELECT 1 FROM follow_requests WHERE requester = \(requester) AND requested = \(requested)") != nil
    }

    func requestCount(by requester: PersonKey, limit: Int) throws -> Int {
        try transaction.row(
            """
            SELECT COUNT(*) AS count
            FROM (SELECT 1 FROM follow_requests WHERE requester = \(requester) LIMIT \(limit)) AS counted
            """)?["count"] ?? 0
    }
}

extension PeopleStore where Access == WriteTransaction {
    /// Lets somebody follow who asked to. It has no further effect when they follow already.
    ///
    /// - Throws: ``PeopleRefusal/unknownPerson`` also for somebody who has not asked; ``PeopleRefusal/selfTarget``.
    package func accept(_ requesterID: String?, by userID: String, now: Timestamp) throws {
        let (viewer, relation) = try pair(userID, requesterID)
        let (own, requester) = (viewer.key, relation.person.key)
        guard relation.canSee(.act) else { throw PeopleRefusal.unknownPerson }
        guard try hasRequest(of: own, by: requester) else {
            if relation.followsViewer { return }
            throw PeopleRefusal.unknownPerson
        }
        try begin(requester, follows: own, now: now)
    }

    /// Deletes the request of somebody, who gets no notice of it and may ask again.
    ///
    /// - Throws: ``PeopleRefusal``.
    package func decline(_ requesterID: String?, by userID: String) throws {
        let (viewer, relation) = try pair(userID, requesterID)
        let isAsked = try hasRequest(of: viewer.key, by: relation.person.key)
        guard relation.canSee(.existence) || relation.canSee(.act) && isAsked else {
            throw PeopleRefusal.unknownPerson
        }
        try deleteRequest(of: viewer.key, by: relation.person.key)
    }

    func insertRequest(of requested: PersonKey, by requester: PersonKey, now: Timestamp) throws {
        try transaction.run(
            """
            INSERT INTO follow_requests (requester, requested, requested_at, change)
            VALUES (\(requester), \(requested), \(now), \(try transaction.nextChange()))
            """)
        try transaction.visibility.recordAct(between: requester, and: requested)
    }

    func deleteRequest(of requested: PersonKey, by requester: PersonKey) throws {
        guard
            try transaction.execute(
                "DELETE FROM follow_requests WHERE requester = \(requester) AND requested = \(requested)") == 1
        else { return }
        try transaction.visibility.recordAct(between: requester, and: requested)
        let userIDs = try transaction.visibility.userIDs(of: [requester, requested])
        guard let requesterID = userIDs[requester], let requestedID = userIDs[requested] else { return }
        try transaction.publish(
            NotificationWithdrawn(recipientID: requestedID, kind: .followRequest, itemID: requesterID))
    }

    /// - Returns: whether the pair has had neither a request nor a follow before.
    func noteRequest(of requested: PersonKey, by requester: PersonKey, now: Timestamp) throws -> Bool {
        try transaction.execute(
            """
            INSERT INTO follow_beginnings (follower, followed, requested_at)
            VALUES (\(requester), \(requested), \(now)) ON CONFLICT (follower, followed) DO NOTHING
            """) == 1
    }
}
