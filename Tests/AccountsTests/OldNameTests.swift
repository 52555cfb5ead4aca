import Model
import Storage
import TestSupport
import Testing

@testable import Accounts

@Suite("Names from before the rule", .timeLimit(.minutes(5)))
struct OldNameTests {
    /// A user as version 0.2.0 stored it.
    private func addOld(
        _ name: String, key: String, displayName: String? = nil, at seconds: Int, in database: Database
    ) async throws -> String {
        let id = UUIDv7.next()
        let made = Timestamp(microseconds: Int64(seconds) * 1_000_000)
        try await database.write { transaction in
            try transaction.insertPerson(id: id, name: name)
            try transaction.run(
                """
                UPDATE users SET name_key = \(key), display_name = \(displayName), created_at = \(made) WHERE id = \(id)
                """)
        }
        return id
    }

    @Test("Names that follow the rule stay; others get the closest one, once, and their people are asked to choose")
    func replaced() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            let old: [(name: String, key: String, expected: String?, isMade: Bool)] = [
                ("ada", "ada", "ada", false), ("Žofie", "zofie", "zofie", true),
                ("Dana Novák", "dana novak", "dana_novak", true), ("a.da", "a.da", "a.da_2", true),
                ("ж.y", "ж.y", "z.y_2", true), ("z.y", "z.y", "z.y", false),
                ("eve@example.org", "eve@example.org", nil, true), ("🎧", "🎧", nil, true),
                ("admin", "admin", "admin", false), ("suggestions", "suggestions", nil, true),
            ]
            var ids: [String] = []
            for (number, user) in old.enumerated() {
                ids.append(
                    try await addOld(
                        user.name, key: user.key, displayName: number == 0 ? "A\u{202E}da" : nil, at: number,
                        in: database))
            }
            #expect(try await accounts.replaceOldNames() == old.count { $0.isMade })
            for (id, user) in zip(ids, old) {
                let profile = try #require(try await accounts.profile(userID: id))
                if let expected = user.expected {
                    #expect(profile.username == expected)
                } else {
                    #expect(profile.username.wholeMatch(of: /listener_[a-z]{6}/) != nil, "\(profile.username)")
                }
                #expect(profile.mustChooseUsername == user.isMade, "\(user.name)")
                #expect(profile.usernameChangeableAt(now: .now()) == nil)
                #expect(try await accounts.user(named: profile.username).id == id)
                // Programs that send listens go on with the former name.
                let later = Timestamp.now().advanced(by: .seconds(1 << 30))
                let isKnown = try await database.read {
                    try $0.accounts.knowsListener(id, by: user.name, now: later)
                }
                #expect(isKnown == user.isMade, "\(user.name)")
            }
            #expect(try await accounts.profile(userID: ids[0])?.displayName == "Ada")
            let names = try await accounts.users().map(\.name)
            #expect(try await accounts.replaceOldNames() == 0)
            #expect(try await accounts.users().map(\.name) == names)

            // The person is asked once: any answer counts, also the name that was made.
            var change = ProfileChange()
            change.username = "zofie"
            #expect(try await accounts.changeProfile(userID: ids[1], change)?.mustChooseUsername == false)
            change.username = "dana"
            let dana = try #require(try await accounts.changeProfile(userID: ids[2], change))
            #expect(dana.username == "dana" && !dana.mustChooseUsername)
            #expect(dana.usernameChangeableAt(now: .now()) != nil)
            let isKnown = try await database.read { [id = ids[2]] in
                try $0.accounts.knowsListener(id, by: "Dana Novák", now: .now())
            }
            #expect(isKnown)
        }
    }

    @Test("A person whose name was not looked at yet can send it back unchanged")
    func unchanged() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            let id = try await addOld("Dana Novák", key: "dana novak", at: 1, in: database)
            var change = ProfileChange()
            (change.username, change.bio) = ("Dana Novák", .text("Hello"))
            #expect(try await accounts.changeProfile(userID: id, change)?.bio == "Hello")
            #expect(try await accounts.user(named: "dana NOVAK").id == id)
        }
    }
}
