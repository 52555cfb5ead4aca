import NIOCore
import Testing

@testable import Gateway

@Suite("Deadlines of connections")
struct ConnectionDeadlinesTests {
    /// The limits: header 10, body 20, keepAlive 30, and write 40 seconds.
    private static let limits = {
        var limits = ConnectionLimits()
        (limits.header, limits.body, limits.keepAlive, limits.write) = (
            .seconds(10), .seconds(20), .seconds(30), .seconds(40)
        )
        return limits
    }()

    private static func at(_ seconds: Int64) -> NIODeadline { .uptimeNanoseconds(1_000_000_000) + .seconds(seconds) }

    private func clock() -> ConnectionDeadlines { ConnectionDeadlines(limits: Self.limits, openedAt: Self.at(0)) }

    /// A connection on which one request was answered, at second 5.
    private func used() -> ConnectionDeadlines {
        var clock = clock()
        clock.receivedBytes(1, at: Self.at(4))
        clock.readHead(at: Self.at(4))
        clock.readEnd()
        clock.beganAnswer()
        clock.endedAnswer(at: Self.at(5))
        return clock
    }

    @Test("The first header's time counts from the connection's start, however its bytes arrive")
    func firstHeader() {
        var clock = clock()
        #expect(clock.verdict(at: Self.at(9)) == .wait(until: Self.at(10)))
        #expect(clock.verdict(at: Self.at(10)) == .cut(.header, isAnswered: false))
        for second in 1...9 { clock.receivedBytes(1, at: Self.at(Int64(second))) }
        #expect(clock.verdict(at: Self.at(10)) == .cut(.header, isAnswered: true))
    }

    @Test("A later header's time counts from its first byte; before that the idle time counts")
    func laterHeader() {
        var clock = used()
        #expect(clock.verdict(at: Self.at(34)) == .wait(until: Self.at(35)))
        #expect(clock.verdict(at: Self.at(35)) == .cut(.keepAlive, isAnswered: false))
        clock.receivedBytes(1, at: Self.at(30))
        clock.receivedBytes(1, at: Self.at(39))
        #expect(clock.verdict(at: Self.at(39)) == .wait(until: Self.at(40)))
        #expect(clock.verdict(at: Self.at(40)) == .cut(.header, isAnswered: true))
    }

    @Test("A header begun during the previous response counts from that response's end")
    func pipelinedHeader() {
        var clock = clock()
        clock.readHead(at: Self.at(1))
        clock.readEnd()
        clock.receivedBytes(1, at: Self.at(2))
        #expect(clock.verdict(at: Self.at(1_000)) == .wait(until: nil))
        clock.endedAnswer(at: Self.at(1_000))
        #expect(clock.verdict(at: Self.at(1_009)) == .wait(until: Self.at(1_010)))
        #expect(clock.verdict(at: Self.at(1_010)) == .cut(.header, isAnswered: true))
    }

    @Test("A file has a second more for each 64 KiB that has arrived; other bodies do not")
    func timeForAFile() {
        for (isFile, deadline) in [(true, 26), (false, 22)] {
            var clock = clock()
            clock.readHead(at: Self.at(2), isFile: isFile)
            clock.receivedBytes(100_000, at: Self.at(5))
            clock.receivedBytes(162_144, at: Self.at(21))
            #expect(clock.verdict(at: Self.at(21)) == .wait(until: Self.at(Int64(deadline))))
            #expect(clock.verdict(at: Self.at(Int64(deadline))) == .cut(.body, isAnswered: true))
        }
    }

    @Test("A file of any length has at most a day, and no more time for bytes that arrive after its refusal")
    func endlessFile() {
        var clock = clock()
        clock.readHead(at: Self.at(2), isFile: true)
        for _ in 0..<3 { clock.receivedBytes(.max, at: Self.at(5)) }
        #expect(clock.verdict(at: Self.at(21)) == .wait(until: Self.at(86_422)))
        var refused = self.clock()
        refused.readHead(at: Self.at(2), isFile: true)
        refused.receivedBytes(65_536, at: Self.at(3))
        refused.beganAnswer()
        refused.receivedBytes(1 << 30, at: Self.at(4))
        refused.endedAnswer(at: Self.at(5))
        refused.receivedBytes(1 << 30, at: Self.at(6))
        #expect(refused.verdict(at: Self.at(21)) == .wait(until: Self.at(23)))
        #expect(refused.verdict(at: Self.at(23)) == .cut(.body, isAnswered: false))
    }

    @Test("A request whose body is late gets an answer unless a response has begun")
    func lateBody() {
        var clock = clock()
        clock.receivedBytes(1, at: Self.at(3))
        clock.readHead(at: Self.at(3))
        clock.receivedBytes(1, at: Self.at(22))
        #expect(clock.verdict(at: Self.at(22)) == .wait(until: Self.at(23)))
        #expect(clock.verdict(at: Self.at(23)) == .cut(.body, isAnswered: true))
        clock.beganAnswer()
        #expect(clock.verdict(at: Self.at(23)) == .cut(.body, isAnswered: false))
        // A refusal is sent before the body has arrived. The rest of the body is waited for, but not longer than its
        // limit.
        clock.endedAnswer(at: Self.at(4))
        #expect(clock.verdict(at: Self.at(22)) == .wait(until: Self.at(23)))
        #expect(clock.verdict(at: Self.at(23)) == .cut(.body, isAnswered: false))
    }

    @Test("A response has no limit while its client reads it")
    func readingClients() {
        var clock = clock()
        clock.readHead(at: Self.at(1))
        clock.readEnd()
        clock.beganAnswer()
        #expect(clock.verdict(at: Self.at(100_000)) == .wait(until: nil))
        clock.sent(waiting: 500, taken: 1_000, at: Self.at(100))
        #expect(clock.verdict(at: Self.at(139)) == .wait(until: Self.at(140)))
        // More bytes to send do not count as progress; a byte that the client read does.
        clock.sent(waiting: 900, taken: 1_000, at: Self.at(120))
        #expect(clock.verdict(at: Self.at(139)) == .wait(until: Self.at(140)))
        #expect(clock.verdict(at: Self.at(140)) == .cut(.write, isAnswered: false))
        clock.sent(waiting: 899, taken: 1_001, at: Self.at(139))
        #expect(clock.verdict(at: Self.at(140)) == .wait(until: Self.at(179)))
        clock.sent(waiting: 0, taken: 1_900, at: Self.at(150))
        #expect(clock.verdict(at: Self.at(100_000)) == .wait(until: nil))
    }

    @Test("After the last response a client has the header's time to close the connection, whatever it sends")
    func closingAfterTheLastResponse() {
        var clock = used()
        clock.closes(at: Self.at(5))
        clock.receivedBytes(1, at: Self.at(14))
        clock.closes(at: Self.at(14))
        #expect(clock.verdict(at: Self.at(14)) == .wait(until: Self.at(15)))
        #expect(clock.verdict(at: Self.at(15)) == .cut(.keepAlive, isAnswered: false))
    }
}
