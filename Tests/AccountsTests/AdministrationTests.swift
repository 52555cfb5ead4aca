import Model
import Storage
import TestSupport
import Testing
import Visibility

@testable import Accounts

@Suite("What administrators do with accounts", .timeLimit(.minutes(5)))
struct AdministrationTests {
    @Test("A suspended person is signed out and invisible, no token works, and everything is kept until it ends")
    func suspension() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            let token = try await accounts.addUser(name: "ada")
            _ = try await accounts.addUser(name: "bob")
            let ada = try await accounts.user(named: "ada")
            let bob = try await accounts.user(named: "bob").id
            let (_, listening) = try await accounts.addToken(
                userID: ada.id, name: "player", expiresAt: nil, scope: .listening)
            let key = try #require(try await accounts.signIn(token: token)).0
            let link = try await accounts.signInLink(user: "ada")
            func owners() async throws -> [Bool] {
                try await accounts.owners(of: [.token(token.hash), .token(listening.hash), .session(key.hash)]).map {
                    try $0.get() != nil
                }
            }
            func isVisible() async throws -> Bool {
                try await database.read { try $0.visibility.canSee(.existence, of: ada.id, as: bob) }
            }
            #expect(try await owners() == [true, true, true])
            let told = Collector<Set<String>>()
            database.onChange(of: .credentials) { told.append($0) }
            #expect(try await accounts.suspend(user: "a.da"))
            #expect(try await !accounts.suspend(user: "ada"))
            // Open streams are notified.
            _ = await told.wait { $0.contains([ada.id]) }
            #expect(try await owners() == [false, false, false])
            #expect(try await accounts.user(for: token) == nil)
            #expect(try await accounts.signIn(token: token) == nil)
            #expect(try await accounts.signIn(link: link) == nil)
            await #expect(throws: AccountError.suspended("ada")) { try await accounts.signInLink(user: "ada") }
            #expect(try await !isVisible())
            #expect(try await accounts.tokens(of: "ada").count == 2)
            #expect(try await accounts.profile(userID: ada.id)?.username == "ada")

            #expect(try await accounts.reinstate(user: "ada"))
            #expect(try await !accounts.reinstate(user: "ada"))
            #expect(try await owners() == [true, true, false], "browsers sign in again")
            #expect(try await isVisible())
            #expect(try await accounts.signIn(link: link) == nil)
        }
    }

    @Test("The list of accounts has everybody, with the last use of any token or session, also of one that has ended")
    func list() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            for number in 0..<5 { _ = try await accounts.addUser(name: "person_\(number)", isAdmin: number == 0) }
            let token = try await accounts.addUser(name: "ada")
            var change = ProfileChange()
            change.visibility = .private
            _ = try await accounts.changeProfile(userID: try await accounts.user(named: "person_1").id, change)
            try await accounts.suspend(user: "person_2")
            func list(limit: Int) async throws -> [AccountRecord] {
                var (found, cursor): ([AccountRecord], Cursor<String>?) = ([], nil)
                while true {
                    let page = try await accounts.accounts(after: cursor, limit: limit)
                    found += page
                    guard page.count == limit, let last = page.last else { return found }
                    cursor = AccountList.order.cursor(AccountList.cursor(after: last))
                }
            }
            let names = ["ada"] + (0..<5).map { "person_\($0)" }
            for limit in [1, 2, 6, 50] { #expect(try await list(limit: limit).map(\.username) == names) }
            let all = try await list(limit: 50)
            #expect(all.map(\.isSuspended) == [false, false, false, true, false, false])
            #expect(all.map(\.isAdmin) == [false, true, false, false, false, false])
            #expect(all.allSatisfy { $0.lastSeenAt == nil })

            func lastSeen() async throws -> Timestamp? { try await list(limit: 1).first?.lastSeenAt }
            let now = Timestamp.now().wholeMinute
            func minute(_ count: Int) -> Timestamp { now.advanced(by: .seconds(60 * count)) }
            let key = try #require(try await accounts.signIn(token: token, now: now)).0
            #expect(try await lastSeen() == now)
            try await accounts.recordUses(tokens: [token.hash: minute(2)], sessions: [key.hash: minute(1)])
            #expect(try await lastSeen() == minute(2))
            try await accounts.recordUses(tokens: [:], sessions: [key.hash: minute(3)])
            try await accounts.signOut(key)
            #expect(try await lastSeen() == minute(3))
        }
    }

    @Test("Who was seen lately is the same for one person, for a page of people and for other statements")
    func seen() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            for name in ["new", "seen", "long_ago", "suspended"] { _ = try await accounts.addUser(name: name) }
            let now = Timestamp.now()
            let month = now.advanced(by: .seconds(-30 * 86_400))
            try await database.write { transaction in
                let before = month.advanced(by: .seconds(-60))
                try transaction.run("UPDATE users SET created_at = \(before) WHERE name <> 'new'")
                try transaction.run("UPDATE users SET last_seen_at = \(before) WHERE name = 'long_ago'")
                try transaction.run("UPDATE users SET last_seen_at = \(month) WHERE name IN ('seen', 'suspended')")
            }
            try await accounts.suspend(user: "suspended")
            var ids: [String: String] = [:]
            for name in ["new", "seen", "long_ago", "suspended"] {
                ids[try await accounts.user(named: name).id] = name
            }
            let (one, pages, selected) = try await database.read { [ids] reader in
                let store = reader.accounts
                var (pages, last): ([String], String?) = ([], "")
                while let after = last {
                    let page = try store.peopleSeen(since: month, after: after, limit: 1)
                    pages += page
                    last = page.last
                }
                let seen = store.peopleSeen(since: month)
                return (
                    try ids.keys.filter { try store.isSeen($0, since: month) },
                    pages,
                    try reader.map("SELECT others.id FROM users AS others WHERE \(seen.of("others.id"))") {
                        try $0["id"] as String
                    }
                )
            }
            #expect(pages == pages.sorted())
            for found in [one, pages, selected] { #expect(Set(found.compactMap { ids[$0] }) == ["new", "seen"]) }
        }
    }

    @Test("The only administrator can neither leave nor give up the rights while others are here")
    func lastAdministrator() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            _ = try await accounts.addUser(name: "boss", isAdmin: true)
            let boss = try await accounts.user(named: "boss").id
            // Whoever is alone may always leave.
            #expect(try await database.read { try !$0.accounts.isLastAdministrator(boss) })
            _ = try await accounts.addUser(name: "ada")
            let ada = try await accounts.user(named: "ada").id
            await #expect(throws: AccountError.lastAdministrator) {
                try await accounts.beginErasure(userID: boss, keepsAdministrator: true)
            }
            await #expect(throws: AccountError.lastAdministrator) {
                try await accounts.setAdministrator(false, user: "boss")
            }
            try await accounts.suspend(user: "ada")
            await #expect(throws: AccountError.suspended("ada")) {
                try await accounts.setAdministrator(true, user: "ada")
            }
            try await accounts.reinstate(user: "ada")
            try await accounts.setAdministrator(true, user: "ada")
            // Somebody who is suspended cannot be the one who is left.
            try await accounts.suspend(user: "ada")
            await #expect(throws: AccountError.lastAdministrator) {
                try await accounts.setAdministrator(false, user: "boss")
            }
            try await accounts.reinstate(user: "ada")
            // Of both who leave at once, one stays.
            let refused = await withTaskGroup(of: Bool.self) { group in
                for id in [boss, ada] {
                    group.addTask {
                        do {
                            try await accounts.beginErasure(userID: id, keepsAdministrator: true)
                            return false
                        } catch {
                            return true
                        }
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            // The second one is alone by then, and may leave as well.
            #expect(refused == 0)
        }
    }

    @Test("Of two administrators who leave at once while others are here, one is refused")
    func leavingAtOnce() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            for name in ["boss", "chief"] { _ = try await accounts.addUser(name: name, isAdmin: true) }
            _ = try await accounts.addUser(name: "ada")
            let ids = [try await accounts.user(named: "boss").id, try await accounts.user(named: "chief").id]
            let refused = await withTaskGroup(of: Bool.self) { group in
                for id in ids {
                    group.addTask {
                        do {
                            try await accounts.beginErasure(userID: id, keepsAdministrator: true)
                            return false
                        } catch {
                            return true
                        }
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(refused == 1)
            #expect(try await accounts.users().count == 2)
        }
    }

    @Test("A sign-in counts as recent for ten minutes, and a token that is typed always, if it is the person's own")
    func recentSignIn() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            let token = try await accounts.addUser(name: "ada")
            let bobs = try await accounts.addUser(name: "bob")
            let ada = try await accounts.user(named: "ada").id
            let now = Timestamp.now()
            let key = try #require(try await accounts.signIn(token: token, now: now)).0
            let (_, listening) = try await accounts.addToken(
                userID: ada, name: "player", expiresAt: nil, scope: .listening)
            func isRecent(
                _ credential: CredentialHash?, _ typed: APIToken? = nil, after seconds: Int = 0
            ) async throws -> Bool {
                try await accounts.hasRecentSignIn(
                    userID: ada, with: credential, typed: typed, now: now.advanced(by: .seconds(seconds)))
            }
            let session = CredentialHash.session(key.hash)
            #expect(try await isRecent(session, after: 599))
            #expect(try await !isRecent(session, after: 600))
            #expect(try await isRecent(session, token, after: 600))
            #expect(try await !isRecent(.token(token.hash)))
            #expect(try await isRecent(.token(token.hash), token))
            for wrong in [bobs, listening, .random(), APIToken(secret: Secret(""))] {
                #expect(try await !isRecent(.token(token.hash), wrong))
            }
            #expect(try await !isRecent(nil))
        }
    }
}
