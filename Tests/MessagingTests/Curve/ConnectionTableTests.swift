import Testing

@testable import Messaging

@Suite("The connections of a router")
struct ConnectionTableTests {
    private var table = ConnectionTable()
    private let key: CurvePublicKey
    private let otherKey: CurvePublicKey

    init() throws {
        key = try CurveKeyPair.generate().publicKey
        otherKey = try CurveKeyPair.generate().publicKey
    }

    // MARK: Scenes

    /// The events of a connection whose handshake succeeds.
    private mutating func connect(_ descriptor: Int32, address: String? = nil) {
        table.accepted(descriptor, address: address)
        table.succeeded()
    }

    /// A message of `peer`; returns whether its connection is known.
    private mutating func receive(
        _ descriptor: Int32, _ peer: String, handshake number: UInt64, key: CurvePublicKey? = nil
    ) -> Bool {
        table.recordMessage(descriptor, peer: PeerID(peer), tag: tag(number, key))
    }

    private func tag(_ number: UInt64, _ key: CurvePublicKey? = nil) -> HandshakeTag {
        HandshakeTag(key: key ?? self.key, number: number)
    }

    private func connection(of peer: String) -> (descriptor: Int32, connection: ConnectionTable.Connection)? {
        table.connection(of: PeerID(peer))
    }

    /// Whether the worker name `w` is taken for a worker with this key; all descriptors but `closed` are open.
    private func isNameTaken(for key: CurvePublicKey, _ name: String = "w", closed: Set<Int32> = []) -> Bool {
        table.isNameTaken(name, byOtherThan: key) { descriptor, _ in !closed.contains(descriptor) }
    }

    /// Expects that a connection without a handshake is distinguished from those that have one.
    private mutating func expectStrangerIsNoticed(sourceLocation: SourceLocation = #_sourceLocation) {
        table.accepted(99, address: "10.0.0.9")
        #expect(
            table.disconnected(99) == Refusal(.notZeroMQ, address: "10.0.0.9"), sourceLocation: sourceLocation)
    }

    // MARK: Ends

    @Test("A failed handshake belongs to the connection that ends next")
    mutating func failedHandshake() {
        table.accepted(5, address: "10.0.0.1")
        table.accepted(6, address: "10.0.0.2")
        table.failed(.refused(.noCurve))
        let refusal = table.disconnected(6)
        #expect(refusal == Refusal(.noCurve, address: "10.0.0.2"))
        table.failed(.counted)
        let counted = table.disconnected(5)
        #expect(counted == nil && table.connections.isEmpty)
    }

    @Test("A connection that ends without a failure was not ZeroMQ, unless its handshake succeeded")
    mutating func silentConnection() {
        expectStrangerIsNoticed()
        connect(5)
        let silent = table.disconnected(5)
        #expect(silent == nil)
        connect(5)
        let isKnown = receive(5, "w/1", handshake: 1)
        #expect(isKnown)
        expectStrangerIsNoticed()
        let ended = table.disconnected(5)
        #expect(ended == nil && connection(of: "w/1") == nil)
        let unknown = table.disconnected(77)
        #expect(unknown == nil)
    }

    // MARK: Messages and events in any order

    @Test("A message may be read before the event for its handshake")
    mutating func messageBeforeHandshake() {
        table.accepted(5, address: nil)
        let isKnown = receive(5, "w/1", handshake: 1)
        #expect(isKnown)
        table.succeeded()
        let ended = table.disconnected(5)
        #expect(ended == nil)
        expectStrangerIsNoticed()
    }

    @Test("A message that is read before its connection was accepted adds nothing; the next one does")
    mutating func messageBeforeConnection() {
        let early = receive(5, "w/1", handshake: 1)
        #expect(!early)
        connect(5, address: "10.0.0.1")
        let isKnown = receive(5, "w/1", handshake: 1)
        #expect(isKnown && connection(of: "w/1")?.connection.address == "10.0.0.1")
        // The next connection with this descriptor sends a message before the event for this one's end is read.
        table.markShutDown(5)
        let next = receive(5, "v/1", handshake: 2)
        #expect(next && connection(of: "v/1")?.connection.isShutDown == false)
        let ended = table.disconnected(5)
        #expect(ended == nil)
        connect(5)
        #expect(connection(of: "v/1") == nil)
        let again = receive(5, "v/1", handshake: 2)
        #expect(again && connection(of: "v/1") != nil)
    }

    @Test("A message that is read after its connection ended adds nothing, and reserves no name")
    mutating func messageAfterEnd() {
        connect(5, address: "10.0.0.1")
        let ended = table.disconnected(5)
        #expect(ended == nil)
        let late = receive(5, "w/1", handshake: 1)
        #expect(!late && table.connections.isEmpty && connection(of: "w/1") == nil)
        // The worker restarts with another key.
        #expect(!isNameTaken(for: otherKey))
        connect(6, address: "10.0.0.1")
        let isKnown = receive(6, "w/2", handshake: 2, key: otherKey)
        #expect(isKnown && connection(of: "w/2")?.descriptor == 6)
        expectStrangerIsNoticed()
    }

    @Test("A late message does not claim a reused descriptor for long")
    mutating func reusedDescriptor() {
        connect(5)
        let ended = table.disconnected(5)
        #expect(ended == nil)
        connect(5)
        // A message of the first connection, whose handshake was earlier.
        let late = receive(5, "w/1", handshake: 1)
        let present = receive(5, "w/2", handshake: 2, key: otherKey)
        #expect(late && present)
        #expect(connection(of: "w/1") == nil && !isNameTaken(for: otherKey))
        let again = receive(5, "w/1", handshake: 1)
        #expect(!again && connection(of: "w/2")?.connection.key == otherKey && !isNameTaken(for: otherKey))
        let over = table.disconnected(5)
        #expect(over == nil)
        expectStrangerIsNoticed()
    }

    @Test("When the old connection of a routing id ends, the new one remains")
    mutating func replacedConnection() {
        for descriptor in Int32(5)...6 {
            connect(descriptor)
            let isKnown = receive(descriptor, "w/1", handshake: UInt64(descriptor))
            #expect(isKnown)
        }
        _ = table.disconnected(5)
        #expect(connection(of: "w/1")?.descriptor == 6)
    }

    // MARK: Names

    @Test("A name is taken only by an open connection with another key that was not shut down")
    mutating func takenNames() {
        connect(5)
        #expect(!isNameTaken(for: otherKey))
        let isKnown = receive(5, "w/1", handshake: 1)
        #expect(isKnown && isNameTaken(for: otherKey))
        #expect(!isNameTaken(for: key) && !isNameTaken(for: otherKey, "v"))
        // The event for its end has not been read yet.
        #expect(!isNameTaken(for: otherKey, closed: [5]))
        table.markShutDown(5)
        #expect(!isNameTaken(for: otherKey))
    }

    @Test("A handshake tag is written and read; malformed text is refused")
    func handshakeTags() {
        #expect(HandshakeTag(tag(7).text) == tag(7))
        for text in ["", key.text, "\(key.text) x", "x 1", "\(key.text) 1 2", "\(key.text) -1"] {
            #expect(HandshakeTag(text) == nil)
        }
    }
}
