import Connections
import Model
import Storage
import TestSupport
import Testing

@Suite("New credentials")
struct NewCredentialTests {
    @Test("A credential is new if its person entered it after a given moment; one dated in the future is not")
    func credentialsSinceAMoment() async throws {
        let start = Timestamp(microseconds: 1_000_000_000)
        @Sendable func later(_ seconds: Int) -> Timestamp { start.advanced(by: .seconds(seconds)) }
        try await withDatabase { database, _ in
            try await database.write { transaction in
                for name in ["ada", "bob"] { try transaction.insertPerson(id: name, name: name) }
                for (user, provider, moment) in [
                    ("ada", "spotify", later(10)), ("ada", "gemini", later(-1)), ("bob", "spotify", later(86_400)),
                ] {
                    try transaction.run(
                        """
                        INSERT INTO connections (user_id, provider, state, authorized_at, change, updated_at)
                        VALUES (\(user), \(provider), 'connected', \(moment), 1, \(moment))
                        """)
                }
            }
            func isNew(_ user: String, _ provider: String, since: Timestamp, now: Timestamp) async throws -> Bool {
                try await database.read {
                    try $0.connections.isAuthorized(userID: user, provider: provider, since: since, now: now)
                }
            }
            #expect(try await isNew("ada", "spotify", since: start, now: later(10)))
            #expect(try await isNew("ada", "spotify", since: later(10), now: later(60)))
            #expect(try await !isNew("ada", "spotify", since: later(11), now: later(60)))
            #expect(try await !isNew("ada", "gemini", since: start, now: later(60)))
            // The credential has a time in the future, from a clock that was ahead.
            #expect(try await !isNew("bob", "spotify", since: start, now: later(60)))
            #expect(try await !isNew("eve", "spotify", since: start, now: later(60)))
        }
    }
}
