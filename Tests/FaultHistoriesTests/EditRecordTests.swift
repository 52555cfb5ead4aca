import FaultHistories
import TestProcesses
import Testing

/// Records made by hand, each of which breaks one rule.
@Suite("Rules for the record of a history of edits")
struct EditRecordTests {
    private typealias Event = SimulatedUpstream.RecordedEvent
    private static let key = EditRecord.ListKey(.spotify, "list")
    private static let list = ListName.given(.spotify, 0)

    private static func change(
        _ author: Event.Author, _ entries: [String], kind: Event.Kind = .changed, at moment: Int = 0,
        list: String = "list", name: String = "List"
    ) -> Event {
        Event(at: moment, kind: kind, playlist: list, author: author, name: name, entries: entries)
    }

    private static func request(_ endpoint: String, fault: String? = nil, at moment: Int = 0) -> Event {
        Event(at: moment, kind: .request, playlist: "list", endpoint: endpoint, fault: fault)
    }

    /// A list of the songs a, b and s at the beginning.
    private static func record(
        _ events: [Event], final: [String], library: [String]? = nil, _ requests: [EditRecord.Request] = []
    ) -> EditRecord {
        var record = EditRecord()
        record.givenIDs = [.spotify: ["list"]]
        record.lists[key] = .init(name: "List", first: ["a", "b", "s"], final: final, library: library ?? final)
        record.events[.spotify] = events
        record.requests = requests
        return record
    }

    private static func edit(
        _ kind: AskedEdit.Kind, _ songs: [String], positions: [Int] = [], _ outcome: EditRecord.Outcome, tag: Int = 1
    ) -> EditRecord.Request {
        var request = EditRecord.Request(tag: tag, kind: kind)
        (request.songs, request.positions, request.answer) = (songs, positions, .accepted("\(tag)"))
        (request.outcome, request.list) = (outcome, key)
        return request
    }

    private static func rules(_ record: EditRecord) -> Set<Violation.Rule> { Set(record.violations.map(\.rule)) }

    private static let complete = EditRecord.Outcome(state: "complete", done: 1)
    private static let failed = EditRecord.Outcome(state: "failed", done: 0)

    @Test("A song that was added once is right, and twice or never is not")
    func addedSong() {
        let add = Self.edit(.add(Self.list, songs: [3]), ["x"], Self.complete)
        let once = Self.change(.app, ["a", "b", "s", "x"])
        #expect(Self.rules(Self.record([once], final: ["a", "b", "s", "x"], [add])).isEmpty)
        #expect(Self.rules(Self.record([], final: ["a", "b", "s"], [add])) == [.songsLost])
        let twice = ["a", "b", "s", "x", "x"]
        #expect(Self.rules(Self.record([once, Self.change(.app, twice)], final: twice, [add])) == [.songsDoubled])
        let isFailed = Self.edit(.add(Self.list, songs: [3]), ["x"], Self.failed)
        #expect(Self.rules(Self.record([once], final: ["a", "b", "s", "x"], [isFailed])) == [.songsDoubled])
    }

    @Test("Songs of others are neither lost nor duplicated")
    func songsOfOthers() {
        let added = Self.change(.person, ["a", "b", "s", "o"])
        #expect(Self.rules(Self.record([added], final: ["a", "b", "s", "o"])).isEmpty)
        #expect(
            Self.rules(Self.record([added, Self.change(.app, ["a", "b", "s"])], final: ["a", "b", "s"])) == [.songsLost]
        )
        let again = ["a", "b", "o", "s", "o"]
        #expect(Self.rules(Self.record([added, Self.change(.app, again)], final: again)) == [.songsDoubled])
    }

    @Test("A removal that ends halfway names what is missing")
    func unfinishedRemoval() {
        // s is there twice, and the first goes.
        let remove = AskedEdit.Kind.remove(Self.list, positions: [2])
        let events = [
            Self.change(.person, ["a", "b", "s", "s"]), Self.request("GET"), Self.request("DELETE", at: 5),
            Self.change(.app, ["a", "b"]),
        ]
        let silent = Self.edit(remove, ["s"], positions: [2], Self.failed)
        #expect(Self.rules(Self.record(events, final: ["a", "b"], [silent])) == [.songsLost])
        var outcome = Self.failed
        outcome.missing = [.init(uri: "spotify:s")]
        let named = Self.edit(remove, ["s"], positions: [2], outcome)
        #expect(Self.rules(Self.record(events, final: ["a", "b"], [named])).isEmpty)
        let whole = events + [Self.change(.app, ["a", "b", "s"])]
        let done = Self.edit(remove, ["s"], positions: [2], Self.complete)
        #expect(Self.rules(Self.record(whole, final: ["a", "b", "s"], [done])).isEmpty)
    }

    @Test("What others do to a song right before its removal cannot be known; what they do long before it can")
    func changesRightBeforeARemoval() {
        let remove = AskedEdit.Kind.remove(Self.list, positions: [2])
        let done = Self.edit(remove, ["s"], positions: [2], Self.complete)
        func record(deletedAt moment: Int, after fault: String? = nil) -> EditRecord {
            var events = [Self.request("GET")]
            if let fault { events.append(Self.request("DELETE", fault: fault, at: 10)) }
            events += [
                Self.change(.person, ["a", "b", "s", "s"]), Self.request("DELETE", at: moment),
                Self.change(.app, ["a", "b"]),
            ]
            return Self.record(events, final: ["a", "b"], [done])
        }
        #expect(Self.rules(record(deletedAt: 100_000)).isEmpty)
        #expect(Self.rules(record(deletedAt: 5_000_000)) == [.songsLost])
        #expect(Self.rules(record(deletedAt: 100_000, after: "limit429")) == [.songsLost])
    }

    @Test("A song that others remove right before a removal of it and another song may be gone once or twice")
    func removedTwice() {
        let remove = Self.edit(
            .remove(Self.list, positions: [1, 2]), ["b", "s"], positions: [1, 2], Self.complete)
        let add = Self.edit(.add(Self.list, songs: [3]), ["s"], Self.complete, tag: 2)
        func record(removing removed: [String], _ edits: [EditRecord.Request]) -> EditRecord {
            let left = ["a", "b", "s"].filter { $0 != "s" && !removed.contains($0) }
            let events = [
                Self.request("GET"), Self.change(.person, ["a", "b"]), Self.request("DELETE", at: 100_000),
                Self.change(.app, left), Self.request("POST", at: 200_000), Self.change(.app, left + ["s"]),
            ]
            return Self.record(events, final: left + ["s"], edits)
        }
        #expect(Self.rules(record(removing: ["b"], [remove, add])).isEmpty)
        // Another edit has removed b alone, and s only later.
        let other = Self.edit(.remove(Self.list, positions: [1]), ["b"], positions: [1], Self.complete, tag: 3)
        let later = Self.edit(.remove(Self.list, positions: [2]), ["s"], positions: [2], Self.complete, tag: 4)
        #expect(Self.rules(record(removing: ["b"], [other, later, add])) == [.songsDoubled])
    }

    @Test("What others do while an answer is lost cannot be known for the same song, but can for another one")
    func likeLostWrites() {
        let add = Self.edit(.add(Self.list, songs: [3]), ["x"], Self.complete)
        func record(removing final: [String]) -> EditRecord {
            let made = ["a", "b", "s", "x"]
            let events = [
                Self.request("POST", fault: "loseAnswer"), Self.change(.app, made),
                Self.change(.person, made.filter(final.contains)), Self.request("GET", at: 5),
                Self.request("POST", at: 10), Self.change(.app, made),
            ]
            return Self.record(events, final: made, [add])
        }
        // The product writes x again after others have removed it. In the second record s is back, which it never
        // writes.
        #expect(Self.rules(record(removing: ["a", "b", "s"])).isEmpty)
        #expect(Self.rules(record(removing: ["a", "b", "x"])) == [.songsDoubled])
    }

    @Test("What others did since a backup cannot be distinguished from what an edit did that was unfinished in it")
    func changesSinceABackup() {
        var add = Self.edit(.add(Self.list, songs: [3]), ["x"], Self.complete)
        let events = [Self.change(.person, ["a", "b", "s", "x"])]
        #expect(Self.rules(Self.record(events, final: ["a", "b", "s", "x"], [add])) == [.songsLost])
        add.wasRewound = true
        #expect(Self.rules(Self.record(events, final: ["a", "b", "s", "x"], [add])).isEmpty)
    }

    @Test(
        "An edit that was cancelled during its write may have made it, also when a restored backup does not know the edit"
    )
    func cancelledAndForgotten() {
        var add = Self.edit(.add(Self.list, songs: [3]), ["x"], Self.failed)
        add.outcome = nil
        let made = ["a", "b", "s", "x"]
        let events = [Self.request("POST", fault: "hold"), Self.change(.app, made)]
        add.forgotten = .init(state: "failed", done: 0, error: "playlistChanged")
        #expect(Self.rules(Self.record(events, final: made, [add])) == [.songsDoubled])
        add.forgotten = .init(state: "failed", done: 0, error: "cancelled")
        #expect(Self.rules(Self.record(events, final: made, [add])).isEmpty)
        #expect(Self.rules(Self.record([], final: ["a", "b", "s"], [add])).isEmpty)
    }

    @Test("Songs that went into somebody's playlist of the same name are found")
    func playlistOfTheSameName() {
        let events = [
            Self.change(.person, [], kind: .created, list: "twin", name: "Made 1"),
            Self.change(.app, ["x"], list: "twin", name: "Made 1"),
        ]
        var create = Self.edit(.create(.spotify, songs: [3]), ["x"], Self.complete)
        create.list = .init(.spotify, "twin")
        var record = Self.record(events, final: ["a", "b", "s"], [create])
        record.lists[.init(.spotify, "twin")] = .init(name: "Made 1", first: [], final: ["x"], library: ["x"])
        #expect(Self.rules(record) == [.songsLost])
    }

    @Test("A playlist that was made twice is found")
    func playlistMadeTwice() {
        let events = ["one", "two"].map { Self.change(.app, [], kind: .created, list: $0, name: "Made 1") }
        var create = Self.edit(.create(.spotify, songs: []), [], Self.complete)
        create.list = .init(.spotify, "one")
        #expect(Self.rules(Self.record(events, final: ["a", "b", "s"], [create])) == [.songsDoubled])
    }

    @Test("Songs are in the order that follows from the edits if nobody else changed the list")
    func orderOfSongs() {
        let remove = Self.edit(.remove(Self.list, positions: [0]), ["a"], positions: [0], Self.complete)
        let add = Self.edit(.add(Self.list, songs: [3]), ["x"], Self.complete, tag: 2)
        let events = [Self.change(.app, ["b", "s"]), Self.change(.app, ["x", "b", "s"])]
        #expect(Self.rules(Self.record(events, final: ["x", "b", "s"], [remove, add])) == [.editOrder])
        #expect(Self.rules(Self.record(events, final: ["b", "s", "x"], [remove, add])).isEmpty)
    }

    @Test("The library has each playlist entry by entry")
    func playlistsOfTheLibrary() {
        #expect(Self.rules(Self.record([], final: ["a", "b", "s"], library: ["a", "s", "b"])) == [.libraryAgrees])
        var record = Self.record([], final: ["a", "b", "s"])
        record.lists[.init(.spotify, "gone")] = .init(name: "Gone", first: ["a"], final: nil, library: ["a"])
        #expect(Self.rules(record) == [.libraryAgrees])
        record.lists[.init(.spotify, "gone")]?.library = nil
        #expect(Self.rules(record).isEmpty)
        // A service without any playlists may have failed.
        record.lists = [.init(.spotify, "gone"): .init(name: "Gone", first: ["a"], final: nil, library: ["a"])]
        #expect(Self.rules(record).isEmpty)
    }
}
