import Model
import Testing

@testable import Library

@Suite("What reading a list tells about a write without an answer")
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
            shown: ShownEntries(
                mark: PlaylistMark(count: list.count, version: present), start: start,
                entries: entries(Array(list.dropFirst(start)), from: start)), of: source)
    }

    @Test("The same version is the same list")
    func version() {
        #expect(
            finding(adding: ["x"], to: 2, version: "a", now: ["x", "x"], "a")
                == .notDone(PlaylistMark(count: 2, version: "a")))
    }

    @Test("Songs that the list had before count by their number")
    func doubled() {
        let now = PlaylistMark(count: 3, version: "b")
        #expect(finding(adding: ["x"], to: 2, now: ["x", "x", "x"]) == .done(now))
        #expect(finding(adding: ["x", "y"], to: 2, now: ["x", "y", "x"]) == .partly(1, now))
        #expect(finding(adding: ["x"], to: 3, now: ["x", "y", "z"]) == .notDone(now))
    }

    @Test("What others added before or behind is told apart")
    func others() {
        let now = PlaylistMark(count: 4, version: "b")
        #expect(finding(adding: ["x"], to: 2, now: ["a", "b", "x", "q"]) == .done(now))
        #expect(finding(adding: ["x"], to: 2, now: ["a", "b", "q", "x"]) == .done(now))
        #expect(finding(adding: ["x", "y"], to: 2, now: ["a", "b", "q", "r"]) == .notDone(now))
        #expect(finding(adding: ["x", "y"], to: 2, now: ["a", "b", "q", "x"]) == .unclear(.listChanged))
    }

    @Test("A list that is shorter, or ends as if the songs were there, leaves it open")
    func open() {
        #expect(finding(adding: ["x"], to: 4, now: ["a", "b", "x"]) == .unclear(.listChanged))
        #expect(finding(adding: ["x"], to: 3, now: ["a", "b", "x"]) == .unclear(.listChanged))
        // Apple Music shows late, so that a list without them says nothing.
        #expect(
            finding(adding: ["1"], to: 3, version: nil, now: ["7", "8", "9"], nil, of: .appleMusic) == .notShown)
        // Nor does one without songs that it has confirmed, or with those of others alone.
        #expect(finding(adding: ["1"], to: 3, version: nil, now: ["7", "8"], nil, of: .appleMusic) == .notShown)
        #expect(finding(adding: ["1"], to: 1, version: nil, now: ["7", "8"], nil, of: .appleMusic) == .notShown)
    }

    @Test("Entries without ids of the catalog count by their number alone")
    func unknownIDs() {
        let done = finding(
            adding: ["1", "2"], to: 1, version: nil, now: ["i.a", "i.b", "i.c"], nil, of: .appleMusic)
        #expect(done == .done(PlaylistMark(count: 3, version: nil)))
        let open = finding(adding: ["1", "2"], to: 1, version: nil, now: ["i.a", "i.b"], nil, of: .appleMusic)
        #expect(open == .unclear(.listChanged))
    }

    @Test("A playlist of that name is the new one if there is one alone")
    func playlists() {
        #expect(EditFinding.creating(among: [], of: .spotify).finding == .notDone(nil))
        #expect(EditFinding.creating(among: [], of: .appleMusic).finding == .notShown)
        #expect(EditFinding.creating(among: ["a"], of: .spotify).id == "a")
        #expect(EditFinding.creating(among: ["a", "b"], of: .spotify).finding == .unclear(.playlists(["a", "b"])))
    }

    @Test("Entries that stay are put back in ascending order, in runs")
    func removal() {
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
