import Testing

@testable import Messaging

@Suite("What a router knows of its connections")
struct ConnectionBookTests {
    let key: CurvePublicKey

    init() throws {
        key = try CurveKeyPair.generate().publicKey
    }

    private func tag(_ number: UInt64, _ key: CurvePublicKey? = nil) -> HandshakeTag {
        HandshakeTag(key: key ?? self.key, number: number)
    }

    /// Whether another key has the name; all descriptors are open but `closed`.
    private func holds(
        _ book: ConnectionBook, _ name: String, otherThan key: CurvePublicKey, closed: Set<Int32> = []
    ) -> Bool {
        book.holdsName(name, otherThan: key) { descriptor, _ in !closed.contains(descriptor) }
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
        #expect(book.spoke(5, peer: PeerID("w/1"), tag: tag(1)) == true)
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
        #expect(book.spoke(5, peer: PeerID("w/1"), tag: tag(1)) == true)
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
        #expect(!holds(book, "w", otherThan: other))
        #expect(book.spoke(5, peer: PeerID("w/1"), tag: tag(1)) == true)
        #expect(holds(book, "w", otherThan: other))
        #expect(!holds(book, "w", otherThan: key) && !holds(book, "v", otherThan: other))
        // The news of its end is still to come.
        #expect(!holds(book, "w", otherThan: other, closed: [5]))
        book.cut(5)
        #expect(!holds(book, "w", otherThan: other))
    }

    @Test("a message that is read after the news of its connection's end makes nothing known, and holds no name")
    func lateMessage() throws {
        var book = ConnectionBook()
        let other = try CurveKeyPair.generate().publicKey
        book.accepted(5, address: "10.0.0.1")
        book.succeeded()
        #expect(book.disconnected(5) == nil)
        #expect(book.spoke(5, peer: PeerID("w/1"), tag: tag(1)) == false)
        #expect(book.connections.isEmpty && book.connection(of: PeerID("w/1")) == nil)
        // The worker is restarted, with another key.
        #expect(!holds(book, "w", otherThan: other))
        book.accepted(6, address: "10.0.0.1")
        book.succeeded()
        #expect(book.spoke(6, peer: PeerID("w/2"), tag: tag(2, other)) == true)
        #expect(book.connection(of: PeerID("w/2"))?.descriptor == 6)
        // What goes without a word is told from it as before.
        book.accepted(7, address: nil)
        #expect(book.disconnected(7)?.reason == .notZeroMQ)
    }

    @Test("one that is read when another connection has the descriptor does not speak for that one for long")
    func reusedDescriptor() throws {
        var book = ConnectionBook()
        let other = try CurveKeyPair.generate().publicKey
        book.accepted(5, address: nil)
        book.succeeded()
        #expect(book.disconnected(5) == nil)
        book.accepted(5, address: nil)
        book.succeeded()
        // Of the first connection, whose handshake came before.
        #expect(book.spoke(5, peer: PeerID("w/1"), tag: tag(1)) == true)
        #expect(book.spoke(5, peer: PeerID("w/2"), tag: tag(2, other)) == true)
        #expect(book.connection(of: PeerID("w/1")) == nil)
        #expect(!holds(book, "w", otherThan: other))
        // And once more of the first one.
        #expect(book.spoke(5, peer: PeerID("w/1"), tag: tag(1)) == false)
        #expect(book.connection(of: PeerID("w/2"))?.connection.key == other)
        #expect(!holds(book, "w", otherThan: other))
        #expect(book.disconnected(5) == nil)
        book.accepted(6, address: nil)
        #expect(book.disconnected(6)?.reason == .notZeroMQ)
    }

    @Test("a message before the news that its connection came makes nothing known either; the next one does")
    func earlierMessage() {
        var book = ConnectionBook()
        #expect(book.spoke(5, peer: PeerID("w/1"), tag: tag(1)) == false)
        book.accepted(5, address: "10.0.0.1")
        book.succeeded()
        #expect(book.spoke(5, peer: PeerID("w/1"), tag: tag(1)) == true)
        #expect(book.connection(of: PeerID("w/1"))?.connection.address == "10.0.0.1")
        // Its descriptor's next connection was told of before its end.
        book.cut(5)
        #expect(book.spoke(5, peer: PeerID("v/1"), tag: tag(2)) == true)
        #expect(book.connection(of: PeerID("v/1"))?.connection.isCut == false)
        #expect(book.disconnected(5) == nil)
        book.accepted(5, address: nil)
        book.succeeded()
        #expect(book.connection(of: PeerID("v/1")) == nil)
        #expect(book.spoke(5, peer: PeerID("v/1"), tag: tag(2)) == true)
        #expect(book.connection(of: PeerID("v/1")) != nil)
    }

    @Test("a tag is written and read; what is none is not")
    func tags() {
        #expect(HandshakeTag(tag(7).text) == tag(7))
        for text in ["", key.text, "\(key.text) x", "x 1", "\(key.text) 1 2", "\(key.text) -1"] {
            #expect(HandshakeTag(text) == nil)
        }
    }

    @Test("the old connection of a routing id does not take the new one's place with it")
    func replaced() {
        var book = ConnectionBook()
        for descriptor in Int32(5)...6 {
            book.accepted(descriptor, address: nil)
            #expect(book.spoke(descriptor, peer: PeerID("w/1"), tag: tag(UInt64(descriptor))) == true)
        }
        _ = book.disconnected(5)
        #expect(book.connection(of: PeerID("w/1"))?.descriptor == 6)
    }
}
