import Gateway
import Listening
import Model
import Storage

/// Removes what sources reported, in steps that hold the write lock for some milliseconds.
struct ListenRemovals {
    /// The most removals of one read.
    private static let people = 20
    /// The most observations of one read.
    private static let looked = 5_000

    let database: Database

    func run() async throws {
        var (isolatedWork, last) = (IsolatedWork(), ListenSourceRemoval?.none)
        while true {
            let place = last
            let removals = try await database.read {
                try $0.listening.sourceRemovals(after: place, limit: Self.people)
            }
            for removal in removals { try await isolatedWork.attempt { try await remove(removal) } }
            guard let end = removals.last else { return try isolatedWork.finish() }
            last = end
        }
    }

    private func remove(_ removal: ListenSourceRemoval) async throws {
        var size = StepSize(units: 50, maximum: 200)
        var last: ObservationToRemove?
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
                // The pause is as long as the step, so that others have half of the time.
                try await Task.sleep(for: min(held, .seconds(1)))
            }
            last = next
            try Task.checkCancellation()
        } while last != nil
        try await database.write { try $0.listening.end(removal) }
    }
}
