import Accounts
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import Gateway

@Suite("The memory for bodies")
struct BodyBudgetTests {
    /// A body that never ends by itself, and records how much of it was read.
    private struct EndlessBody: AsyncSequence, Sendable {
        typealias Element = ByteBuffer

        let read: Reads

        func makeAsyncIterator() -> Iterator { Iterator(read: read) }

        struct Iterator: AsyncIteratorProtocol {
            let read: Reads

            mutating func next() async throws -> ByteBuffer? {
                read.bytes.add(4_096, ordering: .relaxed)
                return ByteBuffer(repeating: UInt8(ascii: "x"), count: 4_096)
            }
        }
    }

    private final class Reads: Sendable {
        let bytes = Atomic(0)
    }

    private func refusal(of lease: BodyLease, taking count: Int) -> ProblemCode? {
        do {
            try lease.reserve(count)
            return nil
        } catch {
            return (error as? Problem)?.code
        }
    }

    /// Counts bodies of the largest size, each from its own request.
    ///
    /// - Returns: the leases of those that were accepted.
    private func bodies(_ count: Int, of owner: BodyBudget.Owner, in budget: BodyBudget) -> [BodyLease] {
        (0..<count).compactMap { _ in
            let lease = BodyLease(budget, for: owner)
            return refusal(of: lease, taking: BodyLease.anonymousBytes) == nil ? lease : nil
        }
    }

    @Test("Addresses that use up their common quarter do not keep others from sending one body each, up to half")
    func fewAddresses() {
        let budget = BodyBudget(limit: 64 * BodyLease.anonymousBytes)
        var leases: [BodyLease] = []
        for address in 0..<4 {
            leases += bodies(5, of: .address("\(address)"), in: budget)
            // This is a sixteenth of the budget.
            #expect(leases.count == (address + 1) * 4)
        }
        for address in 4..<24 {
            leases += bodies(2, of: .address("\(address)"), in: budget)
            #expect(leases.count == min(32, 16 + address - 3))
        }
        // The other half is for people.
        let people = ["ada", "bob"].flatMap { bodies(17, of: .person(userID: $0), in: budget) }
        #expect(people.count == 32 && budget.used == budget.limit)
        for lease in leases + people { lease.release() }
        #expect(budget.used == 0)
    }

    @Test("A person may use a quarter, and an address a sixteenth")
    func sharesOfTheBudget() {
        let budget = BodyBudget(limit: 16 * 16_384)
        let ada = BodyLease(budget, for: .person(userID: "ada"))
        #expect(refusal(of: ada, taking: 4 * 16_384) == nil)
        #expect(refusal(of: ada, taking: 1) == .gatewayBusy)
        // A second request of the same person has the same share.
        #expect(refusal(of: BodyLease(budget, for: .person(userID: "ada")), taking: 1) == .gatewayBusy)
        var leases = [ada]
        for address in 0..<4 {
            let lease = BodyLease(budget, for: .address("\(address)"))
            #expect(refusal(of: lease, taking: 16_384) == nil)
            #expect(refusal(of: BodyLease(budget, for: .address("\(address)")), taking: 1) == .gatewayBusy)
            leases.append(lease)
        }
        // What is left is for other people.
        for person in ["bob", "cyd"] {
            let lease = BodyLease(budget, for: .person(userID: person))
            #expect(refusal(of: lease, taking: 4 * 16_384) == nil)
            leases.append(lease)
        }
        #expect(budget.used == budget.limit)
        #expect(refusal(of: BodyLease(budget, for: .person(userID: "dan")), taking: 1) == .gatewayBusy)
        for lease in leases { lease.release() }
        #expect(budget.used == 0)
        #expect(refusal(of: BodyLease(budget, for: .person(userID: "dan")), taking: 1) == nil)
    }

    @Test("Nothing of a body is read without a valid token, and at most 16 KiB where people sign in")
    func bodiesWithoutAToken() async throws {
        try await TestGateway.run { gateway in
            let responder = gateway.application.routes().buildResponder()
            for (path, header, status, most) in [
                ("/1/submit-listens", nil, 401, 0), ("/1/submit-listens", "Token wrong", 401, 0),
                ("/1/delete-listen", "Token wrong", 401, 0), ("/1/latest-import", nil, 401, 0),
                ("/v1/jobs", nil, 401, 0), ("/v1/jobs", "Bearer wrong", 401, 0),
                ("/v1/library/imports?filename=a", "Bearer wrong", 401, 0), ("/nowhere", nil, 404, 0),
                ("/v1/session", nil, 413, 20_480),
            ] as [(String, String?, Int, Int)] {
                let reads = Reads()
                var headers = HTTPFields()
                headers[.authorization] = header
                var request = Request(.post, path, headers: headers)
                request.body = RequestBody(asyncSequence: EndlessBody(read: reads))
                let response = try await responder.respond(to: request, context: .from("192.0.2.1"))
                #expect(response.status.code == status, "\(path)")
                #expect(reads.bytes.load(ordering: .relaxed) <= most, "\(path)")
            }
        }
    }

    @Test("Beyond the budget a request gets 503 with Retry-After, in the form of its API, and the bytes are given back")
    func exceededBudget() async throws {
        let budget = BodyBudget(limit: 4_096)
        try await TestGateway.run(bodies: budget) { gateway in
            let token = try await gateway.addUser("ada").secret.reveal()
            let body = ByteBuffer(
                string: #"{"kind":"diagnostics.echo","payload":""# + String(repeating: "a", count: 900) + #""}"#)
            let application = Application(router: gateway.application.routes())
            try await application.test(.live) { client in
                func post(_ path: String, _ scheme: String, _ body: ByteBuffer) async throws -> TestResponse {
                    try await client.execute(
                        uri: path, method: .post, headers: [.authorization: "\(scheme) \(token)"], body: body)
                }
                // Other people's bodies leave no room.
                let others = BodyLease(budget, for: .person(userID: "bob"))
                try others.reserve(1_000)
                let more = BodyLease(budget, for: .person(userID: "cyd"))
                try more.reserve(1_000)
                let rest = BodyLease(budget, for: .person(userID: "dan"))
                try rest.reserve(1_024)
                let last = BodyLease(budget, for: .person(userID: "eve"))
                try last.reserve(1_000)
                let refused = try await post("/v1/jobs", "Bearer", body)
                #expect(refused.status == .serviceUnavailable)
                #expect(refused.headers[.retryAfter] == "5")
                #expect(try refused.problem.code == "gatewayBusy")
                let listens = try await post("/1/submit-listens", "Token", body)
                #expect(listens.status == .serviceUnavailable)
                #expect(listens.headers[.retryAfter] == "5")
                #expect(String(buffer: listens.body).hasPrefix(#"{"code":503,"error":"The request bodies"#))
                for lease in [others, more, rest, last] { lease.release() }
                #expect(budget.used == 0)
                #expect(try await post("/v1/jobs", "Bearer", body).status == .accepted)
                #expect(budget.used == 0)
            }
        }
    }

    /// Why the body of a request is not read; `nil` if it is.
    private func refusal(of request: Request, limit: Int) async -> ProblemCode? {
        do {
            _ = try await request.bodyBytes(limit: limit)
            return nil
        } catch {
            return (error as? Problem)?.code
        }
    }

    @Test("A body that its header says is too large is refused before it is read")
    func declaredSize() async throws {
        let reads = Reads()
        for declared in ["1025", "9223372036854775808", "-1", "x"] {
            var request = Request(.post, headers: [.contentLength: declared])
            request.body = RequestBody(asyncSequence: EndlessBody(read: reads))
            #expect(await refusal(of: request, limit: 1_024) == .bodyTooLarge)
        }
        #expect(reads.bytes.load(ordering: .relaxed) == 0)
        var request = Request(.post)
        request.body = RequestBody(asyncSequence: EndlessBody(read: reads))
        #expect(await refusal(of: request, limit: 10_000) == .bodyTooLarge)
        #expect(reads.bytes.load(ordering: .relaxed) == 12_288)
    }
}
