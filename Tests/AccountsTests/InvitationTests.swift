import Foundation
import Model
import Storage
import TestSupport
import Testing

@testable import Accounts

@Suite("Invitations", .timeLimit(.minutes(5)))
struct InvitationTests {
    private func withAccounts(
        _ body: (_ accounts: Accounts, _ database: Database, _ admin: String) async throws -> Void
    ) async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            _ = try await accounts.addUser(name: "boss", isAdmin: true)
            try await body(accounts, database, try await accounts.user(named: "boss").id)
        }
    }

    @Test("An invitation makes one account within seven days, and a refused name does not use it up")
    func once() async throws {
        try await withAccounts { accounts, database, admin in
            let now = Timestamp.now()
            let (record, code) = try await accounts.invite(by: admin, now: now)
            #expect(code.secret.reveal().hasPrefix("bli_"))
            #expect(record.expiresAt == now.advanced(by: .seconds(7 * 86_400)))
            #expect(try await accounts.invitations(userID: admin, now: now) == [record])
            func signUp(_ name: String, at time: Timestamp? = nil) async throws -> Session? {
                try await accounts.signUp(with: code, name: name, policy: .administrators, now: time ?? now)?.1
            }
            let late = record.expiresAt
            #expect(try await signUp("ada", at: late) == nil)
            for (name, error) in [
                ("Ada", AccountError.invalidName("Ada")), ("support", .nameReserved("support")),
                ("bo.ss", .nameTaken("bo.ss")),
            ] {
                await #expect(throws: error) { try await signUp(name) }
            }
            let session = try #require(try await signUp("ada", at: late.advanced(by: .microseconds(-1))))
            #expect(session.user.name == "ada" && !session.user.isAdmin && session.tokenHash == nil)
            let profile = try #require(try await accounts.profile(userID: session.user.id))
            #expect(!profile.mustChooseUsername && profile.showsOnboarding && profile.visibility == .public)
            #expect(try await signUp("eve") == nil)
            #expect(try await accounts.invitations(userID: admin, now: now).isEmpty)
            #expect(try await accounts.users().map(\.name) == ["ada", "boss"])
            // Only the hash was stored.
            let text = code.secret.reveal()
            let bytes = try Data(contentsOf: URL(fileURLWithPath: database.path + "-wal"))
            #expect(bytes.range(of: Data(text.dropFirst(4).utf8)) == nil)
            #expect(bytes.range(of: Data(code.hash.utf8)) != nil)
        }
    }

    @Test("Of many who use one invitation at once, one gets an account")
    func atOnce() async throws {
        try await withAccounts { accounts, database, admin in
            let other = try Database.open(path: database.path, schema: database.schema)
            defer { other.close() }
            let processes = [accounts, Accounts(database: other)]
            let (_, code) = try await accounts.invite(by: admin)
            let sessions = try await withThrowingTaskGroup(of: Session?.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        try await processes[number % 2].signUp(
                            with: code, name: "person_\(number)", policy: .administrators)?.1
                    }
                }
                return try await group.reduce(into: []) { if let session = $1 { $0.append(session) } }
            }
            #expect(sessions.count == 1)
            #expect(try await accounts.users().count == 2)
        }
    }

    @Test("An invitation ends when it is withdrawn, and when its person may no longer invite or leaves")
    func ended() async throws {
        try await withAccounts { accounts, _, admin in
            _ = try await accounts.addUser(name: "ada")
            let ada = try await accounts.user(named: "ada").id
            func works(_ code: InvitationCode, _ policy: InvitationPolicy = .everyone) async throws -> Bool {
                try await accounts.invitation(for: code, policy: policy) != nil
            }
            let (withdrawn, first) = try await accounts.invite(by: ada)
            #expect(try await works(first))
            #expect(try await !works(first, .administrators))
            #expect(try await !accounts.withdrawInvitation(id: withdrawn.id, userID: admin), "it is not theirs")
            #expect(try await accounts.withdrawInvitation(id: withdrawn.id, userID: ada))
            #expect(try await !works(first))
            #expect(try await accounts.signUp(with: first, name: "eve", policy: .everyone) == nil)

            let (_, second) = try await accounts.invite(by: ada)
            try await accounts.suspend(user: "ada")
            try await accounts.reinstate(user: "ada")
            #expect(try await !works(second))
            let (_, third) = try await accounts.invite(by: ada)
            try await accounts.beginErasure(userID: ada)
            #expect(try await !works(third))
            await #expect(throws: AccountError.unknownUser(ada)) { try await accounts.invite(by: ada) }

            let (_, operatorsOwn) = try await accounts.invite(by: nil)
            #expect(try await works(operatorsOwn, .administrators))
            let (_, old) = try await accounts.invite(by: nil, now: Timestamp.now().advanced(by: .seconds(-8 * 86_400)))
            #expect(try await !works(old))
        }
    }

    @Test("A person has at most so many open invitations, and expired ones do not count")
    func limit() async throws {
        try await withAccounts { accounts, database, admin in
            let past = Timestamp.now().advanced(by: .seconds(-8 * 86_400))
            for _ in 0..<Accounts.maximumInvitations { _ = try await accounts.invite(by: admin, now: past) }
            for _ in 0..<Accounts.maximumInvitations { _ = try await accounts.invite(by: admin) }
            await #expect(throws: AccountError.tooManyInvitations) { try await accounts.invite(by: admin) }
            try await accounts.prune(at: .unguarded(.now()))
            let left = try await database.read { try $0.rows("SELECT 1 FROM invitations").count }
            #expect(left == Accounts.maximumInvitations)
        }
    }
}
