import Model
import TestSupport
import Testing

@testable import LibraryEdits
@testable import Storage

@Suite("Edits of a playlist that Apple Music does not show yet")
struct EditLateTests {
    private static let songs = [4, 5]

    private func begin(_ fixture: EditFixture) async throws -> LibraryEdit {
        fixture.state.withLock { $0.isLate = true }
        return try await fixture.begin(
            .createPlaylist(
                name: "New", description: nil, isPublic: false, tracks: try await fixture.references(Self.songs),
                .appleMusic))
    }

    @Test(
        "Songs whose answer was lost are looked for again",
        arguments: [
            EditFixture.Fault.answerLost, .requestLost,
        ])
    func lostAnswers(fault: EditFixture.Fault) async throws {
        try await withDatabase { database, _ in
            let fixture = try await EditFixture(.appleMusic, .new(in: database))
            fixture.fail(call: 2, fault)
            let isMade = fault == .answerLost
            let ended = try await fixture.finish(try await begin(fixture)) { count in
                if isMade, count == 2 { fixture.showAll() }
            }
            // The user is asked once about songs that are never shown, and songs that the user reports missing are
            // written again.
            #expect(fixture.questions == (isMade ? 0 : 1))
            #expect(ended.state == .complete && ended.error == nil)
            #expect(fixture.numbers("p0") == Self.songs)
        }
    }

    @Test("A playlist of the same name that others create is not mistaken for the one that is not shown yet")
    func othersOfTheName() async throws {
        try await withDatabase { database, _ in
            let fixture = try await EditFixture(.appleMusic, .new(in: database))
            fixture.fail(call: 1, .answerLost)
            func show(_ id: String) {
                fixture.service.change { $0.playlists.insert(SourcePlaylist(sourceID: id, name: "New"), at: 0) }
            }
            show("other")
            fixture.set([7], of: "other")
            fixture.state.withLock { state in
                state.after[1] = { fixture in
                    fixture.service.change { content in content.playlists.removeAll { $0.sourceID == "p1" } }
                }
            }
            let edit = try await fixture.begin(
                .createPlaylist(
                    name: "New", description: nil, isPublic: false, tracks: try await fixture.references(Self.songs),
                    .appleMusic))
            let ended = try await fixture.finish(edit) { count in
                // This is after the user has said that it was created.
                if count == 3 { show("p1") }
            }
            #expect(ended.state == .complete && fixture.questions == 1)
            #expect(fixture.numbers("p1") == Self.songs && fixture.numbers("other") == [7])
        }
    }

    @Test("If the playlist exists, the question is about the songs")
    func questionAboutSongs() async throws {
        try await withDatabase { database, _ in
            let fixture = try await EditFixture(.appleMusic, .new(in: database))
            try expectWords(of: try await begin(fixture))
        }
    }

    private func expectWords(of edit: LibraryEdit) throws {
        let append = EditStep(number: 1, action: .append([EditTrack(id: "1")]))
        let create = EditStep(number: 0, action: .create(name: "New", description: nil, isPublic: false))
        for (step, words) in [(append, "shows no new songs in “New”"), (create, "no new playlist with the name “New”")]
        {
            #expect(EditFinding.Uncertainty.notShown.question(about: step, of: edit).contains(words))
        }
    }

    @Test("Songs are added to it according to what the service has confirmed")
    func confirmedSongs() async throws {
        try await withDatabase { database, _ in
            let fixture = try await EditFixture(.appleMusic, .new(in: database))
            let made = try await fixture.finish(try await begin(fixture))
            let playlist = try #require(made.playlistID)
            fixture.state.withLock { $0.clock = $0.clock.advanced(by: .seconds(600)) }
            fixture.fail(call: 3, .answerLost)
            let edit = try await fixture.begin(.addTracks(try await fixture.references([5, 6]), playlist: playlist))
            let ended = try await fixture.finish(edit) { count in
                if count == 2 { fixture.showAll() }
            }
            #expect(ended.state == .complete && fixture.questions == 0)
            #expect(fixture.numbers("p0") == [4, 5, 5, 6])
        }
    }

    @Test("A playlist that the user has seen is waited for before they are asked again")
    func playlistThatTheUserSaw() {
        var machine = EditMachine(
            steps: [EditStep(number: 0, action: .create(name: "New", description: nil, isPublic: false))],
            consistencyDelay: .seconds(60))
        let start = TestLibrary.moment(0)
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
