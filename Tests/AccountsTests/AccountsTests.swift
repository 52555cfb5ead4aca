import Accounts
import Foundation
import Model
import Storage
import TestSupport
import Testing

@Suite("Tokens and names of users", .timeLimit(.minutes(5)))
struct AccountsTests {
    @Test("A token is bl_ and 43 characters of base64url, and no two tokens are the same")
    func tokenFormat() {
        let tokens = (0..<2_000).map { _ in APIToken.random().secret.reveal() }
        #expect(Set(tokens).count == tokens.count)
        let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        for token in tokens {
            #expect(token.count == 46 && token.hasPrefix("bl_"))
            #expect(token.dropFirst(3).allSatisfy(alphabet.contains))
        }
        // Every bit is random: each position has every character of the alphabet, except for the last, which has only
        // four bits.
        for place in 3..<45 {
            #expect(Set(tokens.map { Array($0)[place] }) == alphabet, "place \(place)")
        }
    }

    @Test("The hash is SHA-256 of the token's text")
    func hashIsSHA256() {
        let token = APIToken(secret: Secret("bl_abc"))
        #expect(token.hash == "677321d3917f9a707c39cd4fbb5638799781bd798eb9cb02f9fa6b6f418423b4")
        #expect(APIToken.random().hash != APIToken.random().hash)
    }

    @Test("A token authenticates its user, and no other text does")
    func tokenFindsItsUser() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            let ada = try await accounts.addUser(name: "ada")
            let bob = try await accounts.addUser(name: "zofie")
            #expect(try await accounts.user(for: ada)?.name == "ada")
            #expect(try await accounts.user(for: bob)?.name == "zofie")
            let text = ada.secret.reveal()
            for wrong in [
                "", "bl_", String(text.dropLast()), text + "x", text.uppercased(), ada.hash, "ada", "' OR 1=1 --",
                "\(text)\0",
                APIToken.random().secret.reveal(),
            ] {
                #expect(try await accounts.user(for: APIToken(secret: Secret(wrong))) == nil)
            }
        }
    }

    @Test("A token whose scope this version does not know may do nothing, and keeps its scope")
    func unknownScope() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            let ada = try #require(try await accounts.user(for: try await accounts.addUser(name: "ada")))
            let scope = TokenScope(rawValue: "ofALaterVersion")
            let (_, token) = try await accounts.addToken(userID: ada.id, name: "later", expiresAt: nil, scope: scope)
            #expect(try await accounts.user(for: token) == nil)
            let holder = try await database.read { try $0.accounts.holder(tokenHash: token.hash, now: .now()) }
            #expect(holder?.user.id == ada.id && holder?.scope == scope)
        }
    }

    @Test("Only the token's hash is stored: no file of the database contains the token")
    func onlyHashesAreStored() async throws {
        try await withDatabase { database, folder in
            let token = try await Accounts(database: database).addUser(name: "ada")
            let text = token.secret.reveal()
            func holders(of bytes: Data) throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
                    try Data(contentsOf: URL(fileURLWithPath: folder.file($0))).range(of: bytes) != nil
                }
            }
            for truncates in [false, true] {
                // The first round searches the write-ahead log, the second round the database file.
                if truncates { try await database.checkpoint(truncates: true) }
                #expect(try !holders(of: Data(token.hash.utf8)).isEmpty)
                #expect(try holders(of: Data(text.utf8)).isEmpty)
                #expect(try holders(of: Data(text.dropFirst(3).utf8)).isEmpty)
            }
            let bits = text.dropFirst(3).replacing("-", with: "+").replacing("_", with: "/") + "="
            #expect(try holders(of: try #require(Data(base64Encoded: String(bits)))).isEmpty)
        }
    }

    @Test(
        "No two users have the same name, whatever its dots",
        arguments: [("ada", "ada"), ("ada", "a.d.a"), ("a_b.", "a_b"), (String(repeating: "n", count: 30), "nil")])
    func namesAreUnique(name: String, other: String) async throws {
        let other = other == "nil" ? name : other
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            let first = try await accounts.addUser(name: name)
            await #expect(throws: AccountError.nameTaken(other)) { try await accounts.addUser(name: other) }
            // The refused requests did not create another token.
            #expect(try await accounts.user(for: first)?.name == name)
            #expect(try await accounts.user(named: other).name == name)
            #expect(try await database.read { try $0.rows("SELECT hash FROM tokens").count } == 1)
            _ = try await accounts.addUser(name: "another")
        }
    }

    private static let invisible = [
        "", "a\nb", "a\u{0}", "\u{1B}[31mred", "a\u{7F}", "a\u{85}b", "e" + String(repeating: "\u{301}", count: 100),
        " ", "\u{3000}\u{200B}", "\u{FEFF}",
        // Texts that look like another name.
        "nora\u{202C}", "\u{202E}aron", "no\u{200B}ra", "no\u{AD}ra", "nora\u{2060}", "nora\u{FE0F}",
        "nora\u{E0041}",
        "nora ", " nora", "nora\t", "nora\u{A0}", "nora  vale", "nora\u{2003}vale", "nora\u{3164}", "nora\u{2800}",
        "nora\u{34F}", "nora\u{2028}", "nora\u{200D}", "نو\u{200C}را", "nora\u{2069}", "nora\u{E000}",
    ]

    @Test(
        "An invalid username is refused",
        arguments: invisible + [
            "a", String(repeating: "n", count: 31), "Ada", "zoë", "ada lovelace", "ada-lovelace", "ada@example.org",
            "..", "__", "._.", "ada/b", "Маша", "ada+b", "ａｄａ", "a\u{131}da",
        ])
    func invalidNames(name: String) async throws {
        try await withDatabase { database, _ in
            let error = try await #require(throws: AccountError.self) {
                try await Accounts(database: database).addUser(name: name)
            }
            #expect(error == .invalidName(name))
            #expect(
                error.description.unicodeScalars.allSatisfy {
                    $0.properties.generalCategory != .control && $0.properties.generalCategory != .format
                })
            #expect(error.description.utf8.count < 400)
            #expect(try await database.read { try $0.rows("SELECT id FROM users").isEmpty })
        }
    }

    @Test(
        "Small letters, digits, dots and underscores are a valid username; the command line gives reserved words, too",
        arguments: ["ada", "a1", "7of9", "_ada.", "a.b_c", "0_", String(repeating: "z", count: 30), "admin", "root"])
    func validNames(name: String) async throws {
        try await withDatabase { database, _ in
            _ = try await Accounts(database: database).addUser(name: name)
        }
    }

    @Test("A token's name may not have invisible parts", arguments: invisible + [String(repeating: "n", count: 101)])
    func invalidTokenName(name: String) async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            _ = try await accounts.addUser(name: "ada")
            await #expect(throws: AccountError.invalidTokenName(name)) {
                try await accounts.addToken(user: "ada", name: name)
            }
        }
    }

    @Test("A token's name is in any script, and may have emoji")
    func tokenNames() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            _ = try await accounts.addUser(name: "ada")
            for name in [
                "Žofie", "ada lovelace/é", "山田　太郎", "Маша", "علي", "อรุณ", "देवी", "❤️", "👩🏽‍🚀", "O'Neil", "a.b_c-d",
                "김수현", ".",
            ] {
                _ = try await accounts.addToken(user: "ada", name: name)
            }
        }
    }

    @Test("When many ask for one name at once, only one gets it")
    func atOnce() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            let tokens = await withTaskGroup(of: APIToken?.self) { group in
                for _ in 0..<20 { group.addTask { try? await accounts.addUser(name: "ada") } }
                return await group.reduce(into: [APIToken]()) { if let token = $1 { $0.append(token) } }
            }
            #expect(tokens.count == 1)
            let token = try #require(tokens.first)
            #expect(try await accounts.user(for: token)?.name == "ada")
        }
    }
}
