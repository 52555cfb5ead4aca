import Testing

@testable import Messaging

@Suite("What a router knows of its connections")
struct ConnectionBookTests {
    let key: CurvePublicKey

    init() throws {
        key = try CurveKeyPair.generate().publicKey
    }

    @Test("a failed handshake is of the connection that goes next")
    func failure() {
        var book = ConnectionBook()
        book.accepted(5, address: "10.0.0.1")
        book.accepted(6, address: "10.0.0.2")
        book.failed(.refused(.noCurve))
        #expect(book.disconnected(6) == Refusal(.noCurve, address: "10.0.0.2"))
        book.failed(.counted)
        #expect(book.disconnected(5) == nil)
        #expect(book.connections.isEmpty)
    }

    @Test("one that goes without a word was no ZeroMQ, unless it was let in")
    func silence() {
        var book = ConnectionBook()
        book.accepted(5, address: "10.0.0.1")
        #expect(book.disconnected(5) == Refusal(.notZeroMQ, address: "10.0.0.1"))
        book.accepted(5, address: nil)
        book.succeeded()
        #expect(book.disconnected(5) == nil)
        book.accepted(5, address: nil)
        book.succeeded()
        book.spoke(5, peer: PeerID("w/1"), key: key)
        book.accepted(6, address: nil)
        #expect(book.disconnected(6)?.reason == .notZeroMQ)
        #expect(book.disconnected(5) == nil)
        #expect(book.connection(of: PeerID("w/1")) == nil)
        #expect(book.disconnected(77) == nil, "nothing was known of it")
    }

    @Test("a message that is read before the news of its handshake changes nothing")
    func earlyMessage() {
        var book = ConnectionBook()
        book.accepted(5, address: nil)
        book.spoke(5, peer: PeerID("w/1"), key: key)
        book.succeeded()
        #expect(book.disconnected(5) == nil)
        book.accepted(6, address: nil)
        #expect(book.disconnected(6)?.reason == .notZeroMQ)
    }

    @Test("a name is held by another key only while its connection stands, and is not cut")
    func names() throws {
        var book = ConnectionBook()
        let other = try CurveKeyPair.generate().publicKey
        book.accepted(5, address: nil)
        #expect(book.holder(ofName: "w", otherThan: other) == nil)
        book.spoke(5, peer: PeerID("w/1"), key: key)
        #expect(book.holder(ofName: "w", otherThan: other) != nil)
        #expect(book.holder(ofName: "w", otherThan: key) == nil)
        #expect(book.holder(ofName: "v", otherThan: other) == nil)
        book.cut(5)
        #expect(book.holder(ofName: "w", otherThan: other) == nil)
    }

    @Test("the old connection of a routing id does not take the new one's place with it")
    func replaced() {
        var book = ConnectionBook()
        for descriptor in Int32(5)...6 {
            book.accepted(descriptor, address: nil)
            book.spoke(descriptor, peer: PeerID("w/1"), key: key)
        }
        _ = book.disconnected(5)
        #expect(book.connection(of: PeerID("w/1"))?.descriptor == 6)
    }
}
