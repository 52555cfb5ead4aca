import Foundation
import HTTPTypes
import Library
import LibrarySync
import LibraryWriting
import Listening
import Model
import Storage
import Testing

@testable import Gateway
@testable import ListeningHTTP

@Suite("Finding the songs of listens in libraries", .timeLimit(.minutes(5)))
struct ListenResolvingTests {
    private func listen(_ title: String, minute: Int, spotifyID: String? = nil) -> NewObservation {
        var song = SongDescription(title: title, artist: "Björk & Friends")
        song.spotifyID = spotifyID
        return NewObservation(
            source: .listenBrainz, song: song, time: LibraryPerson.began.advanced(by: .seconds(600 * minute)),
            client: "player")
    }

    private func record(_ listens: [NewObservation], of ada: LibraryPerson) async throws {
        _ = try await ada.write { transaction in
            try transaction.listening.record(listens, userID: ada.userID, now: LibraryPerson.began)
        }
    }

    /// Looks up new songs, looks up all songs again where a library has changed, and counts plays.
    private func resolve(_ gateway: TestGateway) async throws {
        let resolving = ListenResolving(database: gateway.database)
        try await resolving.renew()
        try await resolving.run()
        try await resolving.count()
    }

    /// The titles of the tracks of listens, the latest first; an empty text for none.
    private func found(_ gateway: TestGateway, _ ada: LibraryPerson) async throws -> [String] {
        try await gateway.database.read { reader in
            try reader.listening.listens(userID: ada.userID, limit: 100).items.map { listen in
                try listen.trackID.flatMap { try reader.tracks.track($0, userID: ada.userID)?.title } ?? ""
            }
        }
    }

    private func counts(_ gateway: TestGateway, _ ada: LibraryPerson) async throws -> [String: Int] {
        try await gateway.database.read { reader in
            let query = TrackListQuery(sort: .playCount, limit: 100)
            return try reader.tracks.page(userID: ada.userID, query).items.reduce(into: [:]) { counts, track in
                #expect(track.playCount == max(track.listens, track.servicePlayCount))
                if track.listens > 0 { counts[track.title] = track.listens }
            }
        }
    }

    @Test("A song is found by its id and by its names; what the library does not have stays as it was reported")
    func foundSongs() async throws {
        try await TestGateway.run { gateway in
            let ada = try await LibraryPerson(gateway)
            try await ada.fill()
            try await record(
                [
                    listen("Song 1", minute: 1), listen("song 7", minute: 2),
                    listen("Called otherwise", minute: 3, spotifyID: "spotify-8"), listen("Song 99", minute: 4),
                ], of: ada)
            try await resolve(gateway)
            #expect(try await found(gateway, ada) == ["", "Song 8", "Song 7", "Song 1"])
        }
    }

    @Test("A song that is added to the library later is found then")
    func songAddedLater() async throws {
        try await TestGateway.run { gateway in
            let ada = try await LibraryPerson(gateway)
            try await ada.fill(apple: 0..<3, spotify: 0..<2)
            try await record([listen("Song 2", minute: 1), listen("Song 5", minute: 2)], of: ada)
            try await resolve(gateway)
            #expect(try await found(gateway, ada) == ["", "Song 2"])
            try await ada.fill(apple: 0..<0, spotify: 4..<7)
            try await resolve(gateway)
            #expect(try await found(gateway, ada) == ["Song 5", "Song 2"])
            #expect(try await counts(gateway, ada) == ["Song 2": 1, "Song 5": 1])
        }
    }

    @Test("Songs are looked up again only where songs of the library have changed")
    func unchangedLibrary() async throws {
        try await TestGateway.run { gateway in
            let ada = try await LibraryPerson(gateway)
            try await ada.fill()
            try await record([listen("Song 2", minute: 1)], of: ada)
            try await resolve(gateway)
            // Another lookup would restore these values.
            try await ada.write { try $0.run("UPDATE listen_songs SET track_id = NULL") }
            let scan = try await ada.scan(.appleMusic)
            var played = SourceTrack(
                sourceID: "appleMusic-3", title: "Song 3", artist: "Björk & Friends", album: "Début")
            played.playCount = 2
            played.durationMs = 3_000
            _ = try await ada.write { [played] transaction in
                let (sync, now) = (UUIDv7.next(), LibraryPerson.began)
                _ = try transaction.tracks.storeSavedTracks([played], by: scan, isWhole: false, now: now)
                try transaction.syncs.insert(sync: sync, for: LibrarySyncRequest(userID: ada.userID), now: now)
                try transaction.run(
                    "UPDATE library_syncs SET state = 'complete', finished_at = \(now) WHERE id = \(sync)")
            }
            try await resolve(gateway)
            #expect(try await found(gateway, ada) == [""])
            try await ada.fill(apple: 0..<0, spotify: 20..<22)
            try await resolve(gateway)
            #expect(try await found(gateway, ada) == ["Song 2"])
        }
    }

    @Test("Listens follow a track that is merged and split again, without a sync")
    func mergedAndSplitTracks() async throws {
        try await TestGateway.run { gateway in
            let ada = try await LibraryPerson(gateway)
            try await ada.fill()
            try await record([listen("Song 2", minute: 1), listen("Song 3", minute: 2)], of: ada)
            try await resolve(gateway)
            func tracks() async throws -> [LibraryID] {
                try await gateway.database.read {
                    try $0.listening.listens(userID: ada.userID, limit: 9).items.compactMap(\.trackID)
                }
            }
            let before = try await tracks()
            #expect(Set(before).count == 2)
            let merged = try await ada.write {
                try $0.trackIdentity.merge(before, userID: ada.userID, now: LibraryPerson.began)
            }
            try await resolve(gateway)
            #expect(try await tracks() == [merged.track, merged.track])
            _ = try await ada.write {
                try $0.trackIdentity.undo(merged.decision, userID: ada.userID, now: LibraryPerson.began)
            }
            try await resolve(gateway)
            #expect(Set(try await tracks()) == Set(before))
        }
    }

    @Test("Tracks count their listens besides the services' numbers, and counts follow deleted and removed listens")
    func countsOfTracks() async throws {
        try await TestGateway.run { gateway in
            let ada = try await LibraryPerson(gateway)
            try await ada.fill()
            let scan = try await ada.scan(.appleMusic)
            var played = SourceTrack(
                sourceID: "appleMusic-3", title: "Song 3", artist: "Björk & Friends", album: "Début")
            played.playCount = 2
            _ = try await ada.write { [played] transaction in
                try transaction.tracks.storeSavedTracks([played], by: scan, isWhole: false, now: LibraryPerson.began)
            }
            try await record(
                (1...3).map { listen("Song 3", minute: $0) } + (4...8).map { listen("Song 0", minute: $0) }
                    + [listen("SONG 3", minute: 9)], of: ada)
            try await resolve(gateway)
            #expect(try await counts(gateway, ada) == ["Song 0": 5, "Song 3": 4])
            let sorted = try await gateway.database.read { reader in
                try reader.tracks.page(userID: ada.userID, TrackListQuery(sort: .playCount, limit: 2)).items
            }
            #expect(sorted.map(\.title) == ["Song 0", "Song 3"])
            #expect(sorted.map(\.playCount) == [5, 4] && sorted.map(\.servicePlayCount) == [0, 2])

            let id = try await gateway.database.read { reader in
                try #require(try reader.listening.listens(userID: ada.userID, limit: 1).items.first?.id)
            }
            _ = try await ada.write { try $0.listening.deleteListen(id, userID: ada.userID, now: .now()) }
            try await resolve(gateway)
            #expect(try await counts(gateway, ada) == ["Song 0": 5, "Song 3": 3])
            // A sync that finds another play count leaves that of the listens.
            played.playCount = 9
            _ = try await ada.write { [played] transaction in
                try transaction.tracks.storeSavedTracks([played], by: scan, isWhole: false, now: LibraryPerson.began)
            }
            #expect(try await counts(gateway, ada) == ["Song 0": 5, "Song 3": 3])
            _ = try await ada.write {
                try $0.listening.beginRemoval(of: .listenBrainz, userID: ada.userID, now: .now())
            }
            try await ListenRemovals(database: gateway.database).run()
            try await resolve(gateway)
            #expect(try await counts(gateway, ada).isEmpty)
            let track = try await gateway.database.read { reader in
                try reader.tracks.page(userID: ada.userID, TrackListQuery(sort: .playCount, limit: 1)).items.first
            }
            #expect(track?.title == "Song 3" && track?.playCount == 9)
        }
    }

    @Test("Damaged rows of one person are reported, and keep nobody else from their turn")
    func damagedRows() async throws {
        try await TestGateway.run { gateway in
            let (ada, bob) = (try await LibraryPerson(gateway), try await LibraryPerson(gateway, name: "bob"))
            for person in [ada, bob] {
                try await person.fill()
                try await record([listen("Song 2", minute: 1)], of: person)
            }
            _ = try await ada.write {
                try $0.run(
                    .onlySQLite(
                        """
                        UPDATE listen_songs SET duration_ms = 'damaged'
                        WHERE history_id = (SELECT id FROM listen_histories WHERE user_id = \(ada.userID))
                        """))
            }
            let resolving = ListenResolving(database: gateway.database)
            await #expect(throws: StorageError.self) { try await resolving.run() }
            try await resolving.count()
            #expect(try await counts(gateway, bob) == ["Song 2": 1])
            for person in [ada, bob] {
                _ = try await person.write {
                    try $0.listening.beginRemoval(of: .listenBrainz, userID: person.userID, now: .now())
                }
            }
            await #expect(throws: StorageError.self) { try await ListenRemovals(database: gateway.database).run() }
            let left = try await gateway.database.read { try $0.listening.sourceRemovals(limit: 9).map(\.userID) }
            #expect(left == [ada.userID])
            #expect(try await found(gateway, bob).isEmpty)
        }
    }
}
