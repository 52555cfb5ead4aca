import Testing

@testable import UpstreamSimulator

@Suite("Libraries of the simulated services")
struct PersonalLibraryTests {
    private let catalog = RecordingCatalog(seed: 1, count: 8_000)

    private func library(_ service: MusicService, _ change: (inout LibraryPlan) -> Void) -> PersonalLibrary {
        var plan = LibraryPlan()
        change(&plan)
        return PersonalLibrary(plan, of: "somebody", on: service, catalog: catalog)
    }

    @Test("Spotify lists the newest first, Apple by title, each track once")
    func orderOfLibraries() {
        let spotify = library(.spotify) { $0.tracks = 500 }
        #expect(spotify.saved.count == 500)
        #expect(spotify.saved.map(\.addedAt) == spotify.saved.map(\.addedAt).sorted(by: >))
        #expect(Set(spotify.saved.map(\.entry)).count == 500)
        let apple = library(.apple) {
            $0.tracks = 500
            $0.hidden = 0
        }
        let titles = apple.saved.map { apple.title(of: $0.entry).lowercased() }
        #expect(titles == titles.sorted())
        #expect(apple.saved.filter { $0.kind == .upload }.count == 10)
    }

    @Test("Two libraries with the same seed share the recordings of the range that both have")
    func sharedRecordings() {
        let spotify = library(.spotify) {
            $0.tracks = 300
            $0.oddities = false
        }
        let apple = library(.apple) {
            $0.tracks = 200
            $0.first = 180
            $0.oddities = false
        }
        let shared = Set(spotify.saved.map(\.entry.recording)).intersection(apple.saved.map(\.entry.recording))
        #expect(shared.count == 120)
    }

    @Test("Playlists of one taste share songs, and the withheld songs are suitable continuations")
    func tastesOfPlaylists() {
        let library = library(.spotify) {
            ($0.tracks, $0.playlists, $0.entries, $0.tastes, $0.oddities) = (2_000, 20, 25, 10, false)
        }
        let saved = Set(library.saved.map { library.id(of: $0) })
        func songs(_ index: Int) -> Set<String> {
            Set(library.summary.playlists[index].withheld ?? [])
        }
        for index in 0..<20 {
            #expect(!songs(index).isEmpty && songs(index).isSubset(of: saved))
        }
        // Of 20 playlists, 0 and 10 have the same taste, and 0 and 1 have different ones.
        #expect(songs(0).intersection(songs(10)).count > songs(0).intersection(songs(1)).count)
    }

    @Test("Changes do what they say, and one that is impossible changes nothing")
    func changesOfLibraries() throws {
        var library = library(.spotify) {
            $0.tracks = 100
            $0.albums = 3
        }
        func change(_ edit: (inout LibraryChange) -> Void) throws -> (added: [String], removed: [String]) {
            var change = LibraryChange()
            edit(&change)
            return try library.apply(change)
        }
        let newest = library.saved[0]
        let swapped = try change { $0.replace = 1 }
        #expect(library.saved.count == 100 && swapped.added.count == 1 && swapped.removed.count == 1)
        #expect(library.id(of: library.saved[0]) == swapped.added[0])
        #expect(library.saved[0].addedAt > newest.addedAt)
        let back = try change { $0.readd = 1 }
        #expect(back.added == swapped.removed && library.saved.count == 101)
        _ = try change { $0.removeIds = back.added }
        #expect(library.saved.count == 100)
        _ = try change {
            $0.add = 5
            $0.remove = 2
            $0.addAlbums = 1
        }
        #expect(library.saved.count == 103 && library.albums.count == 4)
        let first = library.id(of: library.saved[0])
        _ = try change { $0.rename = .init(id: first, title: "Another title") }
        #expect(library.titles.values.contains("Another title"))
        #expect(throws: InvalidSetting.self) {
            _ = try change {
                $0.add = 1
                $0.removeIds = ["unknown"]
            }
        }
        #expect(throws: InvalidSetting.self) { _ = try change { $0.remove = 1_000 } }
        #expect(library.saved.count == 103)
    }

    @Test("A playlist's snapshot changes with each edit, and only then")
    func snapshotsOfPlaylists() throws {
        var library = library(.spotify) {
            $0.tracks = 50
            $0.playlists = 6
            $0.entries = 20
        }
        func snapshots() -> [String] { library.playlists.map { library.snapshot(of: $0) } }
        let before = snapshots()
        #expect(Set(before).count == 6 && before.allSatisfy { $0.count == 32 })
        var change = LibraryChange()
        change.add = 1
        _ = try library.apply(change)
        #expect(snapshots() == before)
        for kind in ["append", "remove", "replace", "reorder", "empty"] {
            let last = library.snapshot(of: library.playlists[5])
            var change = LibraryChange()
            let edit = try #require(LibraryChange.PlaylistEdit.Kind(rawValue: kind))
            change.playlists = [LibraryChange.PlaylistEdit(index: 5, edit: edit)]
            _ = try library.apply(change)
            #expect(library.snapshot(of: library.playlists[5]) != last, "\(kind)")
        }
        #expect(library.playlists[5].items.isEmpty)
        #expect(Array(snapshots().prefix(5)) == Array(before.prefix(5)))
    }

    @Test("A change can wait for a page of its list")
    func waitingChange() throws {
        let shelf = LibraryRegistry(.spotify, recordings: Recordings(catalog: catalog))
        var plan = LibraryPlan()
        plan.tracks = 10
        try shelf.fill("somebody", plan)
        var change = LibraryChange()
        change.add = 1
        change.after = .init(list: .tracks, page: 2)
        #expect(try shelf.change("somebody", change).waiting == 1)
        shelf.served(.items, of: "somebody")
        shelf.served(.tracks, of: "somebody")
        #expect(shelf.library(of: "somebody").saved.count == 10)
        shelf.served(.tracks, of: "somebody")
        #expect(shelf.library(of: "somebody").saved.count == 11)
        #expect(throws: InvalidSetting.self) { _ = try shelf.change("nobody", change) }
        plan.tracks = 9_000
        #expect(throws: InvalidSetting.self) { try shelf.fill("somebody", plan) }
    }

    @Test("Moments are written as services write them")
    func formsOfTimes() {
        #expect(CalendarText.moment(0) == "1970-01-01T00:00:00Z")
        #expect(CalendarText.moment(PersonalLibrary.newest) == "2026-11-01T00:00:00Z")
        #expect(CalendarText.moment(951_825_599) == "2000-02-29T11:59:59Z")
        #expect(CalendarText.moment(milliseconds: 951_825_599_007) == "2000-02-29T11:59:59.007Z")
    }
}
