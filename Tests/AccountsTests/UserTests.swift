import Accounts
import Composition
import Bootstrap
import Concerts
import Domains
import JobStorage
import Model
import Storage
import TestSupport
import Testing

@Suite("Users and their tokens", .timeLimit(.minutes(5)))
struct UserTests {
    @Test("Users are listed by name, and administrators are marked")
    func listOfUsers() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            _ = try await accounts.addUser(name: "bob")
            let token = try await accounts.addUser(name: "ada", isAdmin: true)
            #expect(try await accounts.users().map(\.name) == ["ada", "bob"])
            #expect(try await accounts.users().map(\.isAdmin) == [true, false])
            #expect(try await accounts.user(for: token)?.isAdmin == true)
            try await accounts.setAdmin(false, user: "ada")
            try await accounts.setAdmin(true, user: "bob")
            #expect(try await accounts.users().map(\.isAdmin) == [false, true])
            await #expect(throws: AccountError.unknownUser("eve")) { try await accounts.setAdmin(true, user: "eve") }
            await #expect(throws: AccountError.unknownUser("eve")) { try await accounts.user(named: "eve") }
        }
    }

    @Test("A user may have several tokens, which differ by name and are revoked by id")
    func tokensOfAUser() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            let first = try await accounts.addUser(name: "ada")
            _ = try await accounts.addUser(name: "bob")
            let phone = try await accounts.addToken(user: "ada", name: "phone")
            // Another person's token may have the same name.
            _ = try await accounts.addToken(user: "bob", name: "phone")
            let tokens = try await accounts.tokens(of: "ada")
            #expect(tokens.map(\.name) == ["first", "phone"])
            #expect(tokens.last?.id == phone.id && UUIDv7.isWellFormed(phone.id))
            #expect(tokens.allSatisfy { $0.lastUsedAt == nil })
            #expect(try await accounts.user(for: phone.token)?.name == "ada")

            #expect(try await accounts.revokeToken(id: phone.id).name == "phone")
            #expect(try await accounts.user(for: phone.token) == nil)
            #expect(try await accounts.user(for: first)?.name == "ada")
            #expect(try await accounts.tokens(of: "bob").count == 2)
            await #expect(throws: AccountError.unknownToken(phone.id)) {
                try await accounts.revokeToken(id: phone.id)
            }
        }
    }

    @Test("A token's name is valid, and unique among its user's tokens")
    func tokenNames() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            _ = try await accounts.addUser(name: "ada")
            await #expect(throws: AccountError.tokenNameTaken("first")) {
                try await accounts.addToken(user: "ada", name: "first")
            }
            await #expect(throws: AccountError.invalidTokenName(" ")) {
                try await accounts.addToken(user: "ada", name: " ")
            }
            await #expect(throws: AccountError.unknownUser("eve")) {
                try await accounts.addToken(user: "eve", name: "phone")
            }
            #expect(try await accounts.tokens(of: "ada").count == 1)
        }
    }

    @Test("The last use is stored to the minute, and an unknown hash is ignored")
    func lastUse() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            let token = try await accounts.addUser(name: "ada")
            let minute = Timestamp(microseconds: 1_795_000_020_000_000)
            try await accounts.recordUses(
                tokens: [token.hash: minute.advanced(by: .milliseconds(59_999)), "none": minute], sessions: [:])
            #expect(try await accounts.tokens(of: "ada").map(\.lastUsedAt) == [minute])
        }
    }

    @Test("Removing a user deletes all of their rows, and no other user's")
    func removalOfAUser() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            let ada = try await accounts.addUser(name: "ada")
            let bob = try await accounts.addUser(name: "bob")
            let key = try #require(await accounts.signIn(token: ada)).0
            let code = try await accounts.signInLink(user: "ada")
            let users = try await accounts.users()
            try await database.write { transaction in
                for user in users {
                    try transaction.concerts.replaceRankedArtists(
                        [RankedArtist(id: "a-" + user.id, name: "Muse", rank: 1)], userID: user.id)
                    let search = ConcertSearchRecord(
                        id: UUIDv7.next(), userID: user.id, kind: "artists", homeCity: nil, createdAt: .now())
                    try transaction.concerts.insertSearch(search)
                    try transaction.concerts.setSearchTarget(
                        SearchTargetRecord(rank: 1, artistID: "a", name: "Muse", targetKey: "muse"),
                        searchID: search.id)
                    let now = Timestamp.now()
                    for _ in 0..<3 {
                        try transaction.jobs.insert(
                            JobInsertion(
                                id: UUIDv7.next(), userID: user.id, kind: "diagnostics.echo", version: 1,
                                payload: "{}", priority: 0, maximumAttempts: 5, createdAt: now, runAt: now,
                                uniqueKey: nil, fingerprint: nil, claim: nil))
                    }
                }
            }
            #expect(try await accounts.removeUser(named: "ada", tables: PersonalTables(of: .all)) == 3)

            #expect(try await accounts.user(for: ada) == nil)
            #expect(try await accounts.session(key) == nil)
            #expect(try await accounts.signIn(link: code) == nil)
            #expect(try await accounts.user(for: bob)?.name == "bob")
            for table in ["users", "tokens", "ranked_artists", "concert_searches", "concert_search_subjects"] {
                #expect(
                    try await database.read { try $0.rows(SQL(stringLiteral: "SELECT 1 FROM \(table)")).count } == 1,
                    "\(table)")
            }
            let states = try await database.read { reader in
                try reader.rows("SELECT state FROM jobs ORDER BY id").map { try $0["state"] as String }
            }
            #expect(states == Array(repeating: "queued", count: 3), "ada's are gone")
            await #expect(throws: AccountError.unknownUser("ada")) {
                try await accounts.removeUser(named: "ada", tables: PersonalTables(of: .all))
            }
            // Nobody gets the name, until an administrator releases it.
            await #expect(throws: AccountError.nameTaken("ada")) { try await accounts.addUser(name: "ada") }
            #expect(try await accounts.releaseName("a.da"))
            _ = try await accounts.addUser(name: "ada")
        }
    }
}
