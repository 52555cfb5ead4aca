import Model
import Storage
import TestSupport
import Testing

@testable import Accounts

@Suite("Profiles", .timeLimit(.minutes(5)))
struct ProfileTests {
    @Test("A name belongs to one user in whatever spelling, and people change their profiles with or without it")
    func names() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            for name in ["Ada", "bob", "Änne"] {
                _ = try await accounts.addUser(name: name)
                let user = try await accounts.user(named: name)
                var change = ProfileChange()
                change.bio = .text("I am \(name).")
                #expect(try await accounts.changeProfile(userID: user.id, change)?.bio == "I am \(name).")
                #expect(try await accounts.user(named: name) == user)
                #expect(try await accounts.user(named: name.uppercased()) == user)
            }
            let bob = try await accounts.user(named: "bob").id
            var change = ProfileChange()
            for name in ["ADA", "änne"] {
                change.username = name
                await #expect(throws: ProfileError(field: .username, reason: .usernameTaken)) {
                    _ = try await accounts.changeProfile(userID: bob, change)
                }
            }
            for name in ["ada\u{202C}", "a\u{200B}da", "ada  b"] {
                change.username = name
                await #expect(throws: ProfileError(field: .username, reason: .noUsername)) {
                    try await accounts.changeProfile(userID: bob, change)
                }
            }
            change.username = "Lovelace"
            #expect(try await accounts.changeProfile(userID: bob, change)?.username == "Lovelace")
            #expect(try await accounts.user(named: "lovelace").id == bob)
            await #expect(throws: AccountError.nameTaken("LOVELACE")) { try await accounts.addUser(name: "LOVELACE") }
        }
    }

    @Test("A refusal is whole sentences, which pages show as they are")
    func sentences() {
        let reasons: [ProfileError.Reason] = [
            .noUsername, .usernameTaken, .tooLong, .controlCharacter, .noPictureURL, .noTimeZone,
        ]
        for reason in reasons {
            let text = ProfileError(field: .bio, reason: reason).description
            #expect(text.first?.isUppercase == true && text.hasSuffix("."), "\(text)")
            #expect(!text.contains("user name"), "\(text)")
        }
        #expect(AccountError.invalidName("").description.hasPrefix("'' cannot be a user's name. A name has 1 to 100 "))
    }

    @Test("A profile has the time of its last change by anyone, and before that, of its creation")
    func updatedAt() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            _ = try await accounts.addUser(name: "ada")
            let user = try await accounts.user(named: "ada")
            func updatedAt() async throws -> Timestamp? { try await accounts.profile(userID: user.id)?.updatedAt }
            #expect(try await updatedAt() == user.createdAt)
            var change = ProfileChange()
            change.bio = .text("I am Ada.")
            let moments = (1...4).map { user.createdAt.advanced(by: .seconds($0)) }
            let changed = try await accounts.changeProfile(userID: user.id, change, now: moments[0])
            #expect(changed?.updatedAt == moments[0])
            #expect(try await updatedAt() == moments[0])
            for (moment, change) in zip(
                moments.dropFirst(),
                [
                    { try $0.setHomeCity("Praha", userID: user.id, now: $1) },
                    { try $0.setEmail("ada@example.org", userID: user.id, now: $1) },
                    { try $0.setAdmin(true, userID: user.id, now: $1) },
                ] as [@Sendable (AccountStore<WriteTransaction>, Timestamp) throws -> Void])
            {
                try await database.write { try change($0.accounts, moment) }
                #expect(try await updatedAt() == moment)
            }
        }
    }
}
