import Model
import TestSupport
import Testing

@testable import LibraryEdits
@testable import Storage

@Suite("Copies at a service that shows new content late")
struct CopyLateTests {
    private static let placed = CopyFixture.numbers.filter { $0 != CopyFixture.renamed && $0 != CopyFixture.absent }

    @Test(
        "A playlist or songs that only appear when the copy is read a second time are not written again",
        arguments: [
            true, false,
        ])
    func shownLate(isWholeListHidden: Bool) async throws {
        try await withDatabase { database, _ in
            let fixture = try await CopyFixture(.new(in: database))
            var list = ""
            let copy = try await fixture.finish(try await fixture.begin()) { id in
                list = id
                if isWholeListHidden { fixture.edits.hide(id) } else { fixture.edits.set([], of: id) }
            } waited: { count in
                // This is the second wait; the copy has been read once.
                guard count == 2 else { return }
                fixture.edits.showAll()
                fixture.edits.set(Self.placed, of: list)
            }
            #expect(copy.state == .complete && copy.error == nil)
            #expect(try await fixture.written(copy) == Self.placed)
            #expect(fixture.edits.calls == 2)
            #expect(try await database.read { try $0.copies.counts(of: copy) }.placed == Self.placed.count)
        }
    }

    @Test("Songs at the end of the list that appear late are not written again", arguments: [2, 3])
    func endShownLate(shownAfter reads: Int) async throws {
        try await withDatabase { database, _ in
            let fixture = try await CopyFixture(.new(in: database))
            var list = ""
            let copy = try await fixture.finish(try await fixture.begin()) { id in
                list = id
                fixture.edits.set(Array(Self.placed.dropLast(5)), of: id)
            } waited: { count in
                if count == reads { fixture.edits.set(Self.placed, of: list) }
            }
            #expect(copy.state == .complete && copy.error == nil)
            #expect(try await fixture.written(copy) == Self.placed && fixture.edits.calls == 2)
            #expect(try await database.read { try $0.copies.counts(of: copy) }.placed == Self.placed.count)
        }
    }

    @Test("Songs at the end of the list that never appear are listed, and one before them is written again")
    func endNeverShown() async throws {
        try await withDatabase { database, _ in
            let fixture = try await CopyFixture(.new(in: database))
            let shown = Self.placed.dropLast(2).filter { $0 != 7 }
            var isFirst = true
            let copy = try await fixture.finish(try await fixture.begin()) { id in
                if isFirst { fixture.edits.set(shown, of: id) }
                isFirst = false
            }
            #expect(copy.state == .complete)
            #expect(try await fixture.written(copy) == shown + [7])
            let missing = try await fixture.entries(copy, .missing)
            #expect(
                missing.filter { $0.tried.last == "written, but not shown by Apple Music" }.map(\.title)
                    == Self.placed.suffix(2).map { "Song \($0)" })
        }
    }

    @Test("The user is asked about a playlist that never appears; it is not created again", arguments: [true, false])
    func neverShown(isThere: Bool) async throws {
        try await withDatabase { database, _ in
            let fixture = try await CopyFixture(.new(in: database))
            let asked = try await fixture.finish(try await fixture.begin()) { fixture.edits.hide($0) }
            #expect(asked.state == .unclear)
            #expect(asked.question?.contains("does not show the new playlist “Mix”") == true)
            #expect(fixture.edits.calls == 2)
            // The existing copy is returned.
            #expect(try await fixture.begin().id == asked.id)
            let (user, now) = (fixture.edits.library.userID, fixture.edits.now)
            let ended = try await database.write {
                try $0.copies.answer(asked.id, isThere: isThere, userID: user, now: now)
            }
            #expect(ended.state == (isThere ? .complete : .failed) && ended.question == nil)
            #expect(ended.error?.code == (isThere ? nil : "playlistChanged"))
            let placed = try await fixture.entries(ended, .placed)
            #expect(placed.count == (isThere ? Self.placed.count : 0))
            await #expect(throws: CopyRefusal.notUnclear) {
                _ = try await database.write {
                    try $0.copies.answer(asked.id, isThere: isThere, userID: user, now: now)
                }
            }
        }
    }

    @Test("Songs that were written while the clock was ahead are waited for once, starting now")
    func clockAhead() async throws {
        try await withDatabase { database, _ in
            let fixture = try await CopyFixture(.new(in: database))
            var waits = 0
            let copy = try await fixture.finish(try await fixture.begin()) { _ in
                fixture.edits.state.withLock { $0.clock = $0.clock.advanced(by: .seconds(-86_400)) }
            } waited: {
                waits = $0
            }
            #expect(copy.state == .complete && waits == 1)
            #expect(try await fixture.written(copy) == Self.placed)
        }
    }

    @Test("A playlist that contains more songs than were written is reported")
    func playlistWithMoreSongs() async throws {
        try await withDatabase { database, _ in
            let fixture = try await CopyFixture(.new(in: database))
            let copy = try await fixture.finish(try await fixture.begin()) { id in
                fixture.edits.set(Self.placed + Self.placed, of: id)
            }
            #expect(copy.state == .complete)
            #expect(copy.error?.message.contains("shows 124 songs in “Mix”, but only 62 were written") == true)
        }
    }
}
