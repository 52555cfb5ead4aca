import Composition
import Domains
import Foundation
import Model
import Storage
import TestSupport
import Testing

@testable import Accounts

@Suite("Links and sessions", .timeLimit(.minutes(5)))
struct SessionTests {
    private let start = Timestamp(microseconds: 1_795_000_000_000_000)

    private func withAda(_ body: (Accounts, APIToken, TemporaryFolder) async throws -> Void) async throws {
        try await withDatabase { database, folder in
            let accounts = Accounts(database: database)
            let token = try await accounts.addUser(name: "ada", isAdmin: true)
            _ = try await accounts.addUser(name: "bob")
            try await body(accounts, token, folder)
        }
    }

    @Test("A link signs its user in once")
    func linkSignsInOnce() async throws {
        try await withAda { accounts, _, _ in
            let code = try await accounts.signInLink(user: "ada")
            #expect(code.secret.reveal().hasPrefix("bll_"))
            let (key, session) = try #require(await accounts.signIn(link: code))
            #expect(key.secret.reveal().hasPrefix("bls_"))
            #expect(session.user.name == "ada" && session.user.isAdmin)
            #expect(try await accounts.session(key)?.user == session.user)
            #expect(try await accounts.signIn(link: code) == nil)
            // The second attempt does not end the session of the first.
            #expect(try await accounts.session(key) != nil)
        }
    }

    @Test("When many use one link at once, only one is signed in")
    func concurrentUsesOfOneLink() async throws {
        try await withAda { accounts, _, folder in
            let code = try await accounts.signInLink(user: "ada")
            // A second process on the same database.
            let other = try Database.open(path: folder.file("test.sqlite"), schema: Schema(of: .all))
            defer { other.close() }
            let doors = [accounts, Accounts(database: other)]
            let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
                for n in 0..<40 { group.addTask { try await doors[n % 2].signIn(link: code) != nil } }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(winners == 1)
        }
    }

    @Test("A link lasts exactly ten minutes, to the microsecond")
    func linkLifetime() async throws {
        try await withAda { accounts, _, _ in
            let end = start.advanced(by: .seconds(600))
            let early = try await accounts.signInLink(user: "ada", now: start)
            let late = try await accounts.signInLink(user: "ada", now: start)
            #expect(try await accounts.signIn(link: early, now: end.advanced(by: .microseconds(-1))) != nil)
            #expect(try await accounts.signIn(link: late, now: end) == nil)
            // The late attempt has deleted the link.
            #expect(try await accounts.signIn(link: late, now: start) == nil)
        }
    }

    @Test("A token starts a session, which ends when the token is revoked")
    func sessionEndsWithItsToken() async throws {
        try await withAda { accounts, token, _ in
            let (key, session) = try #require(await accounts.signIn(token: token))
            #expect(session.user.name == "ada")
            let code = try await accounts.signInLink(user: "ada")
            let (byLink, _) = try #require(await accounts.signIn(link: code))
            let id = try #require(await accounts.tokens(of: "ada").first?.id)
            try await accounts.revokeToken(id: id)
            #expect(try await accounts.session(key) == nil)
            #expect(try await accounts.session(byLink) != nil)
            #expect(try await accounts.signIn(token: token) == nil)
        }
    }

    @Test("A token, a session's key and a link's code cannot stand in for each other")
    func secretsOfOneKindOnly() async throws {
        try await withAda { accounts, token, _ in
            let (key, _) = try #require(await accounts.signIn(token: token))
            let code = try await accounts.signInLink(user: "ada")
            #expect(try await accounts.user(for: APIToken(secret: key.secret)) == nil)
            #expect(try await accounts.user(for: APIToken(secret: code.secret)) == nil)
            #expect(try await accounts.session(SessionToken(secret: token.secret)) == nil)
            #expect(try await accounts.session(SessionToken(secret: code.secret)) == nil)
            #expect(try await accounts.signIn(link: SignInCode(secret: token.secret)) == nil)
        }
    }

    @Test("Signing out ends this session and no other")
    func signOut() async throws {
        try await withAda { accounts, token, _ in
            let (one, _) = try #require(await accounts.signIn(token: token))
            let (two, _) = try #require(await accounts.signIn(token: token))
            try await accounts.signOut(one)
            #expect(try await accounts.session(one) == nil)
            #expect(try await accounts.session(two) != nil)
            try await accounts.signOut(one)
        }
    }

    @Test("A user's 101st session ends the user's least recently used one, and nobody else's")
    func maximumOfSessions() async throws {
        try await withAda { accounts, token, _ in
            let code = try await accounts.signInLink(user: "bob", now: start)
            let (bobs, _) = try #require(await accounts.signIn(link: code, now: start))
            func signIn(_ minute: Int) async throws -> SessionToken {
                try #require(await accounts.signIn(token: token, now: start.advanced(by: .seconds(60 * minute)))).0
            }
            var keys: [SessionToken] = []
            for minute in 0..<Accounts.maximumSessions { keys.append(try await signIn(minute)) }
            let now = start.advanced(by: .seconds(60 * 200))
            func known() async throws -> [Int] {
                var known: [Int] = []
                for (index, key) in keys.enumerated() where try await accounts.session(key, now: now) != nil {
                    known.append(index)
                }
                return known
            }
            #expect(try await known() == Array(0..<100))
            try await accounts.recordUses(tokens: [:], sessions: [keys[0].hash: now])
            keys.append(try await signIn(201))
            #expect(try await known() == [0] + Array(2...100))
            // The result is the same if the clock was ahead while the others were used.
            keys.append(try await signIn(0))
            #expect(try await known() == [0] + Array(3...101))
            #expect(try await accounts.session(bobs, now: now) != nil)
        }
    }

    @Test("A session ends thirty days after its last use, and is pruned then")
    func sessionExpiryAfterLastUse() async throws {
        try await withAda { accounts, token, _ in
            let (used, begun) = try #require(await accounts.signIn(token: token, now: start))
            let (idle, _) = try #require(await accounts.signIn(token: token, now: start))
            #expect(begun.expiresAt == start.advanced(by: .seconds(30 * 86_400)))
            let later = start.advanced(by: .seconds(29 * 86_400))
            try await accounts.recordUses(tokens: [:], sessions: [used.hash: later])
            // An older use that is reported late changes nothing.
            try await accounts.recordUses(tokens: [:], sessions: [used.hash: start])
            let end = later.advanced(by: .seconds(30 * 86_400))
            #expect(try await accounts.session(used, now: later)?.expiresAt == end)
            #expect(try await accounts.session(used, now: end.advanced(by: .microseconds(-1))) != nil)
            #expect(try await accounts.session(used, now: end) == nil)
            #expect(try await accounts.session(idle, now: begun.expiresAt) == nil)

            #expect(try await accounts.prune(at: .unguarded(begun.expiresAt)) == 1)
            #expect(try await accounts.session(used, now: later) != nil)
            #expect(try await accounts.prune(at: .unguarded(end), batch: 1) == 1)
        }
    }

    @Test("A session that is used every day ends ninety days after it started")
    func absoluteEnd() async throws {
        try await withAda { accounts, _, _ in
            let code = try await accounts.signInLink(user: "ada", now: start)
            let (key, begun) = try #require(await accounts.signIn(link: code, now: start))
            let end = start.advanced(by: .seconds(90 * 86_400))
            #expect(begun.endsAt == end && begun.expiresAt == start.advanced(by: .seconds(30 * 86_400)))
            for day in 1..<90 {
                let now = start.advanced(by: .seconds(day * 86_400))
                try await accounts.recordUses(tokens: [:], sessions: [key.hash: now])
                let session = try #require(try await accounts.session(key, now: now))
                #expect(session.expiresAt == min(now.advanced(by: .seconds(30 * 86_400)), end) && session.endsAt == end)
                let listed = try #require(try await accounts.sessions(userID: begun.user.id, now: now).first)
                #expect(listed.lastUsedAt == now.wholeMinute)
            }
            // An older use that is reported late changes nothing.
            try await accounts.recordUses(tokens: [:], sessions: [key.hash: start])
            let last = end.advanced(by: .microseconds(-1))
            let found = try #require(try await accounts.sessions(userID: begun.user.id, now: last).first)
            #expect(found.lastUsedAt > start.advanced(by: .seconds(88 * 86_400)) && found.endsAt == end)
            #expect(try await accounts.session(key, now: last) != nil)
            #expect(try await accounts.session(key, now: end) == nil)
            #expect(try await accounts.prune(at: .unguarded(end)) == 1)
        }
    }

    @Test("A token that was made with another one ends with it at the latest, through any number of steps")
    func madeWithToken() async throws {
        try await withAda { accounts, first, _ in
            let user = try #require(try await accounts.user(for: first))
            let now = Timestamp.now()
            let end = now.advanced(by: .seconds(3_600))
            let (_, brief) = try await accounts.addToken(user: "ada", name: "brief", expiresAt: end)
            func add(
                _ name: String, _ credential: CredentialHash, expiresAt: Timestamp? = nil
            ) async throws -> (record: TokenRecord, token: APIToken) {
                try await accounts.addToken(userID: user.id, name: name, expiresAt: expiresAt, with: credential)
            }
            // Tokens are made with the token, with its session and with a token that was made with it; by themselves
            // they would end never, later and earlier.
            let child = try await add("child", .token(brief.hash))
            #expect(child.record.expiresAt == end && child.record.madeWith == brief.hash)
            let (session, begun) = try #require(await accounts.signIn(token: brief, now: now))
            #expect(begun.endsAt == end && begun.expiresAt == end)
            try await accounts.recordUses(tokens: [:], sessions: [session.hash: now])
            #expect(try await accounts.session(session, now: now)?.expiresAt == end)
            let longer = end.advanced(by: .seconds(9))
            let bySession = try await add("by session", .session(session.hash), expiresAt: longer)
            #expect(bySession.record.expiresAt == end)
            let soon = end.advanced(by: .seconds(-9))
            let grandchild = try await add("grandchild", .token(child.token.hash), expiresAt: soon)
            #expect(grandchild.record.expiresAt == soon && grandchild.record.madeWith == child.token.hash)
            let (last, _) = try #require(await accounts.signIn(token: grandchild.token, now: now))

            let id = try #require(try await accounts.tokens(of: "ada").first { $0.name == "brief" }).id
            #expect(try await accounts.revokeToken(id: id, userID: user.id))
            for token in [brief, child.token, bySession.token, grandchild.token] {
                #expect(try await accounts.user(for: token) == nil)
            }
            for key in [session, last] { #expect(try await accounts.session(key) == nil) }
            #expect(try await accounts.tokens(of: "ada").map(\.name) == ["first"])
            // A revoked credential cannot make a token, although the gateway may cache it for some seconds.
            for credential in [CredentialHash.token(brief.hash), .session(session.hash)] {
                await #expect(throws: AccountError.unknownUser(user.id)) { try await add("late", credential) }
            }
        }
    }

    @Test("A token that is made in a session started by a link outlives the session")
    func madeInSession() async throws {
        try await withAda { accounts, first, _ in
            let user = try #require(try await accounts.user(for: first))
            let code = try await accounts.signInLink(user: "ada")
            let (key, _) = try #require(await accounts.signIn(link: code))
            let made = try await accounts.addToken(
                userID: user.id, name: "phone", expiresAt: nil, with: .session(key.hash))
            #expect(made.record.expiresAt == nil && made.record.madeWith == nil)
            try await accounts.signOut(key)
            let id = try #require(try await accounts.tokens(of: "ada").first).id
            try await accounts.revokeToken(id: id)
            #expect(try await accounts.user(for: made.token)?.id == user.id)
            // Another person's credential cannot make a token for Ada.
            let (_, bobs) = try await accounts.addToken(user: "bob", name: "phone")
            await #expect(throws: AccountError.unknownUser(user.id)) {
                try await accounts.addToken(userID: user.id, name: "x", expiresAt: nil, with: .token(bobs.hash))
            }
        }
    }

    @Test("No file of the database contains a session's key or a link's code")
    func onlyHashesAreStored() async throws {
        try await withAda { accounts, token, folder in
            let code = try await accounts.signInLink(user: "ada")
            let key = try #require(await accounts.signIn(token: token)).0
            for secret in [code.secret, key.secret] {
                let bytes = Data(secret.reveal().dropFirst(4).utf8)
                for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                    let content = try Data(contentsOf: URL(fileURLWithPath: folder.file(file)))
                    #expect(content.range(of: bytes) == nil, "\(file)")
                }
            }
        }
    }
}
