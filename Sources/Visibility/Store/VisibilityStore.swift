import DomainEvents
import Model
import Storage

/// The SQL of who may see what. Read or written in a transaction: `transaction.visibility`.
package struct VisibilityStore<Access: SQLReader> {
    let transaction: Access
}

extension SQLReader {
    package var visibility: VisibilityStore<Self> { VisibilityStore(transaction: self) }
}

extension VisibilityStore {
    /// A person in any state.
    package func person(userID: String) throws -> Person? {
        try transaction.row("SELECT \(Person.columns) FROM people WHERE people.user_id = \(userID)")
            .map(Person.init)
    }

    /// The key of a person in any state.
    package func key(ofUser userID: String) throws -> PersonKey? {
        try transaction.row("SELECT key FROM people WHERE user_id = \(userID)")?["key"]
    }

    /// The ids of the people with these keys, by key. Unknown keys are left out.
    package func userIDs(of keys: some Sequence<PersonKey>) throws -> [PersonKey: String] {
        try transaction.rows("SELECT key, user_id FROM people WHERE key IN (\(list: Set(keys)))")
            .reduce(into: [:]) { ids, row in ids[try row["key"]] = try row["user_id"] as String }
    }

    /// The keys of people in any state, by their ids. Unknown ids are left out.
    package func keys(ofUsers userIDs: some Sequence<String>) throws -> [String: PersonKey] {
        try transaction.rows("SELECT user_id, key FROM people WHERE user_id IN (\(list: Set(userIDs)))")
            .reduce(into: [:]) { keys, row in keys[try row["user_id"]] = try row["key"] as PersonKey }
    }

    /// A person who sees or acts; `nil` for somebody who is suspended, gone or unknown.
    package func viewer(userID: String) throws -> Viewer? {
        try transaction.row("SELECT key FROM people WHERE user_id = \(userID) AND state = 0")
            .map { Viewer(key: try $0["key"], userID: userID) }
    }

    /// Those of the people who see and act, by their ids.
    package func viewers(userIDs: Set<String>) throws -> [String: Viewer] {
        try userIDs.listParts.reduce(into: [:]) { viewers, part in
            for row in try transaction.rows(
                "SELECT key, user_id FROM people WHERE user_id IN (\(list: part)) AND state = 0")
            {
                let viewer = Viewer(key: try row["key"], userID: try row["user_id"])
                viewers[viewer.userID] = viewer
            }
        }
    }

    /// How a viewer stands to a person, in one statement.
    ///
    /// - Parameter userID: the person's id. Pass `nil` for a name that nobody has: the same statement runs, so that the
    ///   time of the answer does not show whether somebody hides.
    /// - Returns: `nil` when there is no such person. Its facets say whether the viewer may know that there is.
    package func relation(of viewer: Viewer, to userID: String?) throws -> Relation? {
        try transaction.row(
            "SELECT \(Relation.columns(for: viewer)) FROM people WHERE people.user_id = \(userID ?? "")"
        ).map(Relation.init)
    }

    /// How a viewer stands to people, in one statement for 500 of them.
    package func relations(of viewer: Viewer, to userIDs: Set<String>) throws -> [Relation] {
        try userIDs.listParts.flatMap { part in
            try transaction.map(
                "SELECT \(Relation.columns(for: viewer)) FROM people WHERE people.user_id IN (\(list: part))",
                Relation.init)
        }
    }

    /// Whether a viewer may see a facet of a person.
    ///
    /// - Parameters:
    ///   - subjectID: the person's id.
    ///   - viewerID: the viewer's id. Somebody who is suspended or gone sees nothing.
    package func canSee(_ facet: Facet, of subjectID: String, as viewerID: String) throws -> Bool {
        guard let viewer = try viewer(userID: viewerID) else { return false }
        return try transaction.row(
            "SELECT 1 FROM people WHERE people.user_id = \(subjectID) AND \(facet.condition(for: viewer))") != nil
    }

    /// The people among `userIDs` of whom a viewer may see a facet, in one statement for 500 of them.
    package func visible(
        _ facet: Facet, among userIDs: some Sequence<String>, as viewer: Viewer
    ) throws -> Set<String> {
        Set(
            try Set(userIDs).listParts.flatMap { part in
                try transaction.map(
                    """
                    SELECT people.user_id FROM people
                    WHERE people.user_id IN (\(list: part)) AND \(facet.condition(for: viewer))
                    """
                ) { try $0["user_id"] as String }
            })
    }

    /// Whether at least `count` people are active.
    package func hasPeople(atLeast count: Int) throws -> Bool {
        let found: Int =
            try transaction.row(
                """
                SELECT COUNT(*) AS count FROM (SELECT 1 FROM people WHERE state = 0 LIMIT \(count)) AS counted
                """)?["count"] ?? 0
        return found >= count
    }
}

extension VisibilityStore where Access == WriteTransaction {
    /// Adds a new person.
    ///
    /// - Returns: the person's key.
    @discardableResult
    package func add(
        userID: String, visibility: ProfileVisibility = .public, showsStats: Bool = true
    ) throws -> PersonKey {
        let last: Int64 = try transaction.row("SELECT value FROM person_keys")?["value"] ?? 0
        let key = PersonKey(rawValue: last + 1)
        try transaction.run("UPDATE person_keys SET value = \(key)")
        try transaction.run(
            """
            INSERT INTO people (key, user_id, state, visibility, shows_stats)
            VALUES (\(key), \(userID), \(Person.State.active), \(visibility.number), \(showsStats))
            """)
        return key
    }

    package func setVisibility(_ visibility: ProfileVisibility, userID: String) throws {
        guard let person = try person(userID: userID), person.visibility != visibility else { return }
        try transaction.run("UPDATE people SET visibility = \(visibility.number) WHERE key = \(person.key)")
        try recordVisibility(of: person)
        if visibility.number > person.visibility.number { try transaction.publish(ProfileOpened(userID: userID)) }
        if visibility == .private { try transaction.publish(ProfileClosed(userID: userID)) }
    }

    package func setShowsStats(_ showsStats: Bool, userID: String) throws {
        try transaction.run("UPDATE people SET shows_stats = \(showsStats) WHERE user_id = \(userID)")
    }

    /// Makes an active person invisible. The caller signs them out.
    ///
    /// - Returns: whether the person was active.
    @discardableResult
    package func suspend(userID: String) throws -> Bool { try move(userID, from: .active, to: .suspended) }

    /// Ends a suspension.
    ///
    /// - Returns: whether the person was suspended.
    @discardableResult
    package func reinstate(userID: String) throws -> Bool {
        guard try move(userID, from: .suspended, to: .active) else { return false }
        try transaction.publish(ProfileOpened(userID: userID))
        return true
    }

    private func move(_ userID: String, from: Person.State, to: Person.State) throws -> Bool {
        guard let person = try person(userID: userID), person.state == from else { return false }
        try transaction.run("UPDATE people SET state = \(to) WHERE key = \(person.key)")
        try recordVisibility(of: person)
        return true
    }

    /// Makes a person whose erasure begins invisible, for good. Their rows are deleted by the steps of the erasure.
    package func close(userID: String) throws {
        guard let person = try person(userID: userID), person.state != .gone else { return }
        try transaction.run("UPDATE people SET state = \(Person.State.gone) WHERE key = \(person.key)")
        try recordVisibility(of: person)
        try transaction.publish(ProfileClosed(userID: userID))
    }
}
