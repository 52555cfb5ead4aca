import Model
import TestProcesses
import Testing

/// Credentials that a service refuses during a sync.
@Suite("Credentials that end during a sync of libraries", .timeLimit(.minutes(20)))
struct LibraryCredentialSyncTests {
    private static let installationLog = "Apple Music cannot be used with this installation's developer key"

    @Test("An access token that expires is refreshed once, and the sync continues without loss")
    func accessToken() async throws {
        try await LibraryInstallation.run { library in
            let spotify = library.upstreams.spotify
            let ada = try await Self.person(in: library)
            try await library.fill(spotify, tracks: 300, first: 100, oddities: false)
            let refused = try await spotify.answers(401)
            let refreshes = try await spotify.calls(SimulatedUpstream.spotifyRefresh)
            let end = try await Self.sync(library, ada, amid: .spotify) {
                try await spotify.endTokens(access: "expire")
            }
            #expect(end.state == "complete" && end.sources.allSatisfy { $0.error == nil }, "\(end)")
            #expect(try await spotify.answers(401) - refused == 1)
            #expect(try await spotify.calls(SimulatedUpstream.spotifyRefresh) - refreshes == 1)
            try await Self.expectAllSaved(.spotify, in: library)
            let job = try #require(try await library.base.storedJobs()[end.id])
            #expect(job.state == "succeeded" && job.attempt == 1 && job.run == 1, "\(job)")
            #expect(try await library.base.failedAttempts() == 0)
            #expect(try await ada.setup().step("spotify")?.reason == nil)
        }
    }

    @Test("A revoked consent ends Spotify's part, and connecting again starts it automatically")
    func revokedConsent() async throws {
        try await LibraryInstallation.run { library in
            let spotify = library.upstreams.spotify
            let ada = try await Self.person(in: library)
            try await library.fill(spotify, tracks: 300, first: 100, oddities: false)
            try await library.change(library.upstreams.appleMusic, ["add": 5])
            let end = try await Self.sync(library, ada, amid: .spotify) {
                try await spotify.endTokens(access: "expire", refresh: "revoke")
            }
            #expect(end.state == "partial", "\(end)")
            #expect(end.source("appleMusic")?.state == "complete" && end.source("appleMusic")?.error == nil)
            #expect(end.source("appleMusic")?.new ?? 0 > 0)
            let failed = try #require(end.source("spotify"))
            #expect(failed.state == "failed" && failed.error?.code == "grantRefused", "\(failed)")
            #expect(failed.error?.message.contains("Connect Spotify again") == true, "\(failed)")
            let step = try #require(try await ada.setup().step("spotify"))
            #expect(step.state == "needsAttention" && step.reason == "revoked" && step.recovery == "reconnect")
            // A scan that was aborted says nothing about what it did not see.
            #expect(try await ada.librarySummary().missing == 0)

            try await library.connectSpotify(ada)
            let after = try await ada.syncEnded(after: end.id)
            #expect(after.state == "complete" && after.source("spotify")?.error == nil, "\(after)")
            try await Self.expectAllSaved(.spotify, in: library)
        }
    }

    @Test("If a person's own developer key is refused, they have to replace it, and Spotify is read nevertheless")
    func ownDeveloperKey() async throws {
        try await LibraryInstallation.run { library in
            let apple = library.upstreams.appleMusic
            let ada = try await Self.person(in: library)
            let keyID = try await library.upstreams.appleMusicKey().keyId
            try await Self.changeBoth(library)
            let refused = try await apple.answers(401)
            let end = try await Self.sync(library, ada, amid: .appleMusic) {
                try await apple.configure(["keyID": "ANOTHERKEY"])
            }
            try Self.expectFailure("keyRefused", "developer keys", of: end)
            // The call is repeated once, with a newly signed token.
            #expect(try await apple.answers(401) - refused == 2)
            let step = try #require(try await ada.setup().step("appleMusic"))
            #expect(step.state == "needsAttention" && step.reason == "keyRefused" && step.recovery == "reconnect")
            #expect(step.detail.contains("developer key") && !step.detail.contains("user token"), "\(step)")
            let worker = try #require(library.base.running("sync-worker").first)
            #expect(!worker.errors.contains(Self.installationLog), "The operator has nothing to do.")
            #expect(try await ada.librarySummary().missing == 0)

            try await apple.configure(["keyID": .string(keyID)])
            try await library.connectAppleMusic(ada)
            try await Self.expectAppleMusicRead(library, ada, after: end)
        }
    }

    @Test("If the installation's developer key is refused, that concerns its operator and disconnects nobody")
    func installationKey() async throws {
        try await LibraryInstallation.run(hasAppleMusicKey: true) { library in
            let apple = library.upstreams.appleMusic
            let ada = try await Self.person(in: library, hasOwnKey: false)
            let keyID = try await library.upstreams.appleMusicKey().keyId
            try await Self.changeBoth(library)
            let end = try await Self.sync(library, ada, amid: .appleMusic) {
                try await apple.configure(["keyID": "ANOTHERKEY"])
            }
            try Self.expectFailure("clientRefused", "Whoever runs it", of: end)
            let step = try #require(try await ada.setup().step("appleMusic"))
            #expect(step.state == "complete" && step.reason == "clientRefused" && step.recovery == "fixConfiguration")
            let worker = try #require(library.base.running("sync-worker").first)
            #expect(worker.errors.contains(Self.installationLog), "The operator does not learn of it.")
            #expect(try await ada.librarySummary().missing == 0)

            // Apple accepts the key again. The person does not have to enter anything.
            try await apple.configure(["keyID": .string(keyID)])
            _ = try await ada.askForSync(#"{"force":true}"#)
            try await Self.expectAppleMusicRead(library, ada, after: end)
            #expect(try await ada.setup().step("appleMusic")?.reason == nil)
        }
    }

    @Test(
        "If a music user token is refused, the person has to replace it, whoever owns the developer key",
        arguments: [true, false])
    func userToken(hasOwnKey: Bool) async throws {
        try await LibraryInstallation.run(hasAppleMusicKey: !hasOwnKey) { library in
            let apple = library.upstreams.appleMusic
            let ada = try await Self.person(in: library, hasOwnKey: hasOwnKey)
            let account = try await apple.library().person
            try await Self.changeBoth(library)
            let end = try await Self.sync(library, ada, amid: .appleMusic) {
                // From now on the account's token is a different one.
                try await apple.configure([
                    "userTokens": .object(["second-music-user-token": "fr"]),
                    "accounts": .object(["second-music-user-token": .string(account)]),
                ])
            }
            try Self.expectFailure("userTokenRefused", "music user token", of: end)
            let step = try #require(try await ada.setup().step("appleMusic"))
            #expect(step.state == "needsAttention" && step.reason == "userTokenRefused" && step.recovery == "reconnect")
            #expect(step.detail.contains("user token") && !step.detail.contains("developer key"), "\(step)")
            let worker = try #require(library.base.running("sync-worker").first)
            #expect(!worker.errors.contains(Self.installationLog), "The operator has nothing to do.")
            #expect(try await ada.librarySummary().missing == 0)

            if hasOwnKey {
                try await library.connectAppleMusic(ada)
            } else {
                try await library.connectAppleMusicByToken(ada)
            }
            try await Self.expectAppleMusicRead(library, ada, after: end)
        }
    }

    // MARK: Steps

    /// A person whose libraries at both services have been read.
    ///
    /// - Parameter hasOwnKey: whether they connect Apple Music with a developer key of their own.
    private static func person(in library: LibraryInstallation, hasOwnKey: Bool = true) async throws -> APIClient {
        try await library.fill(library.upstreams.spotify, tracks: 300, oddities: false)
        try await library.fill(library.upstreams.appleMusic, tracks: 350, oddities: false)
        let ada = try await library.base.addUser()
        if hasOwnKey {
            try await library.connectAppleMusic(ada)
        } else {
            try await library.connectAppleMusicByToken(ada)
        }
        #expect(try await ada.syncsEnded().state == "complete")
        try await library.connectSpotify(ada)
        #expect(try await ada.syncsEnded().state == "complete")
        return ada
    }

    /// Gives Apple Music another library, which shares most songs with the one before, and gives Spotify five more
    /// tracks.
    private static func changeBoth(_ library: LibraryInstallation) async throws {
        try await library.fill(library.upstreams.appleMusic, tracks: 350, first: 100, oddities: false)
        try await library.change(library.upstreams.spotify, ["add": 5])
    }

    /// Runs a sync of both services, and does something while it waits for a further page of the songs of one.
    private static func sync(
        _ library: LibraryInstallation, _ ada: APIClient, amid source: MusicSource, _ change: () async throws -> Void
    ) async throws -> LibrarySyncAnswer {
        let list = source == .spotify ? "me/tracks" : "me/library/songs"
        let upstream = source == .spotify ? library.upstreams.spotify : library.upstreams.appleMusic
        let before = try await upstream.calls(list)
        let start = try await library.holdPages()
        let asked = try await ada.askForSync(#"{"force":true}"#)
        // The first page has been written when the third one is requested.
        var held = start
        repeat {
            if held > start { try await library.releasePages() }
            held = try #require(
                try await library.nextPage(after: held, ofSync: asked.id), "The sync ended before its third page.")
        } while try await upstream.calls(list) - before < 3
        try await change()
        try await library.letPagesPass()
        let end = try await ada.syncsEnded()
        #expect(end.id == asked.id)
        return end
    }

    /// Expects Apple Music's part to have failed, and Spotify's to be complete.
    private static func expectFailure(
        _ code: String, _ words: String, of sync: LibrarySyncAnswer, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(sync.state == "partial", "\(sync)", sourceLocation: sourceLocation)
        let apple = try #require(sync.source("appleMusic"), sourceLocation: sourceLocation)
        #expect(apple.state == "failed" && apple.error?.code == code, "\(apple)", sourceLocation: sourceLocation)
        #expect(apple.error?.message.contains(words) == true, "\(apple)", sourceLocation: sourceLocation)
        let spotify = try #require(sync.source("spotify"), sourceLocation: sourceLocation)
        #expect(
            spotify.state == "complete" && spotify.error == nil && spotify.new > 0, "\(spotify)",
            sourceLocation: sourceLocation)
    }

    /// Expects the next sync to read Apple Music's library to its end.
    private static func expectAppleMusicRead(
        _ library: LibraryInstallation, _ ada: APIClient, after sync: LibrarySyncAnswer
    ) async throws {
        let end = try await ada.syncEnded(after: sync.id)
        #expect(end.state == "complete", "\(end)")
        #expect(end.source("appleMusic")?.state == "complete" && end.source("appleMusic")?.error == nil, "\(end)")
        try await expectAllSaved(.appleMusic, in: library)
    }

    /// Expects the saved songs here to be those that the person has at the service.
    private static func expectAllSaved(
        _ source: MusicSource, in library: LibraryInstallation, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let upstream = source == .spotify ? library.upstreams.spotify : library.upstreams.appleMusic
        let truth = Set(try await upstream.truth().map(\.id))
        let saved = try await library.savedIDs(source)
        #expect(saved == truth, sourceLocation: sourceLocation)
    }
}
