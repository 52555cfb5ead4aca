import Model
import Storage
import TestSupport
import Testing

@testable import Library
@testable import LibrarySync
@testable import LibraryWriting

@Suite("Accounts during a sync", .timeLimit(.minutes(5)))
struct SyncAccountTests {
    @Test(
        "Another Apple Music account marks nothing until the user says whose library it is", arguments: [true, false])
    func otherAccount(isSame: Bool) async throws {
        try await SyncFixture.run { fixture in
            fixture.fill()
            try await fixture.sync(.appleMusic)
            let user = fixture.userID
            // A new token of the same account.
            fixture.appleMusic.change { $0.account = "token-2" }
            try await fixture.sync(.appleMusic)
            var asks = try await fixture.database.read {
                try $0.library.asksForAccount(of: .appleMusic, userID: user)
            }
            #expect(!asks)
            fixture.appleMusic.change { content in
                content.account = "token-3"
                content.tracks = (400..<412).map { .sample($0, .appleMusic) }
            }
            for _ in 0..<2 {
                try await fixture.sync(.appleMusic)
                asks = try await fixture.database.read { try $0.library.asksForAccount(of: .appleMusic, userID: user) }
                let view = try await fixture.latest()
                #expect(asks && view.sources[0].asksForAccount)
                #expect(try await fixture.missing().isEmpty)
            }
            let answered = try await fixture.database.write {
                try $0.library.answerAccount(of: .appleMusic, isSame: isSame, userID: user, now: .now())
            }
            #expect(answered)
            try await fixture.sync(.appleMusic)
            #expect(try await fixture.missing().count == (isSame ? 13 : 0))
            fixture.appleMusic.change { $0.tracks.removeFirst() }
            try await fixture.sync(.appleMusic)
            #expect(try await fixture.missing().contains("i.400"))
        }
    }

    @Test("Dismissing the question hides it until another user token raises it again, but leaves it open")
    func dismissedQuestion() async throws {
        try await SyncFixture.run { fixture in
            fixture.fill()
            try await fixture.sync(.appleMusic)
            let user = fixture.userID
            func replaceAccount(_ name: String, from number: Int) async throws {
                fixture.appleMusic.change { content in
                    content.account = name
                    content.tracks = (number..<number + 12).map { .sample($0, .appleMusic) }
                }
                try await fixture.sync(.appleMusic)
            }
            func appleMusic() async throws -> LibrarySyncView.SourceView? {
                try await fixture.latest().sources.first { $0.source == .appleMusic }
            }
            func dismiss() async throws -> Int {
                try await fixture.database.write { try $0.syncs.dismissErrors(userID: user, now: .now()) }
            }
            try await replaceAccount("token-2", from: 400)
            #expect(try await appleMusic()?.shownError?.code == "accountUnclear")
            // Syncs of the other source show it, too.
            try await fixture.sync(.spotify)
            #expect(try await appleMusic()?.shownError?.code == "accountUnclear")
            #expect(try await dismiss() == 1)
            #expect(try await dismiss() == 0)
            for source in [MusicSource.appleMusic, .spotify] {
                let view = try await appleMusic()
                #expect(view?.asksForAccount == true && view?.shownError == nil)
                try await fixture.sync(source)
                #expect(try await fixture.missing().isEmpty)
            }
            try await replaceAccount("token-3", from: 500)
            #expect(try await appleMusic()?.shownError?.code == "accountUnclear")
            #expect(try await dismiss() == 1)
            let answered = try await fixture.database.write {
                try $0.library.answerAccount(of: .appleMusic, isSame: false, userID: user, now: .now())
            }
            let view = try await appleMusic()
            #expect(answered && view?.asksForAccount == false && view?.shownError == nil)
        }
    }

    @Test("Playlists of a library without songs are not marked by what a new user token shows")
    func playlistsAlone() async throws {
        try await SyncFixture.run { fixture in
            for (account, playlists) in [
                ("token-1", ["p1", "p2"]), ("token-2", ["p2", "p3"]), ("token-2", ["p2", "p3"]),
            ] {
                let missing = try await missingPlaylists(fixture, account, playlists)
                #expect(missing == [], "\(account)")
            }
            let missing = try await missingPlaylists(fixture, "token-2", ["p3"])
            #expect(missing == ["playlist p2 0 missing"])
        }
    }

    /// Reads a library that only contains these playlists, and returns the rows of those that are missing afterwards.
    private func missingPlaylists(_ fixture: SyncFixture, _ account: String, _ playlists: [String]) async throws
        -> [String]
    {
        fixture.appleMusic.change { content in
            content.account = account
            content.playlists = playlists.map { id in
                var playlist = SourcePlaylist(sourceID: id, name: id)
                playlist.version = "v1"
                return playlist
            }
        }
        try await fixture.sync(.appleMusic)
        return try await fixture.rows().filter { $0.hasPrefix("playlist ") && $0.hasSuffix("missing") }
    }

    private func asks(_ fixture: SyncFixture) async throws -> Bool {
        let user = fixture.userID
        return try await fixture.database.read { try $0.library.asksForAccount(of: .appleMusic, userID: user) }
    }

    @Test("What an interrupted reading with a new user token wrote is not evidence of the same account")
    func brokenOff() async throws {
        try await SyncFixture.run { fixture in
            fixture.fill()
            try await fixture.sync(.appleMusic)
            fixture.appleMusic.change { content in
                content.account = "token-2"
                content.tracks = (400..<440).map { .sample($0, .appleMusic) }
            }
            let refused = ProviderFailure(.appleMusic, .requestRefused, message: "No.")
            fixture.appleMusic.change(afterRequests: 8) { $0.failures["tracks"] = refused }
            #expect(try await fixture.sync(.appleMusic).state == "failed")
            // There are more rows of the new account than of the former one.
            let written = try await fixture.rows().count { $0.hasPrefix("track 1 i.4") }
            #expect(written > 13)
            fixture.appleMusic.change { $0.failures = [:] }
            try await fixture.sync(.appleMusic)
            let isAsked = try await asks(fixture)
            #expect(isAsked)
            #expect(try await fixture.missing().isEmpty)
            let user = fixture.userID
            let answered = try await fixture.database.write {
                try $0.library.answerAccount(of: .appleMusic, isSame: true, userID: user, now: .now())
            }
            try await fixture.sync(.appleMusic)
            #expect(try await fixture.missing().count == 13 && answered)
            // The same account's next token raises no question.
            fixture.appleMusic.change { $0.account = "token-3" }
            try await fixture.sync(.appleMusic)
            let asksAgain = try await asks(fixture)
            #expect(!asksAgain)
            let accounts = try await fixture.database.read { try $0.rows("SELECT id FROM library_accounts").count }
            #expect(accounts == 1)
        }
    }

    @Test("A Spotify account whose id changes keeps its rows, so that removed songs are marked")
    func otherID() async throws {
        try await SyncFixture.run { fixture in
            fixture.fill()
            fixture.spotify.change { $0.account = "ada" }
            try await fixture.sync(.spotify)
            fixture.spotify.change { content in
                (content.account, content.formerAccount) = ("account-1", "ada")
                content.tracks.removeAll { $0.sourceID == "s5" }
            }
            try await fixture.sync(.spotify)
            #expect(try await fixture.missing() == ["s5"])
            // An account whose ids are both unknown is a different one.
            fixture.spotify.change { content in
                (content.account, content.formerAccount) = ("account-2", "bob")
                content.tracks.removeAll { $0.sourceID == "s6" }
            }
            try await fixture.sync(.spotify)
            #expect(try await fixture.missing() == ["s5"])
            let names = try await fixture.database.read { reader in
                try reader.rows("SELECT account FROM library_accounts ORDER BY account").map { row -> String in
                    try row["account"]
                }
            }
            #expect(names == ["account-1", "account-2"])
        }
    }

    @Test("If a user token is replaced between two pages, the source is read from the start")
    func replacedUserToken() async throws {
        try await SyncFixture.run { fixture in
            fixture.fill()
            try await fixture.sync(.appleMusic)
            _ = fixture.appleMusic.takeRequests()
            // This makes the list due to be read whole.
            fixture.appleMusic.change { $0.tracks.removeLast() }
            fixture.appleMusic.change(afterRequests: 3) { content in
                content.account = "token-2"
                content.tracks = (400..<440).map { .sample($0, .appleMusic) }
            }
            let view = try await fixture.sync(.appleMusic)
            let isAsked = try await asks(fixture)
            #expect(isAsked)
            #expect(try await fixture.missing().isEmpty)
            #expect(fixture.appleMusic.takeRequests().count { $0 == "tracks 0" } == 2)
            #expect(view.sources[0].found == 40 && view.sources[0].total == 40)
        }
    }

    @Test(
        "A source that is disconnected during a sync ends, or is read from the start if it is connected again",
        arguments: [true, false])
    func disconnectedSource(isConnectedAgain: Bool) async throws {
        try await SyncFixture.run { fixture in
            fixture.fill()
            try await fixture.sync()
            let whole = try await fixture.rows().filter { !$0.hasPrefix("change") }
            fixture.spotify.change { $0.tracks.append(.sample(0, .spotify)) }
            let (id, kept, checkpoints) = (try await fixture.ask(.spotify), LastResult<String>(), Collector<Int>())
            await #expect(throws: SyncFixture.KillError.self) {
                try await fixture.run(id, .spotify, from: kept) {
                    checkpoints.append(0)
                    // This is at the second of three pages of tracks, after the account, the clearing and a page.
                    return checkpoints.elements.count == 4 ? .afterCommit : nil
                }
            }
            let user = fixture.userID
            try await fixture.database.write {
                try $0.sourceRemovals.scheduleRemoval(of: .spotify, userID: user, now: .now())
            }
            if !isConnectedAgain {
                let failure = ProviderFailure(.spotify, .connectionNeeded, message: "Connect Spotify.")
                fixture.spotify.change { $0.failures["account"] = failure }
            }
            try await fixture.run(id, .spotify, from: kept)
            let library = try await fixture.database.read { try $0.library.summary(userID: user).libraryID }
            let libraryID = try #require(library)
            while try await fixture.database.write({
                try $0.sourceRemovals.removeStep(
                    of: .spotify, libraryID: libraryID, userID: user, limit: 10, now: .now())
            }) > 0 {}
            let rows = try await fixture.rows().filter { !$0.hasPrefix("change") }
            let view = try await fixture.latest()
            if isConnectedAgain {
                #expect(view.state == "complete")
                #expect(Set(rows) == Set(whole + ["track 2 s0 1  Song 0"]))
            } else {
                #expect(view.state == "partial" && view.sources.last?.errorCode == "connectionNeeded")
                #expect(rows == whole.filter { $0.hasPrefix("track 1 ") })
            }
        }
    }
}
