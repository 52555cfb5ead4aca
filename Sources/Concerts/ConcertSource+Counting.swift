import Model

extension ConcertSource {
    /// Makes each call in the name of the person for whom it is to count. When their share turns out to be used up, it is
    /// made in that of the next; when there is none, that they have nothing left is the answer.
    ///
    /// - Parameters:
    ///   - payer: names the person before each call, who has some of their share left; it throws ``ProviderFailure`` of
    ///     the kind `shareUsed` when nobody has.
    ///   - source: asks in somebody's name.
    package static func counting(
        for payer: @escaping @Sendable () async throws -> String?, _ source: @escaping ByPerson
    ) -> ConcertSource {
        @Sendable func ask<Value: Sendable>(
            _ call: @Sendable (ConcertSource) async throws -> Value
        ) async throws -> Value {
            var person = try await payer()
            while true {
                do {
                    return try await call(source(person))
                } catch let failure as ProviderFailure where failure.kind == .shareUsed {
                    let next = try await payer()
                    // Processes that allow a person less than others do.
                    guard next != person else { throw failure }
                    person = next
                }
            }
        }
        return ConcertSource(
            eventsByKeyword: { keyword in try await ask { try await $0.eventsByKeyword(keyword) } },
            eventsByAttractions: { ids, effort in try await ask { try await $0.eventsByAttractions(ids, effort) } },
            attractions: { name in try await ask { try await $0.attractions(name) } },
            eventsInCity: { city in try await ask { try await $0.eventsInCity(city) } },
            eventsNear: { point, radius in try await ask { try await $0.eventsNear(point, radius) } })
    }
}
