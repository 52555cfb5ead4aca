import Contracts
import JobStorage
import Model
import Storage
import Timeline

extension ReleaseStore {
    /// How far the artists of a person were read; `nil` before the first time.
    package func refresh(ofUser userID: String) throws -> ReleaseRefresh? {
        try transaction.row(
            """
            SELECT state, asked, done, total, begun_at, ended_at, troubles FROM release_refreshes
            WHERE user_id = \(userID)
            """
        ).map { row in
            ReleaseRefresh(
                state: try row.word("state"), asked: try row["asked"], done: try row["done"], total: try row["total"],
                begunAt: try row["begun_at"], endedAt: try row["ended_at"], troubles: try row.json("troubles") ?? [])
        }
    }

    /// Those of artists, by their keys, whose list was read at no service.
    func unread(_ keys: some Sequence<String>) throws -> [String] {
        let keys = Array(keys)
        let readings = try readings(ofArtists: keys)
        return keys.filter { readings[$0] == nil }
    }
}

extension ReleaseStore where Access == WriteTransaction {
    private static var kind: String { TypedJobKind.releasesRead.kind.name }
    private static var interval: Duration { .seconds(86_400) }

    /// Sets a person's daily schedule, first due at a random moment of the day. An existing one stays as it is.
    package func schedule(userID: String, now: Timestamp) throws {
        try transaction.jobs.setSchedule(kind: Self.kind, userID: userID, every: Self.interval, now: now)
    }

    /// Has the artists of a person read now, once, however many times it is asked for before the job begins.
    package func beginRefresh(ofUser userID: String, now: Timestamp) throws {
        try schedule(userID: userID, now: now)
        try transaction.jobs.hastenSchedule(kind: Self.kind, userID: userID, to: now, now: now)
        try transaction.run(
            """
            INSERT INTO release_refreshes (user_id, state, asked, done, total, begun_at, troubles)
            VALUES (\(userID), \(ReleaseRefresh.State.waiting.rawValue), 1, 0, 0, \(now), '[]')
            ON CONFLICT (user_id) DO UPDATE SET asked = release_refreshes.asked + 1,
                state = CASE WHEN release_refreshes.state = 'running' THEN 'running' ELSE 'waiting' END,
                done = CASE WHEN release_refreshes.state = 'running' THEN release_refreshes.done ELSE 0 END,
                total = CASE WHEN release_refreshes.state = 'running' THEN release_refreshes.total ELSE 0 END,
                begun_at = excluded.begun_at, ended_at = NULL
            """)
        transaction.recordChange(of: [userID], topic: .feedRefresh)
    }

    /// Stores how far a person's job is.
    func storeProgress(_ done: Int, of total: Int, userID: String, now: Timestamp) throws {
        try transaction.run(
            """
            INSERT INTO release_refreshes (user_id, state, asked, done, total, begun_at, troubles)
            VALUES (\(userID), \(ReleaseRefresh.State.running.rawValue), 0, \(done), \(total), \(now), '[]')
            ON CONFLICT (user_id) DO UPDATE SET state = excluded.state, done = excluded.done, total = excluded.total,
                ended_at = NULL
            """)
        transaction.recordChange(of: [userID], topic: .feedRefresh)
    }

    /// Stores the end of a person's job. What the person has asked for since the job last looked begins again.
    ///
    /// - Parameters:
    ///   - asked: ``ReleaseRefresh/asked`` when the job last looked at the person's artists.
    ///   - again: when to try again what could not be read; `nil` for the usual time.
    func endRefresh(
        _ state: ReleaseRefresh.State, done: Int, of total: Int, troubles: [ReleaseTrouble], asked: Int64,
        again: Timestamp?, userID: String, now: Timestamp
    ) throws {
        if let again { try transaction.jobs.hastenSchedule(kind: Self.kind, userID: userID, to: again, now: now) }
        if let present = try refresh(ofUser: userID), present.asked != asked {
            try transaction.jobs.hastenSchedule(kind: Self.kind, userID: userID, to: now, now: now)
            try transaction.run(
                """
                UPDATE release_refreshes SET state = \(ReleaseRefresh.State.waiting.rawValue) WHERE user_id = \(userID)
                """)
            return transaction.recordChange(of: [userID], topic: .feedRefresh)
        }
        try transaction.run(
            """
            INSERT INTO release_refreshes (user_id, state, asked, done, total, begun_at, ended_at, troubles)
            VALUES (\(userID), \(state.rawValue), \(asked), \(done), \(total), \(now), \(now),
                \(try JSONColumn.encode(troubles)))
            ON CONFLICT (user_id) DO UPDATE SET state = excluded.state, done = excluded.done, total = excluded.total,
                ended_at = excluded.ended_at, troubles = excluded.troubles
            """)
        transaction.recordChange(of: [userID], topic: .feedRefresh)
    }

    /// Ends a person's schedule, because they have not opened Backline for long.
    func endSchedule(userID: String) throws {
        try transaction.jobs.removeSchedule(kind: Self.kind, userID: userID)
    }
}
