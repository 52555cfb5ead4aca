import Model

/// The text that libzmq attaches to each message of a connection (`User-Id`): the admitted key and the number of its
/// handshake.
///
/// The number distinguishes consecutive connections with one descriptor, since libzmq does not order the messages of a
/// socket and the events of its monitor.
struct HandshakeTag: Equatable {
    let key: CurvePublicKey
    /// Increases with each successful handshake.
    let number: UInt64

    init(key: CurvePublicKey, number: UInt64) {
        self.key = key
        self.number = number
    }

    /// Parses ``text``; returns `nil` if it is malformed.
    init?(_ text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2, let key = CurvePublicKey(String(words[0])),
            let number = UInt64(decimal: words[1], in: 0...(.max))
        else { return nil }
        self.init(key: key, number: number)
    }

    var text: String { "\(key.text) \(number)" }
}
