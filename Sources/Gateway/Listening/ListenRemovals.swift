import Listening
import Model
import Storage

/// Removes what sources told, in steps that hold the write lock for some milliseconds.
struct ListenRemovals {
    private static let people = 20
    /// The observations that one read looks at.
    private static let looked = 5_000

    let database: Database

    func run() async throws {
        for removal in try await database.read({ try $0.listening.sourceRemovals(limit: Self.people) }) {
            try await remove(removal)
        }
    }

    private func remove(_ removal: ListenSourceRemoval) async throws {
        var size = StepSize(units: 50, maximum: 200)
        var last: FoundObservation?
        repeat {
            let place = last
            let (found, next) = try await database.read {
                try $0.listening.observations(of: removal, after: place, limit: Self.looked)
            }
            var remaining = found[...]
            while !remaining.isEmpty {
                let step = remaining.prefix(size.units)
                let (_, held) = try await database.writeAlone {
                    try $0.listening.remove(step, by: removal, now: .now())
                }
                remaining = remaining.dropFirst(step.count)
                size.took(held, for: step.count)
                // As long as the step, so that others have half of the time.
                try await Task.sleep(for: min(held, .seconds(1)))
            }
            last = next
            try Task.checkCancellation()
        } while last != nil
        try await database.write { try $0.listening.end(removal) }
    }
}
