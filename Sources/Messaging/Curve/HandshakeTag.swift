/// What the authenticator lets libzmq put to each message of a connection (`User-Id`): the key that was let in, and the
/// number of its handshake.
///
/// The number tells connections apart that had one descriptor, one after the other: libzmq orders nothing between the
/// messages that a socket hands out and what its monitor tells.
struct HandshakeTag: Equatable {
    let key: CurvePublicKey
    /// Rises with each handshake that succeeds.
    let number: UInt64

    init(key: CurvePublicKey, number: UInt64) {
        self.key = key
        self.number = number
    }

    /// - Parameter text: as ``text`` writes it; `nil` when it is not.
    init?(_ text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2, let key = CurvePublicKey(String(words[0])), let number = UInt64(words[1]) else {
            return nil
        }
        self.init(key: key, number: number)
    }

    var text: String { "\(key.text) \(number)" }
}
