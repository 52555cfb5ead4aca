import Model
import Synchronization
import TestSupport
import Testing

@testable import LibraryEdits
@testable import Storage

@Suite("When the writes of edits are stored as sent")
struct EditAdmissionTests {
    private func states(of edit: LibraryEdit, in database: Database) async throws -> [EditStep.State] {
        try await database.read { try $0.edits.steps(of: edit).map(\.state) }
    }

    /// Runs an edit with two writes once.
    ///
    /// - Parameter append: what the service does; it calls the default behavior itself.
    private func run(
        _ edit: LibraryEdit, _ fixture: EditFixture,
        append: @escaping @Sendable (_ write: () async throws -> String?) async throws -> String?
    ) async throws -> LibraryEdit? {
        var upstream = fixture.upstream
        let usual = upstream.append
        upstream.append = { playlist, tracks in try await append { try await usual(playlist, tracks) } }
        upstream.asksForAdmission = true
        let service = upstream
        let run = EditRun(
            edit.id, userID: fixture.library.userID, database: fixture.library.database, consistencyDelays: .init(),
            upstream: { _ in service },
            checkpoint: { rows in try await fixture.library.database.write { try rows($0) } },
            now: { fixture.now })
        return try await run.run()
    }

    @Test("A step is stored as sent when its request may leave, after the previous step was stored as done")
    func stepsAreStoredAsSent() async throws {
        try await withDatabase { database, _ in
            let fixture = try await EditFixture(.spotify, .new(in: database))
            let id = try await fixture.readPlaylist([1])
            let edit = try await fixture.begin(
                .addTracks(try await fixture.references(Array(10..<150)), playlist: id))
            let seen = Mutex<[[EditStep.State]]>([])
            let ended = try await run(edit, fixture) { write in
                let waiting = try await states(of: edit, in: database)
                try await WriteAdmission.current?.begin()
                let sent = try await states(of: edit, in: database)
                seen.withLock { $0 += [waiting, sent] }
                return try await write()
            }
            #expect(ended?.state == .complete && fixture.numbers("p0").count == 141)
            #expect(
                seen.withLock { $0 } == [
                    [.planned, .planned], [.sent, .planned], [.done, .planned], [.done, .sent],
                ])
        }
    }

    @Test("A request that could not be sent is not looked for, no matter what failed", arguments: [true, false])
    func notBegun(hasBegun: Bool) async throws {
        try await withDatabase { database, _ in
            let fixture = try await EditFixture(.spotify, .new(in: database))
            let id = try await fixture.readPlaylist([1])
            let edit = try await fixture.begin(.addTracks(try await fixture.references([4]), playlist: id))
            // The refresh of a token has no answer, either.
            let failure = ProviderFailure(.spotify, .timedOut, message: "No answer.")
            do {
                _ = try await run(edit, fixture) { _ in
                    if hasBegun { try await WriteAdmission.current?.begin() }
                    throw failure
                }
                Issue.record("The run ends without a failure.")
            } catch is EditRun.Postponement {
                #expect(hasBegun)
            } catch let error as ProviderFailure {
                #expect(!hasBegun && error == failure)
            }
            #expect(try await states(of: edit, in: database) == [hasBegun ? .sent : .planned])
        }
    }
}
