import Model
import Storage
import TestSupport
import Testing
import Visibility

@testable import Accounts

@Suite("Finding people by their names", .timeLimit(.minutes(5)))
struct PeopleSearchTests {
    private struct Town {
        let database: Database
        let accounts: Accounts
        let reader: String

        func add(_ name: String, _ displayName: String? = nil, _ visibility: ProfileVisibility = .public) async throws {
            _ = try await accounts.addUser(name: name)
            try await change(name) { change in
                (change.displayName, change.visibility) = (displayName.map { .text($0) }, visibility)
            }
        }

        func change(_ name: String, _ edit: (inout ProfileChange) -> Void) async throws {
            var change = ProfileChange()
            edit(&change)
            _ = try await accounts.changeProfile(userID: try await accounts.user(named: name).id, change)
        }

        /// Reads all pages of so many people.
        func find(_ text: String, by reader: String? = nil, limit: Int = 100) async throws -> [String] {
            let reader = reader ?? self.reader
            return try await database.read { transaction in
                let viewer = try #require(try transaction.visibility.viewer(userID: reader))
                var (names, cursor): ([String], Cursor<String, String>?) = ([], nil)
                while true {
                    let page = try transaction.accounts.people(
                        matching: text, for: viewer, after: cursor, limit: limit)
                    names += page.people.map(\.person.username)
                    #expect(page.people.count <= limit)
                    guard let next = page.nextCursor else { return names }
                    cursor = PeopleSearch.found.cursor(next)
                    guard cursor != nil else { return ["the cursor cannot be read"] }
                }
            }
        }

        func all(limit: Int = 100) async throws -> [String]? {
            try await database.read { transaction in
                let viewer = try #require(try transaction.visibility.viewer(userID: reader))
                var (names, cursor): ([String], Cursor<String>?) = ([], nil)
                while true {
                    guard let page = try transaction.accounts.people(for: viewer, after: cursor, limit: limit) else {
                        return nil
                    }
                    names += page.people.map(\.person.username)
                    guard let next = page.nextCursor else { return names }
                    cursor = PeopleSearch.all.cursor(next)
                    guard cursor != nil else { return ["the cursor cannot be read"] }
                }
            }
        }
    }

    private func withTown(_ body: (Town) async throws -> Void) async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            _ = try await accounts.addUser(name: "reader")
            try await body(
                Town(database: database, accounts: accounts, reader: try await accounts.user(named: "reader").id))
        }
    }

    @Test("Every word of the question begins a word of the username or the display name, whatever case and accents")
    func words() async throws {
        try await withTown { town in
            try await town.add("ada_lovelace", "Countess of Lovelace")
            try await town.add("zofie", "Žofie Nováková")
            try await town.add("yamada", "山田 太郎")
            try await town.add("adam.smith", "Adam Adams")
            for (question, expected) in [
                ("ada", ["ada_lovelace", "adam.smith"]), ("ADÁ", ["ada_lovelace", "adam.smith"]),
                ("love", ["ada_lovelace"]), ("lov ada", ["ada_lovelace"]), ("novak", ["zofie"]), ("ŽOF nov", ["zofie"]),
                ("山", ["yamada"]), ("田", []), ("dam", []), ("smith adams", ["adam.smith"]), ("zofie ada", []),
                ("ada_l", ["ada_lovelace"]), ("", []), ("_ . !", []), ("%", []), ("read", []),
                ("a\u{10FFFF}", ["ada_lovelace", "adam.smith"]),
            ] {
                #expect(try await town.find(question) == expected, "\(question)")
            }
            // A new name counts at once, and the old one no more.
            try await town.change("zofie") { $0.displayName = .text("Sophie") }
            #expect(try await town.find("novak").isEmpty)
            #expect(try await town.find("soph") == ["zofie"])
            try await town.change("yamada") { $0.username = "taro" }
            #expect(try await town.find("yamada").isEmpty)
            #expect(try await town.find("taro") == ["taro"])
        }
    }

    @Test("Private, suspended and erased people never appear, nor those in a block in either direction")
    func hidden() async throws {
        try await withTown { town in
            for kind in ["open", "private", "followers", "blocked", "blocker", "gone", "away"] {
                try await town.add("pal_" + kind)
            }
            try await town.change("pal_private") { $0.visibility = .private }
            try await town.change("pal_followers") { $0.visibility = .followers }
            try await town.database.write { transaction in
                func key(_ name: String) throws -> PersonKey {
                    let user = try #require(try transaction.accounts.user(named: name))
                    return try #require(try transaction.visibility.key(ofUser: user.id))
                }
                _ = try transaction.visibility.block(try key("pal_blocked"), by: try key("reader"), now: .now())
                _ = try transaction.visibility.block(try key("reader"), by: try key("pal_blocker"), now: .now())
            }
            try await town.accounts.suspend(user: "pal_away")
            try await town.accounts.beginErasure(userID: try await town.accounts.user(named: "pal_gone").id)
            let visible = ["pal_followers", "pal_open"]
            #expect(try await town.find("pal") == visible)
            #expect(try await town.all() == visible)
            try await town.accounts.reinstate(user: "pal_away")
            #expect(try await town.find("pal away") == ["pal_away"])
        }
    }

    @Test("Pages of any size hold everybody once, also those whom several of their words find")
    func pages() async throws {
        try await withTown { town in
            var names: Set<String> = []
            for number in 0..<23 {
                let name = "kim_k\(number % 3)_kin\(number)"
                try await town.add(name, "Kim K. Kimball \(number)")
                names.insert(name)
            }
            for limit in [1, 2, 7, 23, 50] {
                let found = try await town.find("k", limit: limit)
                #expect(found.count == 23 && Set(found) == names, "\(limit)")
                let listed = try #require(try await town.all(limit: limit))
                #expect(listed.count == 23 && listed == listed.sorted(), "\(limit)")
            }
        }
    }

    @Test("A page reads a bounded number of words, and the next one goes on after people who hide")
    func bounded() async throws {
        try await withTown { town in
            try await town.database.write { transaction in
                for number in 0..<1_500 {
                    let user = UserRecord(
                        id: UUIDv7.next(), name: "kim_\(1_000 + number)", isAdmin: false, createdAt: .now())
                    try transaction.accounts.insertUser(user)
                    if number < 1_400 { try transaction.visibility.setVisibility(.private, userID: user.id) }
                }
            }
            let first = try await town.database.read { reader in
                let viewer = try #require(try reader.visibility.viewer(userID: town.reader))
                return try reader.accounts.people(matching: "kim", for: viewer, limit: 50)
            }
            #expect(first.people.isEmpty && first.nextCursor != nil)
            #expect(try await town.find("kim", limit: 50) == (1_400..<1_500).map { "kim_\(1_000 + $0)" })
        }
    }

    @Test("Everybody is listed up to 100 people, and beyond that nobody")
    func tooMany() async throws {
        try await withTown { town in
            for number in 0..<PeopleSearch.mostListed { try await town.add("person_\(number)") }
            #expect(try await town.all()?.count == 100)
            try await town.add("hidden", nil, .private)
            #expect(try await town.all()?.count == 100)
            try await town.add("one_more")
            #expect(try await town.all() == nil)
            #expect(try await town.find("one") == ["one_more"])
        }
    }
}
