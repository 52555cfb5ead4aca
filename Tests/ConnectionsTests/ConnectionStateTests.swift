import Model
import TestSupport
import Testing

@testable import Connections

@Suite("The state of a connection")
struct ConnectionStateTests {
    private static func time(_ seconds: Int64) -> Timestamp { Timestamp(microseconds: seconds * 1_000_000) }

    /// One event of each kind, and two where the state depends on the content.
    private static let events: [ConnectionEvent] = [
        .authorizationBegan(until: time(10)), .authorizationFailed, .accepted, .disconnected, .answered,
        .troubled(.rateLimited, until: time(20)), .troubled(.unavailable, until: nil), .accessTokenRefused,
        .grantRefused(lostAnswer: false), .grantRefused(lostAnswer: true), .keyRefused, .userTokenRefused,
        .clientChanged, .consentEnded, .time(time(15)), .time(time(25)),
    ]

    @Test("No sequence of five events breaks a rule")
    func shortEventSequences() {
        var count = 0
        func extend(_ history: ConnectionHistory) {
            guard history.events.count < 5 else { return }
            for event in Self.events {
                var longer = history
                longer.add(event)
                count += 1
                if let fault = longer.fault {
                    Issue.record("\(fault): \(longer.events) ends \(longer.state) \(longer.lastActions)")
                    return
                }
                extend(longer)
            }
        }
        extend(ConnectionHistory())
        let kinds = Self.events.count
        #expect(count == (1...5).reduce(0) { sum, length in sum + (0..<length).reduce(1) { n, _ in n * kinds } })
    }

    @Test("10,000 random sequences of up to 60 events break no rule, and end in every state")
    func randomEventSequences() {
        var random = SeededRandom(seed: 5)
        var ends: Set<ConnectionState.Name> = []
        for _ in 0..<10_000 {
            var history = ConnectionHistory()
            for _ in 0..<Int.random(in: 1...60, using: &random) { history.add(.random(using: &random)) }
            ends.insert(history.state.name)
            guard let fault = history.fault else { continue }
            Issue.record("\(fault): \(history.events) ends \(history.state) \(history.lastActions)")
            return
        }
        #expect(ends == Set(ConnectionState.Name.allCases))
    }

    @Test(
        "Only errors about the grant or the key end a connection",
        arguments: ProviderFailure.Kind.allCases)
    func errorsThatEndAConnection(fault: ProviderFailure.Kind) {
        var state = ConnectionState.connected
        let failure = ProviderFailure(.spotify, fault, until: Self.time(60), message: "")
        guard let event = failure.connectionEvent() else { return }
        let actions = state.handle(event)
        switch fault {
        case .grantRefused: #expect(state == .needsReconnect(.revoked) && actions == [.forgetSecrets])
        case .keyRefused, .privateKeyUnreadable:
            #expect(state == .needsReconnect(.keyRefused) && actions.isEmpty)
        case .userTokenRefused: #expect(state == .needsReconnect(.userTokenRefused) && actions.isEmpty)
        case .accessTokenRefused: #expect(state == .connected && actions == [.refresh])
        default:
            #expect(state.isUsable && actions.isEmpty)
            switch fault {
            case .tokenRequestRefused: #expect(state.recovery == .retryAt && fault.recovery == .tellUser)
            // A job fails and does not wait for the person, who may not be able to correct it.
            case .accessTokenRefusedAgain: #expect(state.recovery == .reconnect && fault.recovery == .tellUser)
            default: #expect(state.recovery == fault.recovery)
            }
        }
    }

    @Test("An unfinished authorization restores the former state")
    func abandonedAuthorization() {
        for (start, end) in [
            (ConnectionState.disconnected, ConnectionState.disconnected),
            (.needsReconnect(.consentEnded), .needsReconnect(.consentEnded)), (.connected, .connected),
        ] {
            for last in [ConnectionEvent.authorizationFailed, .time(Self.time(10))] {
                var state = start
                _ = state.handle(.authorizationBegan(until: Self.time(5)))
                _ = state.handle(.authorizationBegan(until: Self.time(10)))
                #expect(state.name == (start == .connected ? .connected : .authorizing))
                _ = state.handle(.time(Self.time(7)))
                #expect(state.name == (start == .connected ? .connected : .authorizing))
                _ = state.handle(last)
                #expect(state == end)
            }
        }
    }

    @Test("A failure with a time ends at that time, and not before")
    func troublePasses() {
        var state = ConnectionState.connected
        _ = state.handle(.troubled(.rateLimited, until: Self.time(100)))
        _ = state.handle(.time(Self.time(99)))
        #expect(state == .degraded(.rateLimited, until: Self.time(100)))
        _ = state.handle(.time(Self.time(100)))
        #expect(state == .connected)
    }
}

extension ConnectionEvent {
    fileprivate static func random(using random: inout some RandomNumberGenerator) -> ConnectionEvent {
        func time() -> Timestamp { Timestamp(microseconds: .random(in: 0...1_000, using: &random)) }
        switch Int.random(in: 0..<16, using: &random) {
        case 0, 1: return .authorizationBegan(until: time())
        case 2: return .authorizationFailed
        case 3, 4: return .accepted
        case 5: return .disconnected
        case 6: return .answered
        case 7, 8:
            let trouble = ConnectionState.Trouble.allCases.randomElement(using: &random) ?? .unavailable
            return .troubled(trouble, until: Bool.random(using: &random) ? time() : nil)
        case 9: return .accessTokenRefused
        case 10: return .grantRefused(lostAnswer: .random(using: &random))
        case 11: return .keyRefused
        case 12: return .consentEnded
        case 13: return .clientChanged
        case 14: return .userTokenRefused
        default: return .time(time())
        }
    }
}
