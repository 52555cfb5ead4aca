import Glibc
import Testing

@testable import Messaging

/// libzmq closes a descriptor before the router reads that its connection ended. The tests create that state: they
/// replace the descriptor of a live connection without either end noticing.
@Suite("Worker names of connections whose descriptor is lost", .timeLimit(.minutes(5)))
struct LostDescriptorTests {
    /// What has the descriptor's number now.
    enum Replacement: CaseIterable, Sendable {
        case unconnectedSocket
        /// A connection that only its peer's address distinguishes from the former one.
        case otherConnection

        func make() throws -> [Int32] {
            var pair: [Int32] = [-1, -1]
            switch self {
            case .unconnectedSocket: pair = [socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)]
            case .otherConnection:
                let status = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair)
                try #require(status == 0)
            }
            return pair
        }
    }

    @Test(
        "A name is free for another key when its descriptor belongs to something else",
        arguments: Replacement.allCases)
    func replacedDescriptor(by replacement: Replacement) async throws {
        let keys = try Keys()
        let (worker, other) = (try CurveKeyPair.generate(), try CurveKeyPair.generate())
        let gateway = try await keys.router(allowing: worker, other)
        let first = try await DealerUnderTest(gateway.endpoint, as: "w/1", security: keys.security(of: worker))
        await first.expectAnswer(1)

        let descriptor = try #require(Self.acceptedDescriptor(of: gateway.endpoint))
        let kept = dup(descriptor)
        let others = try replacement.make()
        try #require(dup2(others[0], descriptor) == descriptor)
        let second = try await DealerUnderTest(gateway.endpoint, as: "w/2", security: keys.security(of: other))
        second.dealer.send([2])
        await second.arrivals.wait { $0.contains([2]) }
        #expect(gateway.refusedCounts == [:])

        // libzmq has to find its own socket again.
        try #require(dup2(kept, descriptor) == descriptor)
        for unused in others + [kept] { close(unused) }
        await first.expectAnswer(3)
        for dealer in [first, second] { await dealer.dealer.close() }
        await gateway.router.close()
    }

    /// The router's end of its only connection: its local address is the endpoint, and it has a peer.
    private static func acceptedDescriptor(of endpoint: Endpoint) -> Int32? {
        (3..<65_536 as Range<Int32>).first { descriptor in
            address(of: descriptor, by: { getpeername($0, $1, $2) }) != nil && isLocal(endpoint, descriptor)
        }
    }

    private static func isLocal(_ endpoint: Endpoint, _ descriptor: Int32) -> Bool {
        guard case .tcp(_, let port) = endpoint.transport,
            let bytes = address(of: descriptor, by: { getsockname($0, $1, $2) })
        else { return false }
        let family = bytes.withUnsafeBytes { Int32($0.loadUnaligned(as: sa_family_t.self)) }
        // The port follows the family, in the order of the network.
        return family == AF_INET && bytes[2...3].elementsEqual([UInt8(port >> 8), UInt8(port & 0xff)])
    }

    /// The bytes of a socket's address; `nil` if it has none or is not a socket.
    private static func address(
        of descriptor: Int32,
        by read: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> [UInt8]? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                withUnsafeMutablePointer(to: &length) { read(descriptor, address, $0) }
            }
        }
        guard status == 0 else { return nil }
        return withUnsafeBytes(of: storage) { Array($0.prefix(Int(length))) }
    }
}
