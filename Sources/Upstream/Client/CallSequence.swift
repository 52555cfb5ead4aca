import Synchronization

/// Background calls of one task that follow each other, such as those for the pages of a list.
///
/// A permit costs a transaction that waits for the disk. In a sequence, the transaction that releases the permit of an
/// answered call also reserves one for the next call, while the answer is being read. The last reservation is returned
/// unused.
package final class CallSequence: Sendable {
    @TaskLocal static var current: CallSequence?

    private let reservation = Mutex<PermitReservation?>(nil)

    private init() {}

    /// Runs `body` with its calls as one sequence.
    package static func run<Value: Sendable>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async rethrows -> Value {
        let sequence = CallSequence()
        defer { sequence.replace(with: nil) }
        return try await $current.withValue(sequence, operation: body)
    }

    func replace(with next: PermitReservation?) {
        let former = reservation.withLock { reservation in
            defer { reservation = next }
            return reservation
        }
        former?.drop()
    }

    /// The permit that was reserved for such a call; `nil` if none was reserved, or it is too old.
    func permit(
        in queue: PermitQueue, _ urgency: UpstreamRequest.Urgency, person: String?, weight: Int
    ) async -> Permit? {
        let found = reservation.withLock { reservation -> PermitReservation? in
            guard let waiting = reservation, waiting.queue === queue, waiting.urgency == urgency,
                waiting.call.person == PermitQueue.name(of: person), waiting.call.weight == weight
            else { return nil }
            reservation = nil
            return waiting
        }
        guard let found, let permit = await found.take() else { return nil }
        if permit.isValid(at: .now()) { return permit }
        await queue.returnUnused(permit)
        return nil
    }
}
