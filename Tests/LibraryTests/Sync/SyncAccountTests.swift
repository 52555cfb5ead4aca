import Model
import Storage
import TestSupport
import Testing

@testable import Library

@Suite("Accounts during a sync", .timeLimit(.minutes(5)))
struct SyncAccountTests {
    @Test(
        "Another Apple Music account marks nothing until the user says whose library it is", arguments: [true, false])
    func otherAccount(isSame: Bool) async throws {
        try await SyncBench.run { bench in
            bench.fill()
            try await bench.sync(.appleMusic)
            let user = bench.userID
            // A new token of the same account.
            bench.appleMusic.change { $0.account = "token-2" }
            try await bench.sync(.appleMusic)
            var asks = try await bench.database.read {
                try $0.library.asksForAccount(of: .appleMusic, userID: user)
            }
            #expect(!asks)
            bench.appleMusic.change { content in
                content.account = "token-3"
                content.tracks = (400..<412).map { .sample($0, .appleMusic) }
            }
            for _ in 0..<2 {
                try await bench.sync(.appleMusic)
                asks = try await bench.database.read { try $0.library.asksForAccount(of: .appleMusic, userID: user) }
                let view = try await bench.latest()
                #expect(asks && view.sources[0].asksForAccount)
                #expect(try await bench.missing().isEmpty)
            }
            let answered = try await bench.database.write {
                try $0.library.answerAccount(of: .appleMusic, isSame: isSame, userID: user, now: .now())
            }
            #expect(answered)
            try await bench.sync(.appleMusic)
            #expect(try await bench.missing().count == (isSame ? 13 : 0))
            bench.appleMusic.change { $0.tracks.removeFirst() }
            try await bench.sync(.appleMusic)
            #expect(try await bench.missing().contains("i.400"))
        }
    }

    @Test("Dismissing the question hides it until another user token raises it again, but leaves it open")
    func dismissed() async throws {
        try await SyncBench.run { bench in
            bench.fill()
            try await bench.sync(.appleMusic)
            let user = bench.userID
            func replaceAccount(_ name: String, from number: Int) async throws {
                bench.appleMusic.change { content in
                    content.account = name
                    content.tracks = (number..<number + 12).map { .sample($0, .appleMusic) }
                }
                try await bench.sync(.appleMusic)
            }
            func appleMusic() async throws -> LibrarySyncView.SourceView? {
                try await bench.latest().sources.first { $0.source == .appleMusic }
            }
            func dismiss() async throws -> Int {
                try await bench.database.write { try $0.syncs.dismissErrors(userID: user, now: .now()) }
            }
            try await replaceAccount("token-2", from: 400)
            #expect(try await appleMusic()?.shownError?.code == "accountUnclear")
            // Syncs of the other source show it, too.
            try await bench.sync(.spotify)
            #expect(try await appleMusic()?.shownError?.code == "accountUnclear")
            #expect(try await dismiss() == 1)
            #expect(try await dismiss() == 0)
            for source in [MusicSource.appleMusic, .spotify] {
                let view = try await appleMusic()
                #expect(view?.asksForAccount == true && view?.shownError == nil)
                try await bench.sync(source)
                #expect(try await bench.missing().isEmpty)
            }
            try await replaceAccount("token-3", from: 500)
            #expect(try await appleMusic()?.shownError?.code == "accountUnclear")
            #expect(try await dismiss() == 1)
            let answered = try await bench.database.write {
                try $0.library.answerAccount(of: .appleMusic, isSame: false, userID: user, now: .now())
            }
            let view = try await appleMusic()
            #expect(answered && view?.asksForAccount == false && view?.shownError == nil)
        }
    }

    @Test("Playlists of a library without songs are not marked by what a new user token shows")
    func playlistsAlone() async throws {
        try await SyncBench.run { bench in
            for (account, playlists) in [
                ("token-1", ["p1", "p2"]), ("token-2", ["p2", "p3"]), ("token-2", ["p2", "p3"]),
            ] {
                let missing = try await missingPlaylists(bench, account, playlists)
                #expect(missing == [], "\(account)")
            }
            let missing = try await missingPlaylists(bench, "token-2", ["p3"])
            #expect(missing == ["playlist p2 0 missing"])
        }
    }

    /// Reads a library that only contains these playlists, and returns the rows of those that are missing afterwards.
    private func missingPlaylists(_ bench: SyncBench, _ account: String, _ playlists: [String]) async throws
        -> [String]
    {
        bench.appleMusic.change { content in
            content.account = account
            content.playlists = playlists.map { id in
                var playlist = SourcePlaylist(sourceID: id, name: id)
                playlist.version = "v1"
                return playlist
            }
        }
        try await bench.sync(.appleMusic)
        return try await bench.rows().filter { $0.hasPrefix("playlist ") && $0.hasSuffix("missing") }
    }

    private func asks(_ bench: SyncBench) async throws -> Bool {
        let user = bench.userID
        return try await bench.database.read { try $0.library.asksForAccount(of: .appleMusic, userID: user) }
    }

    @Test("What an interrupted reading with a new user token wrote is not evidence of the same account")
    func brokenOff() async throws {
        try await SyncBench.run { bench in
            bench.fill()
            try await bench.sync(.appleMusic)
            bench.appleMusic.change { content in
                content.account = "token-2"
                content.tracks = (400..<440).map { .sample($0, .appleMusic) }
            }
            let refused = ProviderFailure(.appleMusic, .requestRefused, message: "No.")
            bench.appleMusic.change(afterRequests: 8) { $0.failures["tracks"] = refused }
            #expect(try await bench.sync(.appleMusic).state == "failed")
            // There are more rows of the new account than of the former one.
            let written = try await bench.rows().count { $0.hasPrefix("track 1 i.4") }
            #expect(written > 13)
            bench.appleMusic.change { $0.failures = [:] }
            try await bench.sync(.appleMusic)
            let isAsked = try await asks(bench)
            #expect(isAsked)
            #expect(try await bench.missing().isEmpty)
            let user = bench.userID
            let answered = try await bench.database.write {
                try $0.library.answerAccount(of: .appleMusic, isSame: true, userID: user, now: .now())
            }
            try await bench.sync(.appleMusic)
            #expect(try await bench.missing().count == 13 && answered)
            // The same account's next token raises no question.
            bench.appleMusic.change { $0.account = "token-3" }
            try await bench.sync(.appleMusic)
            let asksAgain = try await asks(bench)
            #expect(!asksAgain)
            let accounts = try await bench.database.read { try $0.rows("SELECT id FROM library_accounts").count }
            #expect(accounts == 1)
        }
    }

    @Test("A Spotify account whose id changes keeps its rows, so that removed songs are marked")
    func otherID() async throws {
        try await SyncBench.run { bench in
            bench.fill()
            bench.spotify.change { $0.account = "ada" }
            try await bench.sync(.spotify)
            bench.spotify.change { content in
                (content.account, content.formerAccount) = ("account-1", "ada")
                content.tracks.removeAll { $0.sourceID == "s5" }
            }
            try await bench.sync(.spotify)
            #expect(try await bench.missing() == ["s5"])
            // An account whose ids are both unknown is a different one.
            bench.spotify.change { content in
                (content.account, content.formerAccount) = ("account-2", "bob")
                content.tracks.removeAll { $0.sourceID == "s6" }
            }
            try await bench.sync(.spotify)
            #expect(try await bench.missing() == ["s5"])
            let names = try await bench.database.read { reader in
                try reader.rows("SELECT account FROM library_accounts ORDER BY account").map { row -> String in
                    try row["account"]
                }
            }
            #expect(names == ["account-1", "account-2"])
        }
    }

    @Test("If a user token is replaced between two pages, the source is read from the start")
    func replaced() async throws {
        try await SyncBench.run { bench in
            bench.fill()
            try await bench.sync(.appleMusic)
            _ = bench.appleMusic.takeRequests()
            // This makes the list due to be read whole.
            bench.appleMusic.change { $0.tracks.removeLast() }
            bench.appleMusic.change(afterRequests: 3) { content in
                content.account = "token-2"
                content.tracks = (400..<440).map { .sample($0, .appleMusic) }
            }
            let view = try await bench.sync(.appleMusic)
            let isAsked = try await asks(bench)
            #expect(isAsked)
            #expect(try await bench.missing().isEmpty)
            #expect(bench.appleMusic.takeRequests().count { $0 == "tracks 0" } == 2)
            #expect(view.sources[0].found == 40 && view.sources[0].total == 40)
        }
    }

    @Test(
        "A source that is disconnected during a sync ends, or is read from the start if it is connected again",
        arguments: [true, false])
    func disconnected(isConnectedAgain: Bool) async throws {
        try await SyncBench.run { bench in
            bench.fill()
            try await bench.sync()
            let whole = try await bench.rows().filter { !$0.hasPrefix("change") }
            bench.spotify.change { $0.tracks.append(.sample(0, .spotify)) }
            let (id, kept, checkpoints) = (try await bench.ask(.spotify), LastResult<String>(), Collector<Int>())
            await #expect(throws: SyncBench.Killed.self) {
                try await bench.run(id, .spotify, from: kept) {
                    checkpoints.append(0)
                    // This is at the second of three pages of tracks, after the account, the clearing and a page.
                    return checkpoints.elements.count == 4 ? .afterCommit : nil
                }
            }
            let user = bench.userID
            try await bench.database.write {
                try $0.sourceRemovals.scheduleRemoval(of: .spotify, userID: user, now: .now())
            }
            if !isConnectedAgain {
                let failure = ProviderFailure(.spotify, .connectionNeeded, message: "Connect Spotify.")
                bench.spotify.change { $0.failures["account"] = failure }
            }
            try await bench.run(id, .spotify, from: kept)
            let library = try await bench.database.read { try $0.library.summary(userID: user).libraryID }
            let libraryID = try #require(library)
            while try await bench.database.write({
                try $0.sourceRemovals.removeStep(
                    of: .spotify, libraryID: libraryID, userID: user, limit: 10, now: .now())
            }) > 0 {}
            let rows = try await bench.rows().filter { !$0.hasPrefix("change") }
            let view = try await bench.latest()
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
