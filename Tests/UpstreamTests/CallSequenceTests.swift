import Foundation
import Model
import Storage
import TestSupport
import Testing

@testable import Upstream

@Suite("Permits reserved for calls that follow each other", .timeLimit(.minutes(5)))
struct CallSequenceTests {
    private func withQueues(
        requests: Int = 3, _ body: (_ here: PermitQueue, _ there: PermitQueue) async throws -> Void
    ) async throws {
        let storage = try await TestDatabase()
        defer { storage.close() }
        let queue = { (process: String) in
            PermitQueue(
                key: PermitKey(provider: "test", credential: Secret("key")),
                limit: PermitLimit(requests: requests, window: .seconds(600)), database: storage.database,
                process: process)
        }
        try await body(queue("a"), queue("b"))
    }

    private func acquire(_ queue: PermitQueue) async throws -> Permit {
        try await queue.acquire(
            .interactive, totalTimeout: .seconds(5), waitLimit: .seconds(120), deadline: nil)
    }

    private func reserve(_ queue: PermitQueue, after permit: Permit, person: String? = nil) async -> PermitReservation {
        await queue.release(
            permit, RequestEnd(at: .now()), reservingFor: .interactive, person: person, weight: 0, share: nil,
            totalTimeout: .seconds(5), waitLimit: .seconds(120))
    }

    @Test("A release and the following reservation are one transaction, and the permit is taken once")
    func reservedPermit() async throws {
        try await withQueues { here, _ in
            let first = try await acquire(here)
            let reservation = await reserve(here, after: first)
            let second = try #require(await reservation.take())
            #expect(second.slot != first.slot)
            #expect(await reservation.take() == nil)
            // Two of three slots are busy for the window; the third is free.
            let third = try await acquire(here)
            #expect(Set([first.slot, second.slot, third.slot]).count == 3)
        }
    }

    @Test("A permit that nobody takes is returned unused", arguments: [true, false])
    func unusedPermit(isDropped: Bool) async throws {
        try await withQueues(requests: 2) { here, _ in
            let reservation = await reserve(here, after: try await acquire(here))
            // Otherwise it expires after a second.
            if isDropped { reservation.drop() }
            _ = try await acquire(here)
            #expect(await reservation.take() == nil)
        }
    }

    @Test("A reservation that waits for a slot ends when it is dropped")
    func droppedReservation() async throws {
        try await withQueues(requests: 1) { here, _ in
            let reservation = await reserve(here, after: try await acquire(here))
            async let taken = reservation.take()
            reservation.drop()
            #expect(await taken == nil)
            await here.waitUntilIdle()
        }
    }

    @Test("A cancelled call takes no permit, and the permit is returned unused")
    func cancelledCall() async throws {
        try await withQueues(requests: 2) { here, _ in
            let reservation = await reserve(here, after: try await acquire(here))
            let call = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await reservation.take()
            }
            #expect(await call.value == nil)
            _ = try await acquire(here)
        }
    }

    @Test("Only a call with the same key, person, class and weight takes the permit", .timeLimit(.minutes(5)))
    func onlyTheSameCall() async throws {
        try await withQueues(requests: 4) { here, there in
            let reservation = await reserve(here, after: try await acquire(here), person: "ada")
            try await CallSequence.run {
                let sequence = try #require(CallSequence.current)
                sequence.replace(with: reservation)
                #expect(await sequence.permit(in: there, .interactive, person: "ada", weight: 0) == nil)
                #expect(await sequence.permit(in: here, .background, person: "ada", weight: 0) == nil)
                #expect(await sequence.permit(in: here, .interactive, person: "ben", weight: 0) == nil)
                #expect(await sequence.permit(in: here, .interactive, person: "ada", weight: 1) == nil)
                #expect(await sequence.permit(in: here, .interactive, person: "ada", weight: 0) != nil)
                #expect(await sequence.permit(in: here, .interactive, person: "ada", weight: 0) == nil)
            }
        }
    }

    @Test("The end of a sequence returns its reservation")
    func endOfASequence() async throws {
        try await withQueues(requests: 2) { here, _ in
            let reservation = await reserve(here, after: try await acquire(here))
            try await CallSequence.run {
                try #require(CallSequence.current).replace(with: reservation)
            }
            _ = try await acquire(here)
        }
    }
}
