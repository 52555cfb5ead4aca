import Gateway
import Library
import LibraryWriting
import Storage

/// Applies the current rules for which source tracks are one song to libraries that were written under former rules,
/// and to those whose person changed a setting. Steps hold the write lock for at most 20 ms.
///
/// Work that is interrupted continues with the next run: each library records its progress.
struct LibraryGroups {
    let database: Database

    /// Works on libraries that are due; at most 100, before the next run looks again.
    func run() async throws {
        var isolatedWork = IsolatedWork()
        for (library, userID) in try await database.read({ try $0.trackIdentity.librariesToRegroup(limit: 100) }) {
            try await isolatedWork.attempt { try await regroup(library, of: userID) }
        }
        try isolatedWork.finish()
    }

    private func regroup(_ library: Int64, of userID: String) async throws {
        var regrouping = LibraryRegrouping(database: database, libraryID: library, userID: userID)
        var rested = ContinuousClock.now
        while try await regrouping.step({ body in
            try await Task.sleep(until: rested)
            let (effect, held) = try await database.writeAlone { try body($0) }
            // The pause is as long as the step, so that others have half of the time. The next step is prepared
            // meanwhile.
            rested = .now + min(held, .seconds(1))
            return (effect, held)
        }) != nil {}
    }
}
