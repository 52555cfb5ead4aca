import Listening
import Model
import Storage

/// Removes what sources told, in steps that hold the write lock for some milliseconds.
struct ListenRemovals {
    private static let people = 20

    let database: Database

    func run() async throws {
        for removal in try await database.read({ try $0.listening.sourceRemovals(limit: Self.people) }) {
            while try await !database.write({ try $0.listening.step(removal, now: .now()) }) {
                try Task.checkCancellation()
            }
        }
    }
}
