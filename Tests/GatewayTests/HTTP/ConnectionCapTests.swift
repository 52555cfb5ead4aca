import Logging
import Telemetry
import TestSupport
import Testing

@testable import Gateway

@Suite("The limit of connections")
struct ConnectionCapTests {
    @Test(
        "The limit leaves descriptors for the database and for workers",
        arguments: [(64, 16), (160, 64), (1_024, 896), (65_536, 64_512), (1_048_576, 1_047_552)])
    func reservedDescriptors(openFiles: Int, connections: Int) {
        #expect(ConnectionCap.maximum(openFiles: openFiles) == connections)
    }

    @Test("At the limit no connection is accepted until one is closed")
    func connectionsBeyondTheLimit() {
        let limit = ConnectionCap(openFiles: 64, logger: .silent)
        for _ in 0..<16 {
            #expect(limit.isAcceptingNewConnections())
            limit.connectionOpened()
        }
        #expect(!limit.isAcceptingNewConnections())
        limit.connectionClosed()
        #expect(limit.isAcceptingNewConnections())
        var snapshot = MetricSnapshot()
        limit.collect(into: &snapshot)
        #expect(snapshot.series(of: .httpConnections).first?.values == [15])
    }
}
