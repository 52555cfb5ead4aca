import Contracts
import Domains
import Model
import Storage
import Testing

@testable import Connections
@testable import Vault

@Suite("Steps of the setup")
struct SetupStepTests {
    private static let now = Timestamp(microseconds: 1_700_000_000_000_000)

    private static let kinds = JobKinds(of: .tested)
    private static let needed = SpotifyScopes.needed(by: kinds).sorted()

    /// The Spotify step of a person.
    private func step(
        _ state: ConnectionState, scopes: String? = Self.needed.joined(separator: " "), awaited: Set<String> = [],
        authorizedIn age: Int64 = -80, renewIn days: Int64 = 100, grantedTo client: String? = "app",
        own: String? = nil, installation: String? = "app",
        secrets: [SecretHint] = [], vaultReaders: [VaultReader] = []
    ) throws -> SetupStep {
        var record = ConnectionRecord(userID: "ada", provider: .spotify, now: Self.now)
        state.store(in: &record)
        record.scopes = scopes
        record.clientID = client
        record.authorizedAt = Self.now.advanced(by: .seconds(age * 86_400))
        record.renewBy = Self.now.advanced(by: .seconds(days * 86_400))
        return try SetupStep(
            .spotify, record: record, apps: SpotifyApps(own: own, installation: installation), secrets: secrets,
            awaitedScopes: awaited, kinds: Self.kinds, city: nil, vaultReaders: vaultReaders, now: Self.now)
    }

    @Test("What to do about a refused account, a missing Premium or client id depends on whose app it is")
    func remediesDependOnTheApp() throws {
        let (refused, unpaid) = (ConnectionState.Trouble.accountNotAllowed, ConnectionState.Trouble.ownerPremiumMissing)
        for trouble in [refused, unpaid, .clientRefused] {
            let theirs = try step(.degraded(trouble, until: nil), own: nil)
            let own = try step(.degraded(trouble, until: nil), grantedTo: "mine", own: "mine")
            for step in [theirs, own] {
                #expect(step.reason == trouble.rawValue && step.recovery == .fixConfiguration)
            }
            #expect(theirs.detail.contains("this Backline's") && own.detail.contains("your app"))
            #expect(!own.detail.contains("operator"))
            // The connection still belongs to the installation's app.
            #expect(try step(.degraded(trouble, until: nil), own: "mine").detail == theirs.detail)
        }
        #expect(try step(.degraded(refused, until: nil)).detail.contains("five people"))
        for (own, installation, hasApp) in [("mine", nil, true), (nil, "app", true), (nil, nil, false)] {
            let open = try step(.disconnected, own: own, installation: installation)
            #expect(open.detail.contains("Enter the client id of your own") == !hasApp)
        }
    }

    @Test("A connection stays with the app that it was granted to, as long as it is the person's or the installation's")
    func appOfConnection() throws {
        func state(grantedTo client: String?, own: String?, installation: String?) throws -> String? {
            try step(.connected, grantedTo: client, own: own, installation: installation).reason
        }
        #expect(try state(grantedTo: "app", own: "mine", installation: "app") == nil)
        #expect(try step(.connected, own: "mine").usesOtherApp)
        #expect(try !step(.connected, grantedTo: "mine", own: "mine").usesOtherApp && !step(.connected).usesOtherApp)
        #expect(try state(grantedTo: "mine", own: "mine", installation: "app") == nil)
        #expect(try state(grantedTo: "mine", own: "mine", installation: nil) == nil)
        #expect(try state(grantedTo: nil, own: "mine", installation: "app") == nil)
        #expect(try state(grantedTo: "mine", own: nil, installation: "app") == "clientChanged")
        #expect(try state(grantedTo: "app", own: "mine", installation: "other") == "clientChanged")
        #expect(try state(grantedTo: "former", own: "mine", installation: "app") == "clientChanged")
    }

    private static let (key, other) = (VaultKey.random(), VaultKey.random())

    private static func reader(_ worker: String, _ keys: VaultKey...) -> VaultReader {
        let former = Array(keys.dropFirst())
        return VaultReader(worker: worker, keyring: keys.first.map { VaultKeyring(current: $0, former: former) })
    }

    @Test("Secrets that a worker could not open no longer need attention once a worker reports their key")
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
        // Without a worker's report, the reason of the last call is shown.
        #expect(try step().reason == "secretsSealed")
    }

    @Test("A connection whose secrets no worker can open needs attention, whatever the last call reported")
    func keyIsAway() throws {
        let secrets = [
            SecretHint(provider: "spotify", field: "accessToken", keyID: Self.key.id, hint: ""),
            SecretHint(provider: "spotify", field: "refreshToken", keyID: Self.key.id, hint: ""),
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
        // A missing key does not matter to a person without secrets.
        #expect(try step(.connected, vaultReaders: [Self.reader("a")]).reason == nil)
    }

    @Test("Only a failure that may need a new connection offers to reconnect")
    func offersToReconnect() throws {
        let offered = ConnectionState.Trouble.allCases.filter { trouble in
            (try? step(.degraded(trouble, until: nil)).recovery) == .reconnect
        }
        #expect(offered == [.accessRefused])
    }

    @Test(
        "A failure is shown with its end if that is known, and not after it",
        arguments: ConnectionState.Trouble.allCases)
    func endOfAFailure(trouble: ConnectionState.Trouble) throws {
        let until = Self.now.advanced(by: .seconds(60))
        let known = try step(.degraded(trouble, until: until))
        #expect(known.until == until && known.state == .complete && known.reason == trouble.rawValue)
        let unknown = try step(.degraded(trouble, until: nil))
        #expect(unknown.until == nil && unknown.reason == trouble.rawValue)
        let over = try step(.degraded(trouble, until: Self.now))
        #expect(over.until == nil && over.reason == nil && over.recovery == nil)
    }

    @Test("A connection with another client id has to be made again, but not one with an unknown client id")
    func clientChanged() throws {
        let changed = try step(.connected, grantedTo: "former")
        #expect(changed.state == .needsAttention && changed.reason == "clientChanged")
        #expect(changed.recovery == .reconnect && changed.detail.hasSuffix("Connect again."))
        for client in ["app", nil] {
            let step = try step(.connected, grantedTo: client)
            #expect(step.state == .complete && step.reason == nil)
        }
        // A connection that was already lost keeps its own reason.
        #expect(try step(.needsReconnect(.revoked), grantedTo: "former").reason == "revoked")
    }

    @Test("A connection without a scope that every connection needs requests it by name")
    func missingScope() throws {
        let lacking = try step(
            .connected,
            scopes: (Self.needed.filter { $0 != "playlist-read-collaborative" } + ["user-top-read"])
                .joined(separator: " "))
        #expect(lacking.state == .complete && lacking.recovery == .askScope && lacking.reason == "scopeMissing")
        #expect(lacking.missingScopes == ["playlist-read-collaborative"])
        #expect(lacking.detail.contains("playlist-read-collaborative") && !lacking.detail.contains("jobs"))
        for whole in [(Self.needed + ["user-top-read"]).joined(separator: " "), nil] {
            let step = try step(.connected, scopes: whole)
            #expect(step.missingScopes == [] && step.recovery == nil && step.reason == nil)
        }
        // A sync makes no call that would clear the failure, since it needs the scopes.
        let degraded = try step(.degraded(.unavailable, until: nil), scopes: "")
        #expect(degraded.missingScopes == Self.needed && degraded.reason == "scopeMissing")
        // A failure that somebody has to correct, or a lost connection, takes precedence.
        let refused = try step(.degraded(.clientRefused, until: nil), scopes: "")
        #expect(refused.missingScopes == [] && refused.reason == "clientRefused")
        let ended = try step(.needsReconnect(.revoked), scopes: "")
        #expect(ended.missingScopes == [] && ended.reason == "revoked" && ended.recovery == .reconnect)
    }

    @Test("A consent is due for renewal two weeks before its end, before any other reason")
    func dueRenewal() throws {
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

    @Test("A consent dated in the future, by a clock that was ahead, counts as given now")
    func consentOfTheFuture() throws {
        let ordinary = try step(.connected, authorizedIn: -5, renewIn: 175)
        #expect(ordinary.connectedAt == Self.now.advanced(by: .seconds(-5 * 86_400)))
        #expect(ordinary.expiresAt == Self.now.advanced(by: .seconds(175 * 86_400)))
        let ahead = try step(.connected, authorizedIn: 400, renewIn: 580)
        #expect(ahead.connectedAt == Self.now && ahead.reason == nil)
        #expect(ahead.expiresAt == Self.now.advanced(by: SpotifyGrant.lifetime))
    }

    @Test("Scopes that jobs wait for are requested, even during a failure that only another call can end")
    func awaitedScopes() throws {
        let awaited: Set = ["user-library-read", "playlist-read-private"]
        let until = Self.now.advanced(by: .seconds(60))
        let pause = ConnectionState.degraded(.rateLimited, until: until)
        for state in [.connected, pause, .degraded(.forbidden, until: nil)] {
            let step = try step(state, awaited: awaited)
            #expect(step.state == .complete && step.recovery == .askScope && step.reason == "scopeMissing")
            #expect(step.missingScopes == ["playlist-read-private", "user-library-read"] && step.until == nil)
            #expect(step.detail.contains("'playlist-read-private' and 'user-library-read'"))
            #expect(step.detail.hasSuffix("Some of your jobs are waiting for this."))
        }
        // The scopes that every connection needs are added.
        let both = try step(.connected, scopes: "", awaited: ["a-scope"])
        #expect(both.missingScopes == ["a-scope"] + Self.needed)
        // Spotify reported the scope as missing, although the stored scopes include it.
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

    // MARK: Apple Music

    /// The Apple Music step of a person.
    private func appleStep(
        _ state: ConnectionState, hasInstallationKey: Bool, fields: [String] = ["userToken"]
    ) throws -> SetupStep {
        var record = ConnectionRecord(userID: "ada", provider: .appleMusic, now: Self.now)
        state.store(in: &record)
        let secrets = fields.map { SecretHint(provider: "appleMusic", field: $0, keyID: "k", hint: "abcd") }
        return try SetupStep(
            .appleMusic, record: record, secrets: secrets, kinds: Self.kinds, city: nil,
            hasInstallationKey: hasInstallationKey,
            vaultReaders: [], now: Self.now)
    }

    @Test("With the installation's developer key a person needs none, and is informed when it is gone")
    func installationKey() throws {
        let open = try appleStep(.disconnected, hasInstallationKey: true, fields: [])
        #expect(open.hasInstallationKey && open.state == .incomplete && open.detail.contains("Sign in with Apple"))
        let connected = try appleStep(.connected, hasInstallationKey: true)
        #expect(connected.state == .complete && connected.recovery == nil && connected.maskedKey == "••••abcd")
        let gone = try appleStep(.connected, hasInstallationKey: false)
        #expect(gone.state == .needsAttention && gone.recovery == .fixConfiguration)
        #expect(gone.reason == "credentialMissing")
        let own = try appleStep(.connected, hasInstallationKey: false, fields: ["userToken", "privateKey"])
        #expect(own.state == .complete && own.reason == nil && !own.hasInstallationKey)
        let refused = try appleStep(.degraded(.clientRefused, until: nil), hasInstallationKey: true)
        #expect(refused.state == .complete && refused.recovery == .fixConfiguration)
        #expect(refused.detail.contains("developer key"))
    }

    @Test("A refused developer key and a refused user token are told apart")
    func refusedSecrets() throws {
        let fields = [SecretField.userToken, SecretField.privateKey]
        let key = try appleStep(.needsReconnect(.keyRefused), hasInstallationKey: false, fields: fields)
        #expect(key.state == .needsAttention && key.reason == "keyRefused" && key.recovery == .reconnect)
        #expect(key.detail.contains("your developer key") && !key.detail.contains("user token"))
        for hasInstallationKey in [true, false] {
            let token = try appleStep(
                .needsReconnect(.userTokenRefused), hasInstallationKey: hasInstallationKey, fields: fields)
            #expect(token.state == .needsAttention && token.reason == "userTokenRefused")
            #expect(token.recovery == .reconnect)
            #expect(token.detail.contains("your music user token") && !token.detail.contains("developer key"))
        }
    }
}
