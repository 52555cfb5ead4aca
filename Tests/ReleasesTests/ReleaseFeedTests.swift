import Foundation
import Gateway
import Model
import Storage
import TestSupport
import Testing
import Timeline
import Visibility

@testable import Releases
@testable import ReleasesHTTP

@Suite("What the feed shows of releases", .timeLimit(.minutes(2)))
struct ReleaseFeedTests {
    private let pictures = PicturePaths(hosts: MediaHosts([.spotify: ["i.scdn.co"]]), key: PicturePathKey())

    @Test("An item has what its editions have in common, a link for each service, and all editions")
    func contents() async throws {
        try await ReleaseFixture.run { [pictures] releases in
            try await releases.record([
                .album("1", "Harbor (Deluxe Edition)", "2026-11-27"), .album("2", "Harbor", "2026-11-27"),
                .album("3", "Old Album", "2001"),
            ])
            try await releases.record([.album("a", "Harbor", "2026-11")], at: .appleMusic, artistID: "a")
            let userID = try await releases.database.addPerson()
            let (contents, number, others) = try await releases.database.read { reader in
                let all = try reader.map("SELECT number FROM releases ORDER BY number") {
                    try $0["number"] as Int64
                }
                let viewer = try #require(try reader.visibility.viewer(userID: userID))
                let source = FeedItemSource.releases(pictures)
                return (try source.contents(reader, viewer, all + [12_345_678]), all[0], all.dropFirst())
            }
            #expect(contents.count == 1 && others.count == 1, "what is no news, or unknown, is not shown")
            let content = try #require(contents[number])
            #expect(content.foldSource == WantedArtist.nora.key)
            let json = try #require(
                try JSONSerialization.jsonObject(with: Data(content.json)) as? [String: Any])
            #expect(json["id"] as? String == content.id && json["title"] as? String == "Harbor")
            #expect(json["artists"] as? [String] == ["Nora Vale"] && json["artist"] as? String == "Nora Vale")
            #expect(json["type"] as? String == "album")
            #expect(json["date"] as? String == "2026-11-27" && json["datePrecision"] as? String == "day")
            #expect((json["picture"] as? String)?.hasPrefix("/v1/pictures/") == true)
            let links = try #require(json["links"] as? [[String: Any]])
            #expect(links.compactMap { $0["source"] as? String } == ["spotify", "appleMusic"])
            #expect(links.compactMap { $0["sourceId"] as? String } == ["2", "a"])
            let editions = try #require(json["editions"] as? [[String: Any]])
            #expect(editions.compactMap { $0["title"] as? String } == ["Harbor", "Harbor (Deluxe Edition)", "Harbor"])
        }
    }

    @Test("The refresh shows its progress for a day, and what a service lacks with what to do")
    func refreshes() async throws {
        try await ReleaseFixture.run { releases in
            let (database, now) = (releases.database, Timestamp.now())
            let userID = try await database.addPerson()
            func shown() async throws -> FeedRefresh {
                try await database.read { try FeedRefreshSource.releases.state($0, userID) }
            }
            func end(
                _ state: ReleaseRefresh.State, _ failures: [(MusicSource, ProviderFailure)], at moment: Timestamp
            ) async throws {
                let troubles = failures.map { ReleaseTrouble($0.1, at: $0.0) }
                let asked = try await database.read { try $0.releases.refresh(ofUser: userID)?.asked ?? 0 }
                try await database.write {
                    try $0.releases.endRefresh(
                        state, done: 2, of: 2, troubles: troubles, asked: asked, again: nil, userID: userID,
                        now: moment)
                }
            }
            #expect(try await shown().parts.isEmpty)
            try await database.write { try $0.releases.beginRefresh(ofUser: userID, now: now) }
            let waiting = try await shown()
            #expect(waiting.parts.map(\.state) == [.waiting] && waiting.parts[0].total == nil)
            try await database.write { try $0.releases.storeProgress(1, of: 2, userID: userID, now: now) }
            let running = try await shown()
            #expect(running.parts.map(\.state) == [.running] && running.parts[0].done == 1)
            #expect(running.parts[0].part == "releases" && running.missing.isEmpty)

            let unconnected = ProviderFailure(.spotify, .connectionNeeded, message: "Connect Spotify.")
            let keyless = ProviderFailure(.appleMusic, .credentialMissing, message: "There is no key.")
            try await end(.failed, [(.spotify, unconnected), (.appleMusic, keyless)], at: now)
            let nothing = try await shown()
            #expect(nothing.parts.map(\.state) == [.failed] && nothing.missing.count == 1)
            #expect(nothing.missing[0].code == .releaseServiceMissing && nothing.missing[0].recovery == "reconnect")
            #expect(nothing.missing[0].detail.hasPrefix("Connect Spotify or Apple Music to see new releases."))
            #expect(!nothing.missing[0].detail.contains("/"), "a sentence for people names no path")

            let paused = ProviderFailure(.spotify, .quotaExhausted, message: "Spotify is used up for today.")
            try await end(.done, [(.spotify, paused), (.appleMusic, keyless)], at: now)
            let partial = try await shown()
            #expect(partial.missing.map(\.code.rawValue) == ["quotaExhausted"])
            #expect(partial.missing[0].recovery == "retryAt")

            try await end(.done, [(.appleMusic, keyless)], at: now.advanced(by: .seconds(-90_000)))
            let over = try await shown()
            #expect(over.parts.isEmpty && over.missing.isEmpty, "one service is enough")
        }
    }
}
