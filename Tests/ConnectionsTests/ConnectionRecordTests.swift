import Contracts
import Model
import Storage
import TestSupport
import Testing
import Vault

@testable import Connections

@Suite("Connections in the database")
struct ConnectionRecordTests {
    private static let now = Timestamp(microseconds: 1_700_000_000_000_000)

    private static var states: [ConnectionState] {
        let until = now.advanced(by: .seconds(600))
        return [.disconnected, .connected, .authorizing(until: until)]
            + ConnectionState.ReconnectReason.allCases.flatMap {
                [.needsReconnect($0), .authorizing(until: until, after: $0)]
            }
            + ConnectionState.Trouble.allCases.flatMap { [.degraded($0, until: nil), .degraded($0, until: until)] }
    }

    @Test("Every state is read as it was stored")
    func roundTrip() async throws {
        try await withPerson { database, userID in
            for state in Self.states {
                var record = ConnectionRecord(userID: userID, provider: .spotify, now: Self.now)
                (record.accountID, record.accountUserID, record.accountName) = ("a1", "ada", "Ada")
                (record.details, record.clientID) = ("{}", "app")
                (record.scopes, record.authorizedAt, record.renewBy) = ("one two", Self.now, Self.now)
                record.tokenExpiresAt = Self.now
                record.refresh = .init(owner: "o", expiresAt: MonotonicInstant(microseconds: 5), boot: "b")
                state.store(in: &record)
                let written = record
                try await database.write { try $0.connections.put(written, now: Self.now) }
                var read = try #require(
                    try await database.read { try $0.connections.record(userID: userID, provider: "spotify") })
                #expect(try ConnectionState(read) == state)
                #expect(read.change > 0)
                read.change = 0
                #expect(read == written)
            }
        }
    }

    @Test(
        "A row with an unknown or incomplete state is refused", arguments: ["elsewhere", "degraded", "authorizing"])
    func unknownState(name: String) {
        let record = ConnectionRecord(userID: "u", provider: "spotify", state: name, updatedAt: Self.now)
        #expect(throws: UnknownConnectionState.self) { try ConnectionState(record) }
    }

    @Test("Losing the grant deletes the secrets but not the account; disconnecting deletes both")
    func deletionOfSecretsAndAccount() async throws {
        try await withPerson { database, userID in
            func connect() async throws {
                try await database.write { transaction in
                    try transaction.vault.putSecret(
                        SealedSecret(keyID: "k", bytes: [1], hint: ""), userID: userID, provider: "spotify",
                        field: "refreshToken", now: Self.now)
                    try transaction.connections.handle(.accepted, userID: userID, provider: .spotify, now: Self.now) {
                        record in
                        (record.accountName, record.tokenExpiresAt) = ("Ada", Self.now)
                        (record.accountUserID, record.clientID) = ("ada", "app")
                    }
                }
            }
            func now() async throws -> (ConnectionRecord, Int) {
                try await database.read { reader in
                    let record = try #require(try reader.connections.record(userID: userID, provider: "spotify"))
                    return (record, try reader.vault.sealedSecrets(userID: userID, provider: "spotify").count)
                }
            }
            try await connect()
            var (record, secrets) = try await now()
            #expect(record.state == "connected" && secrets == 1)
            try await database.write { transaction in
                try transaction.connections.handle(
                    .grantRefused(lostAnswer: false), userID: userID, provider: .spotify, now: Self.now)
            }
            (record, secrets) = try await now()
            #expect(record.state == "needsReconnect" && record.accountName == "Ada" && secrets == 0)
            #expect(record.accountUserID == "ada" && record.clientID == "app")
            try await connect()
            try await database.write { transaction in
                try transaction.connections.handle(.disconnected, userID: userID, provider: .spotify, now: Self.now)
            }
            (record, secrets) = try await now()
            #expect(record.state == "disconnected" && record.accountName == nil && secrets == 0)
            #expect(record.accountUserID == nil && record.clientID == nil)
        }
    }

    @Test("A consent ends after six months by the clock alone: a clock that was ahead leaves no trace")
    func sixMonths() async throws {
        try await withPerson { database, userID in
            try await database.write { transaction in
                try transaction.vault.putSecret(
                    SealedSecret(keyID: "k", bytes: [1], hint: ""), userID: userID, provider: "spotify",
                    field: "refreshToken", now: Self.now)
                try transaction.connections.handle(.accepted, userID: userID, provider: .spotify, now: Self.now) {
                    $0.renewBy = Self.now.advanced(by: .seconds(60))
                }
            }
            let read = try await database.read { try $0.connections.record(userID: userID, provider: "spotify") }
            let record = try #require(read)
            #expect(try record.connectionState(at: Self.now.advanced(by: .seconds(59)), clientID: nil) == .connected)
            let later = Self.now.advanced(by: .seconds(60))
            #expect(try record.connectionState(at: later, clientID: nil) == .needsReconnect(.consentEnded))
            let pause = ConnectionEvent.troubled(.rateLimited, until: later)
            for event in [.answered, .time(later), .authorizationBegan(until: later), .authorizationFailed, pause] {
                let (record, secrets) = try await database.write { transaction in
                    try transaction.connections.handle(event, userID: userID, provider: .spotify, now: later)
                    return (
                        try transaction.connections.record(userID: userID, provider: "spotify"),
                        try transaction.vault.sealedSecrets(userID: userID, provider: "spotify").count
                    )
                }
                let known = try #require(record)
                #expect(try known.connectionState(at: later, clientID: nil) == .needsReconnect(.consentEnded))
                #expect(try known.connectionState(at: Self.now, clientID: nil).isUsable && secrets == 1, "\(event)")
            }
            // A refusal by the provider ends it for good.
            let (refused, secrets) = try await database.write { transaction in
                try transaction.connections.handle(
                    .grantRefused(lostAnswer: false), userID: userID, provider: .spotify, now: later)
                return (
                    try transaction.connections.record(userID: userID, provider: "spotify"),
                    try transaction.vault.sealedSecrets(userID: userID, provider: "spotify").count
                )
            }
            #expect(try refused?.connectionState(at: Self.now, clientID: nil) == .needsReconnect(.revoked))
            #expect(secrets == 0)
        }
    }

    @Test("A consent given just after the former one has ended keeps its own secrets and end")
    func renewedLate() async throws {
        try await withPerson { database, userID in
            func accept(at now: Timestamp, renewBy: Timestamp) async throws {
                try await database.write { transaction in
                    try transaction.vault.putSecret(
                        SealedSecret(keyID: "k", bytes: [1], hint: ""), userID: userID, provider: "spotify",
                        field: "refreshToken", now: now)
                    try transaction.connections.handle(.accepted, userID: userID, provider: .spotify, now: now) {
                        ($0.renewBy, $0.tokenExpiresAt) = (renewBy, now)
                    }
                }
            }
            let end = Self.now.advanced(by: .seconds(60))
            try await accept(at: Self.now, renewBy: end)
            let late = end.advanced(by: .seconds(1))
            let nextEnd = late.advanced(by: .seconds(60))
            try await accept(at: late, renewBy: nextEnd)
            let (found, secrets) = try await database.read { reader in
                (
                    try reader.connections.record(userID: userID, provider: "spotify"),
                    try reader.vault.sealedSecrets(userID: userID, provider: "spotify").count
                )
            }
            let record = try #require(found)
            #expect(record.state == "connected" && secrets == 1)
            #expect(record.renewBy == nextEnd && record.tokenExpiresAt == late)
        }
    }

    @Test("An event that changes nothing writes nothing")
    func unchangedRecord() async throws {
        try await withPerson { database, userID in
            let changes = try await database.write { transaction in
                try [ConnectionEvent.accepted, .answered, .answered].map { event in
                    try transaction.connections.handle(event, userID: userID, provider: .gemini, now: Self.now)
                    return try transaction.connections.record(userID: userID, provider: "gemini")?.change
                }
            }
            #expect(Set(changes).count == 1)
        }
    }
}

/// Runs `body` with a database with one person.
private func withPerson(_ body: (_ database: Database, _ userID: String) async throws -> Void) async throws {
    try await withDatabase { database, _ in
        try await body(database, database.addPerson())
    }
}
