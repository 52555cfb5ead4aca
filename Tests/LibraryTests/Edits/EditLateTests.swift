import Model
import TestSupport
import Testing

@testable import Library
@testable import Storage

@Suite("Edits of a playlist that Apple Music does not show yet")
struct EditLateTests {
    private static let songs = [4, 5]

    private func begin(_ bench: EditBench) async throws -> LibraryEdit {
        bench.state.withLock { $0.isLate = true }
        return try await bench.begin(
            .createPlaylist(
                name: "New", description: nil, isPublic: false, tracks: try await bench.references(Self.songs),
                .appleMusic))
    }

    @Test(
        "Songs whose answer was lost are looked for again",
        arguments: [
            EditBench.Fault.answerLost, .requestLost,
        ])
    func lostAnswers(fault: EditBench.Fault) async throws {
        try await withDatabase { database, _ in
            let bench = try await EditBench(.appleMusic, .new(in: database))
            bench.fail(call: 2, fault)
            let isMade = fault == .answerLost
            let ended = try await bench.finish(try await begin(bench)) { count in
                if isMade, count == 2 { bench.showAll() }
            }
            // The user is asked once about songs that are never shown, and songs that the user reports missing are
            // written again.
            #expect(bench.questions == (isMade ? 0 : 1))
            #expect(ended.state == .complete && ended.error == nil)
            #expect(bench.numbers("p0") == Self.songs)
        }
    }

    @Test("A playlist of the same name that others create is not mistaken for the one that is not shown yet")
    func othersOfTheName() async throws {
        try await withDatabase { database, _ in
            let bench = try await EditBench(.appleMusic, .new(in: database))
            bench.fail(call: 1, .answerLost)
            func show(_ id: String) {
                bench.service.change { $0.playlists.insert(SourcePlaylist(sourceID: id, name: "New"), at: 0) }
            }
            show("other")
            bench.set([7], of: "other")
            bench.state.withLock { state in
                state.after[1] = { bench in
                    bench.service.change { content in content.playlists.removeAll { $0.sourceID == "p1" } }
                }
            }
            let edit = try await bench.begin(
                .createPlaylist(
                    name: "New", description: nil, isPublic: false, tracks: try await bench.references(Self.songs),
                    .appleMusic))
            let ended = try await bench.finish(edit) { count in
                // This is after the user has said that it was created.
                if count == 3 { show("p1") }
            }
            #expect(ended.state == .complete && bench.questions == 1)
            #expect(bench.numbers("p1") == Self.songs && bench.numbers("other") == [7])
        }
    }

    @Test("If the playlist exists, the question is about the songs")
    func question() async throws {
        try await withDatabase { database, _ in
            let bench = try await EditBench(.appleMusic, .new(in: database))
            try expectWords(of: try await begin(bench))
        }
    }

    private func expectWords(of edit: LibraryEdit) throws {
        let append = EditStep(number: 1, action: .append([EditTrack(id: "1")]))
        let create = EditStep(number: 0, action: .create(name: "New", description: nil, isPublic: false))
        for (step, words) in [(append, "shows no new songs in “New”"), (create, "no new playlist with the name “New”")]
        {
            #expect(EditFinding.Doubt.notShown.question(about: step, of: edit).contains(words))
        }
    }

    @Test("Songs are added to it according to what the service has confirmed")
    func adding() async throws {
        try await withDatabase { database, _ in
            let bench = try await EditBench(.appleMusic, .new(in: database))
            let made = try await bench.finish(try await begin(bench))
            let playlist = try #require(made.playlistID)
            bench.state.withLock { $0.clock = $0.clock.advanced(by: .seconds(600)) }
            bench.fail(call: 3, .answerLost)
            let edit = try await bench.begin(.addTracks(try await bench.references([5, 6]), playlist: playlist))
            let ended = try await bench.finish(edit) { count in
                if count == 2 { bench.showAll() }
            }
            #expect(ended.state == .complete && bench.questions == 0)
            #expect(bench.numbers("p0") == [4, 5, 5, 6])
        }
    }

    @Test("A playlist that the user has seen is waited for before they are asked again")
    func answered() {
        var machine = EditMachine(
            steps: [EditStep(number: 0, action: .create(name: "New", description: nil, isPublic: false))],
            settleTime: .seconds(60))
        let start = WrittenLibrary.moment(0)
        func moment(_ seconds: Int64) -> Timestamp { start.advanced(by: .seconds(seconds)) }
        _ = machine.handle(.resumed, at: start)
        _ = machine.handle(.lost, at: start)
        _ = machine.handle(.found(.notShown), at: moment(60))
        guard case .ask = machine.handle(.found(.notShown), at: moment(120)) else {
            Issue.record("The person is not asked.")
            return
        }
        let isTaken = machine.answer(isDone: true, at: moment(200))
        #expect(isTaken)
        guard case .inspect = machine.handle(.resumed, at: moment(200)) else {
            Issue.record("The service is not read.")
            return
        }
        #expect(machine.handle(.found(.notShown), at: moment(200)) == .wait(until: moment(260)))
    }
}
