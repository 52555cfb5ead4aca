import Model
import Storage

/// How a user came by their name; the value of `users.name_state`.
package enum NameState: Int64, Sendable, SQLConvertible {
    /// A name from before the rule of usernames, at which the gateway has not looked yet.
    case old = 0
    case chosen = 1
    /// Made in place of a name that did not follow the rule. The person is asked to choose one.
    case made = 2
}

/// A username that a person gave up.
package struct FormerNameRecord: Sendable, Equatable {
    package let name: String
    /// Until when nobody else gets it.
    package let heldUntil: Timestamp
    /// Whether it leads to the person's profile.
    package let leadsOn: Bool

    init(row: Row) throws {
        name = try row["name"]
        heldUntil = try row["held_until"]
        leadsOn = try row["leads_on"]
    }
}

extension AccountStore {
    /// Whether somebody cannot have a name, because another person has it, or has had it and it is still held.
    ///
    /// Two names from before the rule may have the same key, so that spellings are compared as well.
    ///
    /// - Parameters:
    ///   - userID: who wants it; they may take back what they gave up. `nil` for somebody new.
    ///   - heldNames: recognizes the names of erased people; `nil` recognizes none.
    func isTaken(_ name: String, for userID: String?, heldNames: RecognitionKey?, now: Timestamp) throws -> Bool {
        let key = Username.key(of: name)
        let owners: [String] = try transaction.map(
            """
            SELECT id AS owner FROM users WHERE name_key = \(key)
            UNION ALL
            SELECT id AS owner FROM users WHERE name = \(name)
            UNION ALL
            SELECT user_id AS owner FROM former_names WHERE name_key = \(key) AND held_until > \(now)
            """
        ) { try $0["owner"] }
        if owners.contains(where: { $0 != userID }) { return true }
        guard let hash = heldNames?.hash(of: key) else { return false }
        return try transaction.row(
            "SELECT 1 FROM held_names WHERE hash = \(hash) AND held_until > \(now)") != nil
    }

    /// A person's last name that is held for them.
    package func formerName(ofUser id: String, now: Timestamp) throws -> FormerNameRecord? {
        try transaction.row(
            """
            SELECT name, held_until, leads_on FROM former_names
            WHERE user_id = \(id) AND held_until > \(now) ORDER BY ended_at DESC, name_key LIMIT 1
            """
        ).map(FormerNameRecord.init)
    }

    /// The id of the person to whom a name leads: who has it, or who had it and wants it to lead on.
    package func userID(reachedBy name: String, now: Timestamp) throws -> String? {
        let key = Username.key(of: name)
        // Both parts always run, so that the time of an answer tells nothing.
        return try transaction.row(
            """
            SELECT owner FROM (
                SELECT id AS owner, 0 AS rank FROM users WHERE name_key = \(key)
                UNION ALL
                SELECT user_id AS owner, 1 AS rank FROM former_names
                WHERE name_key = \(key) AND held_until > \(now) AND leads_on = 1
            ) AS reached
            ORDER BY rank LIMIT 1
            """)?["owner"]
    }

    /// Whether a program that sends listens may know a person by a name that is no longer theirs, in whatever case.
    package func knowsListener(_ id: String, by name: String, now: Timestamp) throws -> Bool {
        let key = Username.key(of: name)
        let row = try transaction.row(
            """
            SELECT listening_name, CASE WHEN EXISTS (
                SELECT 1 FROM former_names
                WHERE former_names.user_id = users.id AND former_names.name_key = \(key)
                    AND former_names.held_until > \(now)) THEN 1 ELSE 0 END AS is_held
            FROM users WHERE id = \(id)
            """)
        guard let row else { return false }
        let listeningName: String? = try row["listening_name"]
        return try row["is_held"] || listeningName?.lowercased() == name.lowercased()
    }

    /// Users whose names are from before the rule, oldest first.
    func usersWithOldNames(limit: Int) throws -> [UserRecord] {
        try transaction.rows(
            """
            SELECT \(UserRecord.columns) FROM users WHERE name_state = 0 ORDER BY created_at, id LIMIT \(limit)
            """
        ).map(UserRecord.init)
    }
}

extension AccountStore where Access == WriteTransaction {
    /// Gives a user a name, and holds the former one for them unless both have the same key.
    ///
    /// - Parameters:
    ///   - state: how the user came by the name.
    ///   - changedAt: when the user chose it; `nil` for a name that they did not choose.
    func setName(
        _ name: String, of user: UserRecord, state: NameState, changedAt: Timestamp?, now: Timestamp
    ) throws {
        let (key, formerKey) = (Username.key(of: name), Username.key(of: user.name))
        try transaction.run(
            """
            UPDATE users SET name = \(name), name_key = \(key), name_state = \(state),
                name_changed_at = COALESCE(\(changedAt), name_changed_at), updated_at = \(now)
            WHERE id = \(user.id)
            """)
        try transaction.visibility.recordProfile(ofUser: user.id)
        // A name that is taken back is no longer a former one.
        try transaction.run("DELETE FROM former_names WHERE user_id = \(user.id) AND name_key = \(key)")
        guard key != formerKey else { return }
        try transaction.run(
            """
            INSERT INTO former_names (user_id, name_key, name, ended_at, held_until)
            VALUES (\(user.id), \(formerKey), \(user.name), \(now), \(now.advanced(by: Username.formerHold)))
            ON CONFLICT (user_id, name_key) DO UPDATE SET
                name = excluded.name, ended_at = excluded.ended_at, held_until = excluded.held_until,
                leads_on = excluded.leads_on
            """)
    }

    /// Stores that a user keeps the name that was made for them.
    func confirmName(ofUser id: String) throws {
        try transaction.run("UPDATE users SET name_state = \(NameState.chosen) WHERE id = \(id)")
    }

    /// Stores the name by which programs that send listens know a user.
    func setListeningName(_ name: String, userID: String) throws {
        try transaction.run("UPDATE users SET listening_name = \(name) WHERE id = \(userID)")
    }

    /// Lets a user's last former name lead to their profile, or ends that. Earlier ones lead nowhere.
    ///
    /// - Returns: whether the user has such a name.
    func setFormerNameLeadsOn(_ leadsOn: Bool, userID: String, now: Timestamp) throws -> Bool {
        guard let former = try formerName(ofUser: userID, now: now) else { return false }
        try transaction.run("UPDATE former_names SET leads_on = 0 WHERE user_id = \(userID)")
        if leadsOn {
            let key = Username.key(of: former.name)
            try transaction.run(
                "UPDATE former_names SET leads_on = 1 WHERE user_id = \(userID) AND name_key = \(key)")
        }
        return true
    }

    /// Holds the names of a user whose erasure begins.
    func holdNames(ofUser id: String, with heldNames: RecognitionKey, now: Timestamp) throws {
        let keys: [String] = try transaction.map(
            """
            SELECT name_key FROM users WHERE id = \(id)
            UNION
            SELECT name_key FROM former_names WHERE user_id = \(id) AND held_until > \(now)
            """
        ) { try $0["name_key"] }
        for key in keys {
            try transaction.run(
                """
                INSERT INTO held_names (hash, held_until)
                VALUES (\(heldNames.hash(of: key)), \(now.advanced(by: Username.erasedHold)))
                ON CONFLICT (hash) DO UPDATE SET held_until = excluded.held_until
                """)
        }
    }

    /// Frees a name that was held.
    ///
    /// - Returns: whether it was.
    func releaseName(_ name: String, heldNames: RecognitionKey?) throws -> Bool {
        let key = Username.key(of: name)
        var count = try transaction.execute("DELETE FROM former_names WHERE name_key = \(key)")
        if let hash = heldNames?.hash(of: key) {
            count += try transaction.execute("DELETE FROM held_names WHERE hash = \(hash)")
        }
        return count > 0
    }

    /// Deletes up to `limit` former names that are no longer held; returns their number.
    func pruneFormerNames(at time: PruningTime, limit: Int) throws -> Int {
        try transaction.execute(
            """
            DELETE FROM former_names WHERE (user_id, name_key) IN (
                SELECT user_id, name_key FROM former_names WHERE held_until <= \(time.moment) LIMIT \(limit))
            """)
    }

    /// Deletes up to `limit` names of erased people that are no longer held; returns their number.
    func pruneHeldNames(at time: PruningTime, limit: Int) throws -> Int {
        try transaction.execute(
            """
            DELETE FROM held_names
            WHERE hash IN (SELECT hash FROM held_names WHERE held_until <= \(time.moment) LIMIT \(limit))
            """)
    }
}
