import Model
import Testing

@testable import Jobs

@Suite("A worker's messages to its gateway")
struct GatewayContactTests {
    private let start = MonotonicInstant.now()

    private func at(_ seconds: Int) -> MonotonicInstant { start.advanced(by: .seconds(seconds)) }

    @Test("A worker says hello until it is welcomed, then sends a heartbeat every interval")
    func helloAndHeartbeats() {
        var contact = GatewayContact(interval: .seconds(2), now: start)
        #expect(contact.tick(now: at(1)) == [.hello])
        contact.heard(now: at(1))
        #expect(contact.welcomed(interval: .seconds(1), now: at(1)) == [.heartbeat])
        contact.heard(now: at(2))
        #expect(contact.tick(now: start.advanced(by: .milliseconds(1_900))) == [])
        #expect(contact.tick(now: at(2)) == [.heartbeat])
        #expect(contact.tick(now: at(2)) == [])
        #expect(contact.unknown() == [.hello])
        #expect(contact.tick(now: at(3)) == [.hello])
    }

    @Test("A worker asks a silent gateway for an answer, and reconnects without one")
    func silentGateway() {
        var contact = GatewayContact(interval: .seconds(1), now: start)
        _ = contact.welcomed(interval: .seconds(1), now: start)
        let actions = (1...7).map { contact.tick(now: at($0)) }
        #expect(
            actions == [
                [.heartbeat], [.heartbeat], [.heartbeat, .hello], [.heartbeat, .hello], [.heartbeat, .hello],
                [.reconnect, .hello], [.hello],
            ])
        // It keeps trying, at the same interval.
        #expect((8...24).filter { contact.tick(now: at($0)).contains(.reconnect) } == [12, 18, 24])
    }

    @Test("Any message from the gateway ends the silence")
    func anyMessageEndsTheSilence() {
        var contact = GatewayContact(interval: .seconds(1), now: start)
        _ = contact.welcomed(interval: .seconds(1), now: start)
        for second in 1...30 {
            if second.isMultiple(of: 4) { contact.heard(now: at(second)) }
            #expect(!contact.tick(now: at(second)).contains(.reconnect))
        }
    }
}
