import Model
import TestSupport
import Testing

@testable import Library
@testable import LibraryEdits
@testable import LibrarySync
@testable import LibraryWriting
@testable import Storage

@Suite("What a library shows of edits, with syncs in between")
struct EditLibraryTests {
    private func isSaved(_ id: String, in fixture: EditFixture) async throws -> Bool {
        let parts = try await fixture.library.tracks().flatMap(\.parts)
        let row = try #require(parts.first { $0.track.sourceID == id })
        return row.isSaved && row.missingSince == nil
    }

    /// The seconds of the fixture's clock.
    private func seconds(_ fixture: EditFixture) -> Int64 {
        fixture.now.microseconds / 1_000_000 - 1_700_000_000
    }

    @Test("A song is removed immediately, and an earlier page does not bring it back")
    func removedSong() async throws {
        try await EditFixture.run { fixture in
            let songs = EditFixture.songs(.spotify)
            let edit = try await fixture.begin(.unsave(try await fixture.references([3]), .spotify))
            #expect(try await !isSaved("s3", in: fixture))
            try await fixture.library.save(songs, .spotify, account: "account-1", at: seconds(fixture))
            #expect(try await !isSaved("s3", in: fixture))
            #expect(try await fixture.finish(edit).state == .complete)
            try await fixture.library.save(songs, .spotify, account: "account-1", at: seconds(fixture) + 1)
            #expect(try await !isSaved("s3", in: fixture))
            // A song that is saved again later does come back.
            var again = songs[3]
            again.addedAt = fixture.now.advanced(by: .seconds(5))
            try await fixture.library.save([again], .spotify, account: "account-1", at: seconds(fixture) + 9)
            #expect(try await isSaved("s3", in: fixture))
            #expect(
                try await fixture.library.changes().suffix(2) == ["missing track Title 3", "returned track Title 3"])
        }
    }

    @Test("A song that is saved under two ids is removed under both")
    func removingReleases() async throws {
        try await EditFixture.run { fixture in
            let songs = ["s800", "s801"].map {
                SourceTrack.made($0, "Twice", by: "Somebody", on: "Album \($0)", isrc: "DEAAA2000001", added: 1)
            }
            try await fixture.library.save(songs, .spotify, account: "account-1")
            let id = try await fixture.library.track(of: "s800")
            #expect(try await fixture.library.track(of: "s801") == id)
            fixture.saved = ["s800", "s801", "s3"]
            let edit = try await fixture.finish(try await fixture.begin(.unsave([.library(id)], .spotify)))
            #expect(edit.state == .complete && edit.done == 2 && edit.total == 2)
            #expect(fixture.saved == ["s3"])
            for song in songs { #expect(try await !isSaved(song.sourceID, in: fixture)) }
        }
    }

    @Test("A song is saved immediately, and a reading that does not show it yet does not mark it as missing")
    func savedSong() async throws {
        try await EditFixture.run { fixture in
            var songs = EditFixture.songs(.spotify)
            let new = SourceTrack.made("s900", "Other", by: "Somebody")
            let playlist = SourcePlaylist(sourceID: "p9", name: "Theirs")
            try await fixture.library.read(
                playlist, [SourcePlaylistEntry(position: 0, content: .track(new), addedAt: nil)], .spotify,
                account: "account-1")
            let id = try await fixture.library.track(of: "s900")
            let edit = try await fixture.begin(.save([.library(id)], .spotify))
            #expect(try await isSaved("s900", in: fixture))
            try await fixture.finish(edit)
            songs.removeAll { $0.sourceID == "s7" }
            try await fixture.library.readWhole(songs, .spotify, account: "account-1", at: seconds(fixture))
            #expect(try await isSaved("s900", in: fixture))
            #expect(try await !isSaved("s7", in: fixture))
            #expect(try await fixture.library.changes().filter { $0.hasSuffix("Other") } == ["added track Other"])
        }
    }

    @Test("A song that the service refuses returns to its former state")
    func takenBack() async throws {
        try await EditFixture.run { fixture in
            let before = try await fixture.library.tracks().map(\.values)
            let edit = try await fixture.begin(.unsave(try await fixture.references([1]), .spotify))
            fixture.service.change {
                $0.failures["account"] = ProviderFailure(.spotify, .connectionNeeded, message: "Connect it again.")
            }
            let ended = try await fixture.finish(edit)
            #expect(ended.state == .failed && ended.error?.message == "Connect it again.")
            #expect(try await fixture.library.tracks().map(\.values) == before)
        }
    }

    @Test("A missing permission is reported")
    func missingPermission() async throws {
        try await EditFixture.run { fixture in
            let edit = try await fixture.begin(.unsave(try await fixture.references([1]), .spotify))
            fixture.service.change {
                $0.failures["account"] = ProviderFailure(
                    .spotify, .accessTokenRefusedAgain, message: "Spotify refuses the access token.")
            }
            let error = try await fixture.finish(edit).error
            #expect(error?.message.contains("a permission is missing. Connect Spotify again") == true)
        }
    }

    @Test("Another account's library is not changed")
    func otherAccount() async throws {
        try await EditFixture.run { fixture in
            let edit = try await fixture.begin(.unsave(try await fixture.references([1]), .spotify))
            fixture.service.change { $0.account = "account-2" }
            #expect(try await fixture.finish(edit).error?.code == "otherAccount")
            #expect(fixture.calls == 0)
        }
    }

    @Test("A song of Apple Music's catalog becomes the song that the library shows later")
    func songOfTheCatalog() async throws {
        try await EditFixture.run(.appleMusic) { fixture in
            try await fixture.library.database.write { [library = fixture.library] in
                try $0.library.setStorefront("de", of: .appleMusic, library: library.libraryID)
            }
            let edit = try await fixture.begin(.save([.catalog(.appleMusic, "777")], .appleMusic))
            #expect(try await fixture.finish(edit).state == .complete)
            #expect(try await isSaved("777", in: fixture))
            var shown = SourceTrack.made("i.777", "Described 777", by: "Artist", on: "")
            (shown.catalogID, shown.storefront) = ("777", "de")
            let songs = EditFixture.songs(.appleMusic) + [shown]
            try await fixture.library.readWhole(songs, .appleMusic, account: "account-1", at: seconds(fixture) + 1)
            let rows = try await fixture.library.tracks().flatMap(\.parts).filter { $0.track.catalogID == "777" }
            #expect(rows.map(\.track.sourceID) == ["i.777"])
            #expect(try await fixture.library.changes().filter { $0.hasSuffix("777") } == ["added track Described 777"])
        }
    }

    @Test("A sync shows neither entries from before an edit, nor after the edit those that it read before")
    func entriesDuringASync() async throws {
        try await EditFixture.run { fixture in
            let id = try await fixture.readPlaylist([1, 2])
            fixture.setNumbers([1, 2, 3], of: "p0")
            // A sync reads the list, and shows it after the edit.
            let scan = try await fixture.library.scan(.spotify, account: "account-1")
            let listed = try #require(fixture.service.content.playlists.first)
            let entries = try #require(fixture.service.content.entries["p0"])
            let (library, moment) = (fixture.library, fixture.now)
            let due = try await library.database.write { transaction in
                let due = try transaction.playlists.storePlaylists([listed], by: scan, isWhole: false, now: moment)
                    .toRead
                _ = try transaction.playlists.stageEntries(
                    entries, of: due[0].id, edits: due[0].edits, by: scan, now: moment)
                return due[0]
            }
            let edit = try await fixture.begin(.addTracks(try await fixture.references([4, 4]), playlist: id))
            #expect(try await fixture.shown(id) == [1, 2, 4, 4])
            let isShown = try await library.database.write {
                try $0.playlists.showStagedEntries(of: due, by: scan, now: moment)
            }
            #expect(!isShown)
            #expect(try await fixture.shown(id) == [1, 2, 4, 4])
            let left = try await library.database.read {
                try $0.playlists.playlistsToRead(by: scan, after: 0, limit: 9, now: moment)
            }
            #expect(left.isEmpty)
            #expect(try await fixture.finish(edit).state == .complete)
            #expect(fixture.numbers("p0") == [1, 2, 3, 4, 4])
        }
    }

    @Test("A new name and a new playlist are kept while the service does not show them")
    func namesDuringASync() async throws {
        try await EditFixture.run { fixture in
            let id = try await fixture.readPlaylist([1])
            let renaming = try await fixture.begin(.rename(name: "Evening", description: nil, playlist: id))
            try await fixture.readAgain()
            #expect(try await fixture.playlist("Evening")?.id == id)
            let creating = try await fixture.begin(
                .createPlaylist(name: "New", description: nil, isPublic: false, tracks: [], .spotify))
            #expect(try await fixture.playlist("New") != nil)
            #expect(try await fixture.finish(renaming).state == .complete)
            #expect(try await fixture.finish(creating).state == .complete)
            #expect(fixture.service.content.playlists.map(\.name) == ["New", "Evening"])
            #expect(try await fixture.playlist("New")?.sourceID == "p1")
        }
    }

    @Test("A long list is staged in parts before it is shown without some entries")
    func stagedList() async throws {
        try await EditFixture.run { fixture in
            let list = (0..<1_300).map { $0 % 200 }
            let id = try await fixture.readPlaylist(list)
            let version = try #require(try await fixture.playlist("Mix")).version
            let positions = [0, 499, 500, 777, 1_299]
            var (staged, next): (Int64?, Int?) = (nil, 0)
            var parts = 0
            while let start = next {
                let (library, former, now) = (fixture.library, staged, fixture.now)
                let part = try await library.database.write {
                    try $0.edits.stage(
                        positions, version: version, of: id, as: former, from: start, userID: library.userID, now: now)
                }
                (staged, next) = (part?.version, part?.next)
                parts += 1
            }
            #expect(parts == 3)
            #expect(try await fixture.shown(id) == list)
            let (library, shown, now) = (fixture.library, staged, fixture.now)
            let edit = try await library.database.write {
                try $0.edits.begin(
                    .removeEntries(positions: positions, version: version, playlist: id), userID: library.userID,
                    ownIDs: ["me"], staged: shown, now: now)
            }
            let expected = list.indices.filter { !positions.contains($0) }.map { list[$0] }
            #expect(try await fixture.shown(id) == expected)
            #expect(edit.undo.shownVersion == staged)
            #expect(try await fixture.finish(edit).state == .complete)
            #expect(fixture.numbers("p0") == expected)
            #expect(try await library.entryCounts().count == 2)
        }
    }

    @Test("Refusals happen before anything is written")
    func refusedEdits() async throws {
        try await EditFixture.run { fixture in
            let id = try await fixture.readPlaylist([1, 2])
            let version = try #require(try await fixture.playlist("Mix")).version
            let before = try await fixture.library.rows()
            func refusal(_ change: EditChange) async throws -> EditRefusal? {
                do {
                    _ = try await fixture.begin(change)
                    return nil
                } catch let refusal as EditRefusal { return refusal }
            }
            #expect(
                try await refusal(.save([.catalog(.appleMusic, "1")], .spotify))
                    == .trackNotInSource(.spotify, title: nil))
            #expect(
                try await refusal(.save([.catalog(.spotify, "short")], .spotify))
                    == .invalidCatalogID(.spotify, "short"))
            #expect(
                try await refusal(.save(try await fixture.references([1]), .appleMusic)) == .sourceNotRead(.appleMusic))
            #expect(
                try await refusal(.removeEntries(positions: [0], version: "0-0", playlist: id)) == .playlistChanged)
            #expect(
                try await refusal(.removeEntries(positions: [2], version: version, playlist: id)) == .playlistChanged)
            #expect(
                try await refusal(.unsave(try await fixture.references([1]), .appleMusic))
                    == .notSupported(.appleMusic, .unsave))
            try await fixture.library.read(
                SourcePlaylist(sourceID: "x", name: "From a file"), [], .appleMusic, account: accountOfFiles)
            let file = try #require(try await fixture.playlist("From a file")).id
            #expect(
                try await refusal(.addTracks(try await fixture.references([1]), playlist: file)) == .playlistOfFile)
            try await fixture.library.database.write {
                try $0.run("UPDATE library_playlists SET entries_state = 'forbidden' WHERE name = 'Mix'")
            }
            #expect(
                try await refusal(.removeEntries(positions: [0], version: version, playlist: id))
                    == .entriesNotShown(.spotify))
            fixture.service.change { $0.playlists[0].ownerID = "somebody" }
            fixture.setNumbers([1, 2], of: "p0")
            try await fixture.readAgain()
            #expect(
                try await refusal(.addTracks(try await fixture.references([1]), playlist: id))
                    == .notYourPlaylist(.spotify))
            #expect(try await fixture.library.rows()["library_tracks"] == before["library_tracks"])
        }
    }
}
