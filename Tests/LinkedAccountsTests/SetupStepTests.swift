import Contracts
import Model
import Storage
import Testing

@testable import LinkedAccounts
@testable import Vault

@Suite("Steps of the setup")
struct SetupStepTests {
    private static let now = Timestamp(microseconds: 1_700_000_000_000_000)

    /// The Spotify step of a person.
    private func step(
        _ state: ConnectionState, scopes: String? = "user-read-private", awaited: Set<String> = [],
        renewIn days: Int64 = 100, grantedTo client: String? = "app",
        secrets: [SecretHint] = [], vaultReaders: [VaultReader] = []
    ) throws -> SetupStep {
        var record = ConnectionRecord(userID: "ada", provider: .spotify, now: Self.now)
        state.store(in: &record)
        record.scopes = scopes
        record.clientID = client
        record.renewBy = Self.now.advanced(by: .seconds(days * 86_400))
        return try SetupStep(
            .spotify, record: record, clientID: "app", secrets: secrets, awaitedScopes: awaited, city: nil,
            vaultReaders: vaultReaders, now: Self.now)
    }

    private static let (key, other) = (VaultKey.random(), VaultKey.random())

    private static func reader(_ worker: String, _ keys: VaultKey...) -> VaultReader {
        let former = Array(keys.dropFirst())
        return VaultReader(worker: worker, keyring: keys.first.map { VaultKeyring(current: $0, former: former) })
    }

    @Test("Secrets that a worker could not open need no attention once a worker reports their key")
    func keyIsBack() throws {
        let secrets = [SecretHint(provider: "spotify", field: "refreshToken", keyID: Self.key.id, hint: "")]
        func step(_ readers: VaultReader...) throws -> SetupStep {
            try self.step(.degraded(.secretsSealed, until: nil), secrets: secrets, vaultReaders: readers)
        }
        let away = try step(Self.reader("sync-worker-1"))
        #expect(away.state == .needsAttention && away.reason == "vaultUnavailable")
        let lost = try step(Self.reader("sync-worker-1", Self.other))
        #expect(lost.state == .needsAttention && lost.reason == "vaultKeyLost")
        for reader in [Self.reader("sync-worker-1", Self.key), Self.reader("sync-worker-1", Self.other, Self.key)] {
            let back = try step(reader)
            #expect(back.state == .complete && back.reason == nil && back.recovery == nil)
            #expect(back.detail == "Spotify is connected.")
        }
        // Without a worker's report the reason of the last call is shown.
        #expect(try step().reason == "secretsSealed")
    }

    @Test("A connection whose secrets no worker can open needs attention, whatever the last call reported")
    func keyIsAway() throws {
        for keyID in Self.key.ids {
            let secrets = [
                SecretHint(provider: "spotify", field: "accessToken", keyID: keyID, hint: ""),
                SecretHint(provider: "spotify", field: "refreshToken", keyID: keyID, hint: ""),
            ]
            func reason(_ readers: VaultReader...) throws -> String? {
                let step = try self.step(.connected, secrets: secrets, vaultReaders: readers)
                #expect((step.state == .needsAttention) == (step.reason != nil))
                return step.reason
            }
            #expect(try reason() == nil)
            #expect(try reason(Self.reader("a")) == "vaultUnavailable")
            #expect(try reason(Self.reader("a"), Self.reader("b")) == "vaultUnavailable")
            #expect(try reason(Self.reader("a"), Self.reader("b", Self.other)) == "vaultKeyLost")
            #expect(try reason(Self.reader("a"), Self.reader("b", Self.key)) == nil)
            #expect(try reason(Self.reader("a", Self.other), Self.reader("b", Self.other, Self.key)) == nil)
        }
        // A missing key does not matter to a person without secrets.
        #expect(try step(.connected, vaultReaders: [Self.reader("a")]).reason == nil)
    }

    @Test("Only a failure that may need a new connection offers to reconnect")
    func recoveries() throws {
        let offered = ConnectionState.Trouble.allCases.filter { trouble in
            (try? step(.degraded(trouble, until: nil)).recovery) == .reconnect
        }
        #expect(offered == [.accessRefused])
    }

    @Test(
        "A failure has its end if that is known, and is not shown after it",
        arguments: ConnectionState.Trouble.allCases)
    func until(trouble: ConnectionState.Trouble) throws {
        let until = Self.now.advanced(by: .seconds(60))
        let known = try step(.degraded(trouble, until: until))
        #expect(known.until == until && known.state == .complete && known.reason == trouble.rawValue)
        let unknown = try step(.degraded(trouble, until: nil))
        #expect(unknown.until == nil && unknown.reason == trouble.rawValue)
        let over = try step(.degraded(trouble, until: Self.now))
        #expect(over.until == nil && over.reason == nil && over.recovery == nil)
    }

    @Test("A connection with another client id has to be made again; one with an unknown client id need not be")
    func clientChanged() throws {
        let changed = try step(.connected, grantedTo: "former")
        #expect(changed.state == .needsAttention && changed.reason == "clientChanged")
        #expect(changed.recovery == .reconnect && changed.detail.hasSuffix("Connect again."))
        for client in ["app", nil] {
            let step = try step(.connected, grantedTo: client)
            #expect(step.state == .complete && step.reason == nil)
        }
        // A connection that was lost before keeps its own reason.
        #expect(try step(.needsReconnect(.revoked), grantedTo: "former").reason == "revoked")
    }

    @Test("A connection without a scope that every connection needs requests it by name")
    func scope() throws {
        let lacking = try step(.connected, scopes: "user-library-read")
        #expect(lacking.state == .complete && lacking.recovery == .askScope && lacking.reason == "scopeMissing")
        #expect(lacking.missingScopes == ["user-read-private"] && lacking.detail.contains("user-read-private"))
        for whole in ["user-read-private", "user-library-read user-read-private", nil] {
            let step = try step(.connected, scopes: whole)
            #expect(step.missingScopes == [] && step.recovery == nil && step.reason == nil)
        }
        // Any other reason takes precedence.
        let degraded = try step(.degraded(.rateLimited, until: nil), scopes: "")
        #expect(degraded.missingScopes == [] && degraded.reason == "rateLimited")
        let ended = try step(.needsReconnect(.revoked), scopes: "")
        #expect(ended.missingScopes == [] && ended.reason == "revoked" && ended.recovery == .reconnect)
    }

    @Test("A consent is due for renewal two weeks before its end, before any other reason")
    func renewal() throws {
        for (days, isDue) in [(15, false), (14, true), (1, true)] as [(Int64, Bool)] {
            let pause = ConnectionState.degraded(.rateLimited, until: Self.now.advanced(by: .seconds(9)))
            for state in [.connected, pause] {
                let step = try step(state, scopes: "", renewIn: days)
                #expect((step.reason == "renewalDue") == isDue && (step.recovery == .reconnect) == isDue, "\(days)")
                #expect(step.state == .complete)
                if isDue { #expect(step.until == nil && step.missingScopes == []) }
            }
        }
        #expect(try step(.connected, renewIn: 0).reason == "consentEnded")
    }

    @Test("Scopes that jobs wait for are requested, even during a failure that only another call can end")
    func awaited() throws {
        let awaited: Set = ["user-library-read", "playlist-read-private"]
        let until = Self.now.advanced(by: .seconds(60))
        let pause = ConnectionState.degraded(.rateLimited, until: until)
        for state in [.connected, pause, .degraded(.forbidden, until: nil)] {
            let step = try step(state, awaited: awaited)
            #expect(step.state == .complete && step.recovery == .askScope && step.reason == "scopeMissing")
            #expect(step.missingScopes == ["playlist-read-private", "user-library-read"] && step.until == nil)
            #expect(step.detail.contains("'playlist-read-private' and 'user-library-read'"))
            #expect(step.detail.hasSuffix("Some of your jobs wait for this."))
        }
        // The scopes that every connection needs are added.
        let both = try step(.connected, scopes: "", awaited: ["a-scope"])
        #expect(both.missingScopes == ["a-scope", "user-read-private"])
        // Spotify reported the scope as missing, although the stored scopes have it.
        #expect(try step(.connected, awaited: ["user-read-private"]).missingScopes == ["user-read-private"])
        // Without a connection, or with a refused client id, no scope can be requested.
        let lost: [(ConnectionState, Recovery)] = [
            (.degraded(.clientRefused, until: nil), .fixConfiguration), (.needsReconnect(.revoked), .reconnect),
        ]
        for (state, recovery) in lost {
            let step = try step(state, awaited: awaited)
            #expect(step.missingScopes == [] && step.recovery == recovery)
        }
    }
}
