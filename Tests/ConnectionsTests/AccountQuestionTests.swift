import Contracts
import Model
import Storage
import TestSupport
import Testing
import Vault

@testable import Connections

@Suite("The question about a different Spotify account", .timeLimit(.minutes(5)))
struct AccountQuestionTests {
    @Test("Another account causes a question, and the connection and its tokens stay until the answer")
    func anotherAccountCausesAQuestion() async throws {
        try await ExchangeFixture.run { fixture in
            try await fixture.connect("dana")
            let before = try await fixture.record
            let outcome = try await fixture.exchange(account: "erik").run(
                attemptID: fixture.begin(), userID: fixture.userID)
            #expect(outcome.verdict.code == "otherAccount" && !outcome.verdict.isConnected)
            let detail = try #require(outcome.verdict.detail)
            #expect(detail.contains("Dana") && detail.contains("Erik"))
            let result = try await fixture.write { transaction, _ in try outcome.write(transaction) }
            #expect(result == .nothing)
            let record = try await fixture.record
            #expect(record.state == "connected" && record.accountID == "account-dana")
            #expect(record.authorizedAt == before.authorizedAt && record.change > before.change)
            #expect(try await fixture.refreshToken == "refresh dana")
            let question = try #require(try await fixture.question())
            #expect(question.account.displayName == "Erik")
            // The question expires.
            let late = question.expiresAt
            #expect(try await fixture.question(at: late.advanced(by: .microseconds(-1))) != nil)
            #expect(try await fixture.question(at: late) == nil)
        }
    }

    @Test(
        "The answer connects the other account, with or without keeping the former account's data",
        arguments: [true, false])
    func answerConnectsTheAccount(keepsFormerData: Bool) async throws {
        try await ExchangeFixture.run { fixture in
            try await fixture.connect("dana")
            try await fixture.connect("erik")
            let question = try #require(try await fixture.question())
            try await fixture.answer(question.id, keepsFormerData: keepsFormerData)
            let record = try await fixture.record
            #expect(record.state == "connected" && record.accountID == "account-erik")
            #expect(record.accountUserID == "user-erik" && record.accountName == "Erik")
            #expect(record.clientID == ExchangeFixture.clientID && record.scopes == "user-read-private")
            let renewBy = try #require(record.renewBy)
            #expect(try #require(record.authorizedAt).advanced(by: SpotifyGrant.lifetime) >= renewBy)
            #expect(try await fixture.refreshToken == "refresh erik")
            #expect(try await fixture.question() == nil)
            #expect(try await fixture.formerAccounts == (keepsFormerData ? ["account-dana"] : []))

            // Dana's account is connected again, and is no longer a former account.
            try await fixture.connect("dana")
            let back = try #require(try await fixture.question())
            #expect(try await fixture.record.accountID == "account-erik")
            try await fixture.answer(back.id, keepsFormerData: true)
            #expect(try await fixture.record.accountID == "account-dana")
            #expect(try await fixture.formerAccounts == ["account-erik"])
            // Disconnecting deletes all former accounts.
            try await fixture.write { try SpotifyAuthorizations.disconnect(userID: $1, in: $0) }
            #expect(try await fixture.formerAccounts == [])
        }
    }

    @Test("A question that is withdrawn, replaced, expired, answered or another person's does not connect anything")
    func questionsThatAreOver() async throws {
        try await ExchangeFixture.run { fixture in
            try await fixture.connect("dana")
            try await fixture.connect("erik")
            let first = try #require(try await fixture.question())
            try await fixture.connect("finn")
            let second = try #require(try await fixture.question())
            #expect(second.account.displayName == "Finn")
            let exchange = fixture.exchange()
            for (id, userID) in [(first.id, fixture.userID), (second.id, UUIDv7.next()), ("", fixture.userID)] {
                let outcome = try await exchange.replaceAccount(
                    questionID: id, userID: userID, keepsFormerData: true)
                #expect(outcome.verdict.code == "questionExpired")
            }
            // The question is withdrawn between a worker's read and its write.
            let late = try await exchange.replaceAccount(
                questionID: second.id, userID: fixture.userID, keepsFormerData: true)
            try await fixture.write { try AccountQuestion.withdraw(userID: $1, in: $0, now: .now()) }
            _ = try await fixture.write { transaction, _ in try late.write(transaction) }
            #expect(try await fixture.record.accountID == "account-dana")
            // Connecting the same account again also answers the question.
            try await fixture.connect("erik")
            try await fixture.connect("dana")
            #expect(try await fixture.question() == nil)
            #expect(try await fixture.refreshToken == "refresh dana")
            // Disconnecting deletes the tokens that wait for an answer.
            try await fixture.connect("erik")
            try await fixture.write { try SpotifyAuthorizations.disconnect(userID: $1, in: $0) }
            #expect(try await fixture.question() == nil)
            #expect(try await fixture.formerAccounts == [])
        }
    }

    @Test("An answer does not replace an account that was connected after the question was asked")
    func movedOn() async throws {
        try await ExchangeFixture.run { fixture in
            try await fixture.connect("dana")
            try await fixture.connect("erik")
            let question = try #require(try await fixture.question())
            let outcome = try await fixture.exchange().replaceAccount(
                questionID: question.id, userID: fixture.userID, keepsFormerData: false)
            try await fixture.write { transaction, userID in
                try transaction.connections.handle(.accepted, userID: userID, provider: .spotify, now: .now()) {
                    ExchangeFixture.account("gita").write(to: &$0)
                }
                _ = try outcome.write(transaction)
            }
            #expect(try await fixture.record.accountID == "account-gita")
        }
    }

    @Test("If two attempts both see no account, the one that writes second causes the question")
    func concurrentAttempts() async throws {
        try await ExchangeFixture.run { fixture in
            let dana = try await fixture.exchange(account: "dana").run(
                attemptID: fixture.begin(), userID: fixture.userID)
            let erik = try await fixture.exchange(account: "erik").run(
                attemptID: fixture.begin(), userID: fixture.userID)
            for outcome in [dana, erik] {
                _ = try await fixture.write { transaction, _ in try outcome.write(transaction) }
            }
            #expect(try await fixture.record.accountID == "account-dana")
            #expect(try await fixture.question()?.account.displayName == "Erik")
        }
    }

    @Test("If an account is connected, tokens of an unknown account are not stored")
    func unknownAccount() async throws {
        try await ExchangeFixture.run { fixture in
            try await fixture.connect("dana")
            let until = Timestamp.now().advanced(by: .seconds(60))
            let exchange = fixture.exchange(tokens: "unknown") { _ in
                throw ProviderFailure(.spotify, .rateLimited, until: until, message: "later")
            }
            let outcome = try await exchange.run(attemptID: fixture.begin(), userID: fixture.userID)
            #expect(outcome.verdict.code == "accountUnknown" && outcome.verdict.recovery == "retryAt")
            #expect(outcome.verdict.retryAt == until.microseconds / 1_000_000)
            _ = try await fixture.write { transaction, _ in try outcome.write(transaction) }
            let record = try await fixture.record
            #expect(record.state == "connected" && record.accountID == "account-dana")
            #expect(try await fixture.refreshToken == "refresh dana")
            #expect(try await fixture.question() == nil)
        }
    }

    @Test(
        "An account is recognized by either of its ids",
        arguments: [
            // (`account_id` and `id` of the connection), (`account_id` and `id` in the answer), whether they are the
            // same account.
            (("acc1", "ada"), ("acc1", "ada"), true), (("acc1", "ada"), ("acc1", "renamed"), true),
            (("acc1", "ada"), ("acc2", "ada"), false), (("acc1", "ada"), (nil, "ada"), true),
            (("acc1", "ada"), (nil, "bob"), false), (("ada", "ada"), ("acc1", "ada"), true),
            (("ada", "ada"), ("acc2", "bob"), false), (("ada", "ada"), (nil, "ada"), true),
            // Connections from releases that stored only one id.
            (("acc1", nil), ("acc1", "ada"), true), (("ada", nil), ("acc1", "ada"), true),
            (("acc1", nil), ("acc2", "bob"), false), (("acc1", "ada"), ("acc1", nil), true),
        ] as [((String, String?), (String?, String?), Bool)])
    func sameAccount(known: (String, String?), back: (String?, String?), isSame: Bool) {
        var record = ConnectionRecord(userID: "u", provider: .spotify, now: .now())
        let account = SpotifyAccount(accountID: back.0, spotifyUserID: back.1, name: nil)
        #expect(account.isAccount(of: record) == nil && account.isAccount(of: nil) == nil)
        (record.accountID, record.accountUserID) = known
        #expect(account.isAccount(of: record) == isSame)
    }

    @Test("The id under which an account's data is stored stays the same when Spotify omits it")
    func keptID() {
        var record = ConnectionRecord(userID: "u", provider: .spotify, now: .now())
        let answers: [(accountID: String?, userID: String, stored: String)] = [
            (nil, "ada", "ada"), ("acc1", "ada", "acc1"), (nil, "ada", "acc1"), (nil, "bob", "bob"),
        ]
        for answer in answers {
            SpotifyAccount(accountID: answer.accountID, spotifyUserID: answer.userID, name: nil).write(to: &record)
            #expect(record.accountID == answer.stored && record.accountUserID == answer.userID)
        }
    }
}

extension ExchangeFixture {
    func question(at time: Timestamp = .now()) async throws -> AccountQuestion? {
        try await write { try AccountQuestion.open(userID: $1, in: $0, now: time) }
    }

    func answer(_ questionID: String, keepsFormerData: Bool) async throws {
        let outcome = try await exchange().replaceAccount(
            questionID: questionID, userID: userID, keepsFormerData: keepsFormerData)
        #expect(outcome.verdict == .connected)
        _ = try await write { transaction, _ in try outcome.write(transaction) }
    }

    var formerAccounts: [String] {
        get async throws {
            try await write { transaction, userID in
                try transaction.connections.formerAccounts(userID: userID, provider: "spotify").map(\.accountID)
            }
        }
    }

    var refreshToken: String? {
        get async throws {
            let sealed = try await write {
                try $0.vault.sealedSecret(userID: $1, provider: "spotify", field: TokenField.refresh)
            }
            return try sealed.map {
                let name = SecretName(userID: userID, provider: .spotify, field: TokenField.refresh)
                return try vault.open($0, as: name).reveal()
            }
        }
    }
}
