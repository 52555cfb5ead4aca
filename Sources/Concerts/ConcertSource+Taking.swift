import Model
import Synchronization

extension ConcertSource {
    /// One of several sources that differ in their key alone.
    package struct Keyed: Sendable {
        /// Made when its turn comes: of many keys most are never asked with.
        package var source: @Sendable () -> ConcertSource
        /// The upstream does not know the key.
        package var onRefusal: @Sendable () async -> Void

        package init(
            _ source: @escaping @Sendable () -> ConcertSource, onRefusal: @escaping @Sendable () async -> Void = {}
        ) {
            self.source = source
            self.onRefusal = onRefusal
        }
    }

    /// Asks with the first key. One that is refused, or whose allowance of the day is used up, makes way for the next
    /// for the rest of this source's life; when there is no next, its trouble is the answer.
    ///
    /// - Parameter keyed: at least one.
    package static func taking(_ keyed: [Keyed]) -> ConcertSource {
        let turn = Turn(keyed)
        return ConcertSource(
            eventsByKeyword: { keyword in try await turn.ask { try await $0.eventsByKeyword(keyword) } },
            eventsByAttractions: { ids, effort in
                try await turn.ask { try await $0.eventsByAttractions(ids, effort) }
            },
            attractions: { name in try await turn.ask { try await $0.attractions(name) } },
            eventsInCity: { city in try await turn.ask { try await $0.eventsInCity(city) } },
            eventsNear: { point, radius in try await turn.ask { try await $0.eventsNear(point, radius) } })
    }

    /// Whose turn it is.
    private final class Turn: Sendable {
        private let keyed: [Keyed]
        private let index = Mutex(0)

        init(_ keyed: [Keyed]) {
            precondition(!keyed.isEmpty, "A source without a key asks nobody")
            self.keyed = keyed
        }

        func ask<Value: Sendable>(_ call: (ConcertSource) async throws -> Value) async throws -> Value {
            while true {
                let present = index.withLock { $0 }
                do {
                    return try await call(keyed[present].source())
                } catch let failure as ProviderFailure {
                    if failure.kind == .keyRefused { await keyed[present].onRefusal() }
                    guard failure.isOfKey, present + 1 < keyed.count else { throw failure }
                    // Of calls that fail together, one moves on for all.
                    index.withLock { if $0 == present { $0 += 1 } }
                }
            }
        }
    }
}
