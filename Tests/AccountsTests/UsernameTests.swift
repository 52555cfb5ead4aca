import Foundation
import Model
import Storage
import TestSupport
import Testing
import Visibility

@testable import Accounts

@Suite("Changing usernames, and names that are held", .timeLimit(.minutes(5)))
struct UsernameTests {
    private static let day = Duration.seconds(86_400)

    private func rename(
        _ id: String, to name: String, in accounts: Accounts, leadsOn: Bool? = nil, now: Timestamp
    ) async throws -> ProfileRecord? {
        var change = ProfileChange()
        (change.username, change.formerUsernameLeadsOn) = (name, leadsOn)
        return try await accounts.changeProfile(userID: id, change, now: now)
    }

    @Test("A username changes every 30 days; the old one is nobody's for 90 days, and its person may take it back")
    func changes() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            for name in ["ada", "bob"] { _ = try await accounts.addUser(name: name) }
            let (ada, bob) = (try await accounts.user(named: "ada").id, try await accounts.user(named: "bob").id)
            let now = Timestamp.now()
            @Sendable func at(_ days: Int) -> Timestamp { now.advanced(by: Self.day * days) }
            #expect(try await accounts.profile(userID: ada)?.usernameChangeableAt(now: now) == nil)
            #expect(try await rename(ada, to: "lovelace", in: accounts, now: now)?.username == "lovelace")
            await #expect(throws: ProfileError(field: .username, reason: .changedRecently(until: at(30)))) {
                try await rename(ada, to: "byron", in: accounts, now: at(30).advanced(by: .microseconds(-1)))
            }
            // Sending the present name back is no change.
            #expect(try await rename(ada, to: "lovelace", in: accounts, now: at(1)) != nil)
            await #expect(throws: ProfileError(field: .username, reason: .usernameTaken)) {
                try await rename(bob, to: "a.da", in: accounts, now: at(89))
            }
            await #expect(throws: AccountError.nameTaken("ada")) { try await accounts.addUser(name: "ada") }
            let former = try await database.read { try $0.accounts.formerName(ofUser: ada, now: at(89)) }
            #expect(former?.name == "ada" && former?.heldUntil == at(90) && former?.leadsOn == false)

            #expect(try await rename(ada, to: "ada", in: accounts, now: at(30))?.username == "ada")
            let next = try await database.read { try $0.accounts.formerName(ofUser: ada, now: at(31)) }
            #expect(next?.name == "lovelace", "what was taken back is no longer a former name")
            // Only a change of dots does not free a name.
            #expect(try await rename(ada, to: "a.d.a", in: accounts, now: at(60))?.username == "a.d.a")
            #expect(try await accounts.user(named: "ada").id == ada)
            #expect(try await rename(bob, to: "lovelace", in: accounts, now: at(120))?.username == "lovelace")
            try await accounts.prune(at: .unguarded(at(300)))
            #expect(try await database.read { try $0.rows("SELECT 1 FROM former_names") }.isEmpty)
        }
    }

    @Test("Of many who want names that fold alike at once, one gets it")
    func atOnce() async throws {
        try await withDatabase { database, folder in
            let other = try Database.open(path: folder.file("test.sqlite"), schema: database.schema)
            defer { other.close() }
            let processes = [Accounts(database: database), Accounts(database: other)]
            var ids: [String] = []
            for number in 0..<12 {
                _ = try await processes[0].addUser(name: "person_\(number)")
                ids.append(try await processes[0].user(named: "person_\(number)").id)
            }
            let spellings = ["same", "s.ame", "sam.e", "s.a.m.e"]
            let winners: [String] = await withTaskGroup(of: String?.self) { group in
                for (number, id) in ids.enumerated() {
                    group.addTask {
                        let name = spellings[number % 4]
                        return try? await rename(id, to: name, in: processes[number % 2], now: .now())?.id
                    }
                }
                return await group.reduce(into: []) { if let id = $1 { $0.append(id) } }
            }
            #expect(winners.count == 1)
            let holder = try await processes[0].user(named: "same")
            #expect(winners == [holder.id])
        }
    }

    @Test("A former name leads on only if its person asks for it, never for people in a block, and for 90 days")
    func leadingOn() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            for name in ["ada", "bob", "eve"] { _ = try await accounts.addUser(name: name) }
            let (ada, bob) = (try await accounts.user(named: "ada").id, try await accounts.user(named: "bob").id)
            let eve = try await accounts.user(named: "eve").id
            let now = Timestamp.now()
            func seen(_ name: String, by id: String, at time: Timestamp) async throws -> String? {
                try await database.read { reader in
                    let viewer = try #require(try reader.visibility.viewer(userID: id))
                    return try reader.accounts.profile(named: name, for: viewer, now: time)?.profile.username
                }
            }
            var change = ProfileChange()
            change.formerUsernameLeadsOn = true
            await #expect(throws: ProfileError(field: .formerUsernameLeadsOn, reason: .noFormerUsername)) {
                try await accounts.changeProfile(userID: ada, change)
            }
            _ = try await rename(ada, to: "lovelace", in: accounts, now: now)
            #expect(try await seen("ada", by: bob, at: now) == nil)
            _ = try await accounts.changeProfile(userID: ada, change)
            #expect(try await seen("A.DA", by: bob, at: now) == "lovelace")
            try await database.write { transaction in
                let (blocker, blocked) = (
                    try #require(try transaction.visibility.key(ofUser: ada)),
                    try #require(try transaction.visibility.key(ofUser: eve))
                )
                _ = try transaction.visibility.block(blocked, by: blocker, now: now)
            }
            #expect(try await seen("ada", by: eve, at: now) == nil)
            #expect(try await seen("lovelace", by: eve, at: now) == nil)
            #expect(try await seen("ada", by: bob, at: now.advanced(by: Self.day * 90)) == nil)
            #expect(try await seen("lovelace", by: bob, at: now.advanced(by: Self.day * 90)) == "lovelace")
        }
    }

    @Test("The names of somebody who leaves are held for a year, by a hash whose key is not in the database")
    func held() async throws {
        try await withDatabase { database, folder in
            let accounts = Accounts(database: database)
            _ = try await accounts.addUser(name: "quetzalcoatl")
            let id = try await accounts.user(named: "quetzalcoatl").id
            _ = try await rename(id, to: "xochiquetzal", in: accounts, now: .now())
            try await accounts.beginErasure(userID: id)
            for name in ["quetzalcoatl", "xochi.quetzal"] {
                await #expect(throws: AccountError.nameTaken(name)) { try await accounts.addUser(name: name) }
            }
            let hashes = try await database.read {
                try $0.rows("SELECT hash FROM held_names").map { try $0["hash"] as String }
            }
            #expect(hashes.count == 2 && hashes.allSatisfy { $0.utf8.count == 64 })
            let key = try String(contentsOfFile: folder.file("names.key"), encoding: .utf8)
            let mode = try FileManager.default.attributesOfItem(atPath: folder.file("names.key"))[.posixPermissions]
            #expect(mode as? Int == 0o600)
            // A backup knows neither the names nor the key.
            let backup = folder.file("backup.sqlite")
            try await database.checkpoint(truncates: true)
            try FileManager.default.copyItem(atPath: folder.file("test.sqlite"), toPath: backup)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: backup))
            let secret = key.split(separator: "\n").last.map(String.init) ?? ""
            for text in [secret, "quetzal"] { #expect(bytes.range(of: Data(text.utf8)) == nil, "\(text)") }

            let year = Timestamp.now().advanced(by: Self.day * 366)
            try await accounts.prune(at: .unguarded(year))
            _ = try await accounts.addUser(name: "quetzalcoatl")
        }
    }

    @Test("A damaged key is replaced, one that cannot be read holds nothing, and people can leave all the same")
    func keyFile() async throws {
        try await withDatabase { database, folder in
            let accounts = Accounts(database: database)
            let path = folder.file("names.key")
            try Data("no key".utf8).write(to: URL(fileURLWithPath: path))
            let key = try #require(RecognitionKey.load(besideDatabase: database))
            #expect(RecognitionKey.load(besideDatabase: database)?.hash(of: "ada") == key.hash(of: "ada"))
            let topic = key.hash(of: Secret("ada"), kind: "topic")
            #expect(topic != key.hash(of: "ada") && topic != key.hash(of: Secret("ada"), kind: "token"))
            #expect(topic != RecognitionKey().hash(of: Secret("ada"), kind: "topic"))
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            #expect(RecognitionKey.load(besideDatabase: database) == nil)
            _ = try await accounts.addUser(name: "ada")
            try await accounts.beginErasure(userID: try await accounts.user(named: "ada").id)
            _ = try await accounts.addUser(name: "ada")
        }
    }

    @Test("A name whose addresses lead elsewhere is nobody's, not even by the command line")
    func paths() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            for name in ["suggestions", "sug.gestions"] {
                #expect(Username.isReserved(name))
                await #expect(throws: AccountError.nameReserved(name)) { try await accounts.addUser(name: name) }
            }
            _ = try await accounts.addUser(name: "admin")
        }
    }

    @Test("An administrator releases a held name, but takes no name from anybody")
    func release() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            for name in ["ada", "bob"] { _ = try await accounts.addUser(name: name) }
            #expect(try await !accounts.releaseName("ada"))
            #expect(try await accounts.user(named: "ada").name == "ada")
            await #expect(throws: AccountError.invalidName("Ada L")) { try await accounts.releaseName("Ada L") }
            let (ada, bob) = (try await accounts.user(named: "ada").id, try await accounts.user(named: "bob").id)
            _ = try await rename(ada, to: "lovelace", in: accounts, now: .now())
            #expect(try await accounts.releaseName("ada"))
            #expect(try await rename(bob, to: "ada", in: accounts, now: .now())?.username == "ada")
        }
    }

    @Test(
        "Usernames come closest to names in any script, and never are an e-mail address",
        arguments: [
            ("Dana Novák", "dana_novak"), ("Ægir O’Hara-Smith", "aegir_ohara_smith"), ("Маша", "masa"),
            ("김수현", "gimsuhyeon"), ("देवी", "devi"), ("d.novak+music", "d.novak_music"), ("ada@example.org", nil),
            ("🎧", nil), ("\u{202E}\u{0}", nil), ("", nil), ("A", nil), ("Admin", nil), ("..__", nil),
            (String(repeating: "long ", count: 40), "long_long_long_long_long_long"),
        ] as [(String, String?)])
    func transliterated(name: String, expected: String?) {
        let username = Username.transliterated(name)
        #expect(username == expected)
        #expect(username.map(Username.isValid) ?? true)
    }

    @Test("Every one of very many people with the same name gets a username")
    func crowd() async throws {
        try await withDatabase { database, _ in
            let long = String(repeating: "k", count: 30)
            let names = try await database.write { transaction -> Set<String> in
                var names: Set<String> = []
                for name in ["Kim", long] {
                    for _ in 0..<Username.numbers.upperBound + 10 {
                        let free = try Username.free(from: name, heldNames: nil, now: .now(), in: transaction)
                        names.insert(free)
                        try transaction.accounts.insertUser(
                            UserRecord(id: UUIDv7.next(), name: free, isAdmin: false, createdAt: .now()))
                    }
                }
                return names
            }
            #expect(names.count == 2 * (Username.numbers.upperBound + 10))
            #expect(names.isSuperset(of: ["kim", "kim_50", long]) && names.allSatisfy(Username.isValid))
        }
    }
}
