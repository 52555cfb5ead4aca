import Contracts
import Model
import TestSupport
import Testing

@testable import JobStorage
@testable import LibraryEdits
@testable import Storage

@Suite("Edits of a playlist that other people change at the same time")
struct EditOthersTests {
    // MARK: Removals

    private static let list = [5, 1, 2, 1, 3, 1, 4]

    @Test("A removal whose request waits compares the list again before it is sent", arguments: [true, false])
    func refusedForNow(isLost: Bool) async throws {
        try await EditFixture.run { fixture in
            let id = try await fixture.readPlaylist(Self.list)
            fixture.fail(call: 1, isLost ? .killedBefore : .refused)
            let edit = try await fixture.remove([1], from: id)
            let others = { fixture.setNumbers([1] + fixture.numbers("p0"), of: "p0") }
            let ended = try await fixture.finish(edit) {
                if $0 == 1 { others() }
            } failed: {
                if $0 == 1 { others() }
            }
            #expect(ended.state == .failed && ended.error?.code == "playlistChanged" && ended.missing.isEmpty)
            #expect(fixture.numbers("p0") == [1] + Self.list)
            #expect(fixture.calls == 1)
        }
    }

    @Test("A song whose answer was lost is put back once, whatever others have removed", arguments: [true, false])
    func putBackOnce(isMade: Bool) async throws {
        try await EditFixture.run { fixture in
            let id = try await fixture.readPlaylist([5, 1, 2, 1, 3])
            // Others remove a song while the entries of the first one are removed.
            fixture.state.withLock { $0.before[1] = { $0.setNumbers($0.numbers("p0").filter { $0 != 5 }, of: "p0") } }
            fixture.fail(call: 2, isMade ? .answerLost : .requestLost)
            let ended = try await fixture.finish(try await fixture.remove([1], from: id))
            #expect(ended.state == .complete && fixture.questions == 0)
            #expect(fixture.numbers("p0").sorted() == [1, 2, 3])
            #expect(try await fixture.isDue(id))
        }
    }

    @Test("A song that others remove while it is being put back is not written twice")
    func othersRemoveDuringPutBack() async throws {
        try await EditFixture.run { fixture in
            let id = try await fixture.readPlaylist([5, 1, 2, 1, 3])
            fixture.state.withLock { state in
                state.before[2] = { $0.setNumbers($0.numbers("p0").filter { $0 != 5 }, of: "p0") }
            }
            fixture.fail(call: 2, .answerLost)
            let ended = try await fixture.finish(try await fixture.remove([1], from: id))
            #expect(ended.state == .complete)
            #expect(fixture.numbers("p0").count { $0 == 1 } == 1)
        }
    }

    @Test("An edit that has removed entries waits for the connection, then puts the others back")
    func disconnectedService() async throws {
        try await EditFixture.run { fixture in
            let id = try await fixture.readPlaylist(Self.list)
            fixture.state.withLock { state in
                state.after[1] = { fixture in
                    fixture.service.change {
                        $0.failures["entries"] = ProviderFailure(.spotify, .grantRefused, message: "Connect it again.")
                        $0.failures["account"] = $0.failures["entries"]
                    }
                }
            }
            fixture.fail(call: 1, .answerLost)
            let edit = try await fixture.remove([1], from: id)
            let ended = try await fixture.finish(edit) { _ in
            } failed: { count in
                let present = try await fixture.library.database.read { [library = fixture.library] in
                    try $0.edits.edit(edit.id, userID: library.userID)
                }
                #expect(present?.state.isFinished == false)
                // Cancelling its job does not end it, either.
                let (user, payload) = (fixture.library.userID, #"{"edit":"\#(edit.id.text)"}"#)
                let job = FinishedJob(
                    id: "job", userID: user, kind: "library.edit", version: 1, payload: payload, ending: .cancelled)
                try await fixture.library.database.write { try CompletionHook.libraryEdit.write(job, $0) }
                let waiting = try await fixture.library.database.read { try $0.edits.edits(toSubmit: 9) }
                #expect(waiting.map(\.id) == [edit.id])
                if count == 3 { fixture.service.change { $0.failures = [:] } }
            }
            #expect(ended.state == .complete)
            #expect(fixture.numbers("p0") == [5, 2, 1, 3, 1, 4])
        }
    }

    @Test("Refused songs are named, the others are put back, and all of them once they are accepted again")
    func refusedSongs() async throws {
        try await EditFixture.run { fixture in
            let id = try await fixture.readPlaylist([1, 2, 1, 2, 3, 1])
            fixture.state.withLock { $0.refused = [2] }
            // The first 1 and the first 2 are removed, and 1, 2, 1 have to be put back.
            let ended = try await fixture.finish(try await fixture.remove([0, 1], from: id))
            #expect(ended.state == .failed && ended.error?.code == "requestRefused")
            #expect(ended.missing.map(\.title) == ["Title 2"])
            #expect(ended.missing.first?.reference(at: .spotify) == "spotify:s2")
            #expect(ended.error?.message.contains("are missing now: “Title 2” by Artist 2. They can be") == true)
            #expect(fixture.numbers("p0") == [1, 3, 1])
            let (user, database) = (fixture.library.userID, fixture.library.database)
            let offered = try await database.read {
                try $0.edits.edits(userID: user, states: [.failed], hasMissing: true, cursor: nil, limit: 9).items
            }
            #expect(offered.map(\.id) == [ended.id])

            // It is still refused, so the new edit offers to put it back.
            try await fixture.readAgain()
            let again = try await fixture.finish(try await fixture.begin(.putBackMissing(edit: ended.id)))
            #expect(again.state == .failed && again.missing == ended.missing)
            await #expect(throws: EditRefusal.nothingMissing) {
                _ = try await fixture.begin(.putBackMissing(edit: ended.id))
            }
            fixture.state.withLock { $0.refused = [] }
            let putBack = try await fixture.finish(try await fixture.begin(.putBackMissing(edit: again.id)))
            #expect(putBack.state == .complete && putBack.kind == .putBackEntries)
            #expect(fixture.numbers("p0") == [1, 2, 3, 1])
            #expect(try await fixture.isDue(id))
            try await fixture.readAgain()
            #expect(try await fixture.shown(id) == [1, 2, 3, 1])
        }
    }

    @Test("Songs that the user has put back are not put back again")
    func putBackByHand() async throws {
        try await EditFixture.run { fixture in
            let id = try await fixture.readPlaylist([1, 2, 1, 3])
            fixture.state.withLock { $0.refused = [1] }
            let ended = try await fixture.finish(try await fixture.remove([0], from: id))
            #expect(ended.missing.count == 1)
            fixture.state.withLock { $0.refused = [] }
            fixture.setNumbers([2, 3, 1], of: "p0")
            let putBack = try await fixture.finish(try await fixture.begin(.putBackMissing(edit: ended.id)))
            #expect(putBack.state == .complete && fixture.numbers("p0") == [2, 3, 1])
            let other = try await fixture.finish(try await fixture.remove([0], from: id))
            #expect(other.error?.code == "playlistChanged")
            let user = fixture.library.userID
            await #expect(throws: EditRefusal.nothingMissing) {
                _ = try await fixture.library.database.write {
                    try $0.edits.abandon(missingOf: other.id, userID: user)
                }
            }
        }
    }

    @Test("A removal in progress does not remove entries that others have added since")
    func longRemoval() async throws {
        try await EditFixture.run { fixture in
            // There are more songs than one request removes, and two entries of one that the second request removes.
            let list = Array(0..<150) + [149, 150]
            let id = try await fixture.readPlaylist(list)
            fixture.fail(call: 2, .refused)
            let edit = try await fixture.remove(Array(0..<150), from: id)
            let ended = try await fixture.finish(edit) { count in
                if count == 1 { fixture.setNumbers(fixture.numbers("p0") + [99], of: "p0") }
            }
            // The songs of the second request are in the order of their ids.
            #expect(ended.state == .failed && ended.error?.code == "playlistChanged")
            #expect(fixture.numbers("p0").contains(99))
            #expect(fixture.numbers("p0").contains(149) && fixture.numbers("p0").contains(150))
            #expect(ended.missing.isEmpty)
        }
    }

    @Test("An edit does not end while it is unknown whether its write was made", arguments: EditFixture.sources)
    func unknownOutcome(source: MusicSource) async throws {
        try await withDatabase { database, _ in
            let fixture = try await EditFixture(source, .new(in: database))
            let id = try await fixture.readPlaylist([1])
            fixture.fail(call: 1, .answerLost)
            fixture.state.withLock { state in
                state.after[1] = { fixture in
                    // The consent is withdrawn, or a new token belongs to an account that is not known yet.
                    fixture.service.change { content in
                        if source == .spotify {
                            content.failures["account"] = ProviderFailure(
                                .spotify, .grantRefused, message: "Connect it again.")
                        } else {
                            content.account = "account-2"
                        }
                    }
                }
            }
            let heal = { fixture.service.change { ($0.failures, $0.account) = ([:], "account-1") } }
            let edit = try await fixture.begin(.addTracks(try await fixture.references([4]), playlist: id))
            let ended = try await fixture.finish(edit) {
                if $0 == 3 { heal() }
            } failed: {
                if $0 == 2 { heal() }
            }
            #expect(ended.state == .complete && fixture.numbers("p0") == [1, 4])
        }
    }

    // MARK: New playlists

    @Test("A list of the same name that the user creates with songs is not mistaken for the new one")
    func sameName() async throws {
        try await EditFixture.run { fixture in
            fixture.fail(call: 1, .requestLost)
            fixture.state.withLock { state in
                state.after[1] = { fixture in
                    var playlist = SourcePlaylist(sourceID: "theirs", name: "New")
                    playlist.ownerID = "me"
                    let made = playlist
                    fixture.service.change { $0.playlists.insert(made, at: 0) }
                    fixture.set([7], of: "theirs")
                }
            }
            let edit = try await fixture.begin(
                .createPlaylist(
                    name: "New", description: nil, isPublic: false, tracks: try await fixture.references([1, 2]),
                    .spotify))
            let ended = try await fixture.finish(edit)
            // The user is asked, and says that it is not the right one.
            #expect(ended.state == .complete && fixture.questions == 1)
            #expect(fixture.numbers("theirs") == [7])
            #expect(fixture.numbers("p1") == [1, 2])
        }
    }
}
