import Model
import Testing

@testable import LibraryEdits

@Suite("What reading a list shows about a write without an answer")
struct EditFindingTests {
    private func entries(_ ids: [String], from start: Int) -> [SourcePlaylistEntry] {
        ids.enumerated().map {
            SourcePlaylistEntry(position: start + $0, content: .track(.made($1)), addedAt: nil)
        }
    }

    /// - Parameter list: the whole list as it is now.
    private func finding(
        adding ids: [String], to count: Int, version: String? = "a", now list: [String], _ present: String? = "b",
        of source: MusicSource = .spotify
    ) -> EditFinding {
        let start = max(0, count - ids.count)
        return .appending(
            ids.map { EditTrack(id: $0) }, to: PlaylistMark(count: count, version: version),
            shown: PlaylistExcerpt(
                mark: PlaylistMark(count: list.count, version: present), start: start,
                entries: entries(Array(list.dropFirst(start)), from: start)), of: source)
    }

    @Test("The same version is the same list")
    func sameVersion() {
        #expect(
            finding(adding: ["x"], to: 2, version: "a", now: ["x", "x"], "a")
                == .notDone(PlaylistMark(count: 2, version: "a")))
    }

    @Test("Counts of an unchanged list are kept for the next attempt")
    func countsOfAnUnchangedList() {
        let before = PlaylistMark(count: 2, version: "a", songs: ["x": 1])
        let shown = PlaylistExcerpt(
            mark: PlaylistMark(count: 2, version: "a"), start: 0, entries: entries(["x", "y"], from: 0))
        let tracks = [EditTrack(id: "x")]
        #expect(EditFinding.appending(tracks, to: before, shown: shown, of: .spotify) == .notDone(before))
        #expect(EditFinding.inserting(tracks, at: 1, in: before, shown: shown, of: .spotify) == .notDone(before))
    }

    @Test("Songs that the list already had are distinguished by their number")
    func songsAddedTwice() {
        let now = PlaylistMark(count: 3, version: "b")
        #expect(finding(adding: ["x"], to: 2, now: ["x", "x", "x"]) == .done(now))
        // Spotify writes all songs of a request or none, so somebody else has added the same song.
        #expect(finding(adding: ["x", "y"], to: 2, now: ["x", "y", "x"]) == .unclear(.listChanged))
        let apple = PlaylistMark(count: 3, version: nil)
        #expect(
            finding(adding: ["1", "2"], to: 2, version: nil, now: ["1", "2", "1"], nil, of: .appleMusic)
                == .partly(1, apple))
        #expect(finding(adding: ["x"], to: 3, now: ["x", "y", "z"]) == .notDone(now))
    }

    @Test("Songs that others added before or after are recognized")
    func songsOfOthers() {
        let now = PlaylistMark(count: 4, version: "b")
        #expect(finding(adding: ["x"], to: 2, now: ["a", "b", "x", "q"]) == .done(now))
        #expect(finding(adding: ["x"], to: 2, now: ["a", "b", "q", "x"]) == .done(now))
        #expect(finding(adding: ["x", "y"], to: 2, now: ["a", "b", "q", "r"]) == .notDone(now))
        #expect(finding(adding: ["x", "y"], to: 2, now: ["a", "b", "q", "x"]) == .unclear(.listChanged))
    }

    @Test("Repeated songs are not mistaken for part of a write that others' removals may have shifted")
    func repeatedSongs() {
        func finding(adding ids: [String], to count: Int, now list: [String]) -> EditFinding {
            self.finding(adding: ids, to: count, version: nil, now: list, nil, of: .appleMusic)
        }
        #expect(finding(adding: ["1", "1"], to: 3, now: ["7", "8", "1", "1"]) == .unclear(.listChanged))
        #expect(
            finding(adding: ["1", "2", "1", "2"], to: 4, now: ["7", "8", "1", "2", "1", "2"])
                == .unclear(.listChanged))
        // Two of three were written, one of which takes the place of the removed entry.
        #expect(finding(adding: ["1", "1", "1"], to: 3, now: ["7", "8", "1", "1"]) == .unclear(.listChanged))
        let now = PlaylistMark(count: 4, version: nil)
        #expect(finding(adding: ["1", "1"], to: 3, now: ["7", "8", "9", "1"]) == .partly(1, now))
        #expect(finding(adding: ["1", "1"], to: 3, now: ["7", "1", "9", "1"]) == .partly(1, now))
    }

    @Test("A list that is shorter, or ends as if the songs were there, leaves the outcome open")
    func outcomeStaysOpen() {
        #expect(finding(adding: ["x"], to: 4, now: ["a", "b", "x"]) == .unclear(.listChanged))
        #expect(finding(adding: ["x"], to: 3, now: ["a", "b", "x"]) == .unclear(.listChanged))
        // Apple Music shows changes late, so a list without the songs proves nothing.
        #expect(
            finding(adding: ["1"], to: 3, version: nil, now: ["7", "8", "9"], nil, of: .appleMusic) == .notShown)
        // Neither does a list without songs that it has confirmed, or with only songs of others.
        #expect(finding(adding: ["1"], to: 3, version: nil, now: ["7", "8"], nil, of: .appleMusic) == .notShown)
        #expect(finding(adding: ["1"], to: 1, version: nil, now: ["7", "8"], nil, of: .appleMusic) == .notShown)
    }

    @Test("Entries without catalog ids only count by their number")
    func unknownIDs() {
        let done = finding(
            adding: ["1", "2"], to: 1, version: nil, now: ["i.a", "i.b", "i.c"], nil, of: .appleMusic)
        #expect(done == .done(PlaylistMark(count: 3, version: nil)))
        let open = finding(adding: ["1", "2"], to: 1, version: nil, now: ["i.a", "i.b"], nil, of: .appleMusic)
        #expect(open == .unclear(.listChanged))
    }

    /// - Parameters:
    ///   - ids: the songs that are written.
    ///   - position: the position; `nil` adds at the end.
    private func counted(
        _ ids: [String], at position: Int? = nil, in before: [String], now list: [String], _ present: String = "b"
    ) -> EditFinding {
        let songs = before.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        let mark = PlaylistMark(count: before.count, version: "a", songs: songs.filter { ids.contains($0.key) })
        let shown = PlaylistExcerpt(
            mark: PlaylistMark(count: list.count, version: present), start: 0, entries: entries(list, from: 0))
        let tracks = ids.map { EditTrack(id: $0) }
        let finding: EditFinding =
            if let position { .inserting(tracks, at: position, in: mark, shown: shown, of: .spotify) } else {
                .appending(tracks, to: mark, shown: shown, of: .spotify)
            }
        return finding
    }

    private func isDone(_ finding: EditFinding) -> Bool { if case .done = finding { true } else { false } }

    private func isNotDone(_ finding: EditFinding) -> Bool { if case .notDone = finding { true } else { false } }

    @Test("Songs that were counted before are counted again, no matter what others add and remove")
    func recountedSongs() {
        // Others have removed one song, so the list is as long as before.
        #expect(isDone(counted(["x"], at: 1, in: ["a", "b", "c"], now: ["a", "x", "b"])))
        #expect(isDone(counted(["x"], in: ["a", "b", "c"], now: ["b", "c", "x"])))
        #expect(isNotDone(counted(["x"], at: 1, in: ["a", "b", "c"], now: ["a", "b", "c", "q"])))
        // The song was also at the end of the list before.
        #expect(isNotDone(counted(["x"], in: ["x", "a", "b", "c"], now: ["x", "a", "b", "c", "q"])))
        #expect(isDone(counted(["x"], in: ["a", "x"], now: ["a", "x", "x"])))
        #expect(isDone(counted(["x", "y"], in: ["x"], now: ["x", "x", "y", "q"])))
        #expect(isNotDone(counted(["x"], in: ["a"], now: ["a"], "a")))
        // Others have added the same song elsewhere, or removed it.
        #expect(
            counted(["x"], at: 1, in: ["a", "b", "c", "d"], now: ["a", "b", "c", "d", "x"]) == .unclear(.listChanged))
        #expect(counted(["x"], in: ["x", "a"], now: ["a", "x"]) == .unclear(.listChanged))
        #expect(counted(["x", "y"], in: ["a"], now: ["a", "x"]) == .unclear(.listChanged))
    }

    @Test("A removal was made if no entry is left, and not made if all are still there")
    func completeRemoval() {
        func finding(_ left: Int, _ version: String = "b") -> EditFinding {
            .removing(
                ["x", "y"], entries: 3, in: PlaylistMark(count: 5, version: "a"),
                now: PlaylistMark(count: 4, version: version, songs: ["x": left]))
        }
        #expect(isDone(finding(0)))
        #expect(isNotDone(finding(0, "a")))
        #expect(isNotDone(finding(3)))
        #expect(finding(1) == .unclear(.partlyRemoved))
    }

    private func created(
        _ candidates: [CreationCandidate], _ source: MusicSource, isFirst: Bool = false, isMade: Bool = false
    ) -> (finding: EditFinding, id: String?) {
        EditFinding.creating(among: candidates, isFirstLook: isFirst, isMade: isMade, of: source)
    }

    private func candidate(
        _ id: String, _ count: Int? = 0, _ hasDescription: Bool = true, hasOurs: Bool = false
    ) -> CreationCandidate {
        CreationCandidate(id: id, count: count, hasDescription: hasDescription, beginsWithSongs: hasOurs)
    }

    @Test("A new playlist is the only one that is empty and has the description")
    func createdPlaylist() {
        #expect(created([], .spotify).finding == .notDone(nil))
        #expect(created([], .appleMusic).finding == .notShown)
        #expect(created([candidate("a")], .spotify, isFirst: true).id == "a")
        #expect(created([candidate("a", nil)], .appleMusic).id == "a")
        #expect(created([candidate("a", 2), candidate("b")], .spotify).id == "b")
        for other in [candidate("a", 2), candidate("a", 0, false)] {
            #expect(created([other], .spotify).finding == .unclear(.playlists(["a"])))
            #expect(created([other], .spotify, isMade: true).id == "a")
        }
        let two = [candidate("a"), candidate("b")]
        #expect(created(two, .spotify).finding == .unclear(.playlists(["a", "b"])))
        #expect(created(two, .spotify, isMade: true).id == "a")
    }

    @Test("A service that shows changes late is read twice before a playlist is chosen or the user is asked")
    func latePlaylists() {
        // It may be a different playlist whose songs are not shown yet.
        #expect(created([candidate("a")], .appleMusic, isFirst: true).finding == .notYet(.playlists(["a"])))
        #expect(created([candidate("a", 1)], .appleMusic, isFirst: true).finding == .notYet(.playlists(["a"])))
        #expect(created([candidate("a", 1)], .appleMusic).finding == .unclear(.playlists(["a"])))
        // The user says that it was created. It may not be shown yet.
        #expect(created([candidate("a", 1)], .appleMusic, isFirst: true, isMade: true).id == nil)
        #expect(created([candidate("b"), candidate("a", 1)], .appleMusic, isMade: true).id == "b")
    }

    @Test("Of several playlists with songs, none is chosen unless exactly one begins with those of the edit")
    func filledPlaylists() {
        let others = [candidate("a", 1), candidate("b", 2)]
        for source in [MusicSource.spotify, .appleMusic] {
            #expect(created(others, source, isMade: true).finding == .unclear(.playlists(["a", "b"])))
            #expect(created(others + [candidate("c", 3, hasOurs: true)], source, isMade: true).id == "c")
            #expect(created([candidate("c", 3, hasOurs: true)], source).finding == .unclear(.playlists(["c"])))
        }
    }

    @Test("Entries that stay are put back in ascending order, in runs")
    func entriesPutBack() {
        let tracks = (0..<3).map { EditTrack(id: "t\($0)") }
        func entry(_ position: Int, _ track: Int) -> RemovalPlan.Entry {
            .init(position: position, track: tracks[track])
        }
        // 0 1 0 0 2 1, removing the first 0 and the last 1.
        let plan = RemovalPlan(
            removing: [0, 5], of: [entry(0, 0), entry(1, 1), entry(2, 0), entry(3, 0), entry(5, 1)], chunk: 100)
        #expect(
            plan.actions == [
                .verify, .remove(["t0", "t1"], entries: 5),
                .insert([tracks[1], tracks[0], tracks[0]], position: 0),
            ])
    }
}
