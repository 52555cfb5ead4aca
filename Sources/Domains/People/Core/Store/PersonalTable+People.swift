import Storage
import Visibility

extension [PersonalTable] {
    /// The tables of what people do toward others. The export has the names of the others that the lists of the person
    /// show.
    package static let people: Self = [
        PersonalTable(
            "follow_requests", keys: ["requested"], owner: person("requester"),
            erasure: .steps([.requested, .requesters]),
            export: .rows(
                member: "followRequests",
                [
                    .init(
                        "requested", "username",
                        as: """
                            (SELECT users.name FROM users JOIN people AS others ON others.user_id = users.id
                            WHERE others.key = follow_requests.requested AND others.state = 0 AND others.visibility > 0)
                            """),
                    .init("requested_at", "since", .time),
                ])),
        PersonalTable(
            "follow_requests", keys: ["change"], owner: person("requested"), erasure: .with("follow_requests"),
            export: .rows(
                member: "receivedFollowRequests",
                [
                    .init(
                        "requester", "username",
                        as: """
                            (SELECT users.name FROM users JOIN people AS others ON others.user_id = users.id
                            WHERE others.key = follow_requests.requester AND others.state = 0)
                            """),
                    .init("requested_at", "since", .time),
                ])),
        PersonalTable(
            "follow_beginnings", keys: ["followed"], owner: person("follower"),
            erasure: .steps([.begunWith, .begunBy]),
            export: .nothing(because: "what Backline needs to report a follow only once")),
        PersonalTable(
            "person_artists", keys: ["rank"], owner: person("person"), erasure: .with("people"),
            export: .nothing(because: "made from the listens, which are exported")),
        PersonalTable(
            "person_artist_versions", keys: ["person"], owner: person("person"), erasure: .with("people"),
            export: .nothing(because: "from which listens the artists were made")),
        PersonalTable(
            "reports", keys: ["id"], owner: person("reporter"), erasure: .steps([.reports]),
            export: .rows(
                member: "reports",
                [
                    .init("id", "id"),
                    .init(
                        "subject", "username",
                        as: """
                            (SELECT users.name FROM users JOIN people AS others ON others.user_id = users.id
                            WHERE others.key = reports.subject AND others.state = 0 AND others.visibility > 0
                                AND NOT EXISTS (
                                    SELECT 1 FROM blocks
                                    WHERE blocks.blocker = reports.subject AND blocks.blocked = reports.reporter))
                            """),
                    .init("created_at", "createdAt", .time),
                ]), omits: [.secrets("sealed"), .internals("key_id", "decision", "decided_at")]),
    ]

    private static func person(_ column: StaticString) -> PersonalTable.Owner {
        .row(column: column, of: "people", key: "key")
    }
}

extension ErasureStep {
    /// Whom the person asks to follow.
    fileprivate static let requested = ofPairs {
        "SELECT requested AS other FROM follow_requests WHERE requester = \($0) LIMIT \($1)"
    } delete: { transaction, person, other in
        try transaction.people.deleteRequest(of: other, by: person)
    }

    /// Who asks to follow the person.
    fileprivate static let requesters = ofPairs {
        "SELECT requester AS other FROM follow_requests WHERE requested = \($0) LIMIT \($1)"
    } delete: { transaction, person, other in
        try transaction.people.deleteRequest(of: person, by: other)
    }

    fileprivate static let begunWith = ofPairs {
        "SELECT followed AS other FROM follow_beginnings WHERE follower = \($0) LIMIT \($1)"
    } delete: { transaction, person, other in
        try transaction.run("DELETE FROM follow_beginnings WHERE follower = \(person) AND followed = \(other)")
    }

    fileprivate static let begunBy = ofPairs {
        "SELECT follower AS other FROM follow_beginnings WHERE followed = \($0) LIMIT \($1)"
    } delete: { transaction, person, other in
        try transaction.run("DELETE FROM follow_beginnings WHERE follower = \(other) AND followed = \(person)")
    }

    /// Reports by the person lose their reporter and stay. Reports of the person keep a key that belongs to nobody, and
    /// their sealed content until the decision.
    fileprivate static let reports = ErasureStep { reader, userID, limit in
        guard let person = try reader.visibility.key(ofUser: userID) else { return [] }
        return try reader.map("SELECT id FROM reports WHERE reporter = \(person) LIMIT \(limit)") {
            Item(try $0["id"])
        }
    } erase: { transaction, userID, ids in
        guard let person = try transaction.visibility.key(ofUser: userID) else { return }
        for id in ids {
            try transaction.run("UPDATE reports SET reporter = NULL WHERE id = \(id) AND reporter = \(person)")
        }
    }
}
