import CZeroMQ
import Model
import Platform

/// A public key of CURVE (rfc.zeromq.org/spec/26): 32 bytes, written as 40 characters of Z85.
package struct CurvePublicKey: Hashable, Sendable, CustomStringConvertible {
    /// The number of bytes of a key, and of characters of its text.
    static let byteCount = 32
    package static let textLength = 40

    /// The key in Z85, as libzmq and key files use it.
    package let text: String

    /// Returns `nil` if `text` is not 32 bytes in Z85.
    package init?(_ text: String) {
        guard Self.bytes(ofZ85: text) != nil else { return nil }
        self.text = text
    }

    init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        var spelling = [CChar](repeating: 0, count: Self.textLength + 1)
        guard zmq_z85_encode(&spelling, Array(bytes), Self.byteCount) != nil else { return nil }
        text = String(decoding: spelling.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The first eight bytes in hexadecimal, for people to compare.
    package var fingerprint: String {
        (Self.bytes(ofZ85: text) ?? []).prefix(8).hexadecimal
    }

    package var description: String { fingerprint }

    /// Returns `nil` if the text is not 40 characters of Z85.
    static func bytes(ofZ85 text: String) -> [UInt8]? {
        guard text.utf8.count == textLength, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else { return nil }
        var bytes = [UInt8](repeating: 0, count: byteCount)
        guard zmq_z85_decode(&bytes, text) != nil else { return nil }
        return bytes
    }
}

/// A key pair of CURVE.
package struct CurveKeyPair: Sendable, Equatable {
    package let publicKey: CurvePublicKey
    package let secretKey: Secret

    init(publicKey: CurvePublicKey, secretKey: Secret) {
        self.publicKey = publicKey
        self.secretKey = secretKey
    }

    /// Makes a pair from random numbers of the system.
    package static func generate() throws(MessagingError) -> CurveKeyPair {
        var publicText = [CChar](repeating: 0, count: CurvePublicKey.textLength + 1)
        var secretText = publicText
        guard zmq_curve_keypair(&publicText, &secretText) == 0,
            let publicKey = CurvePublicKey(Self.string(publicText))
        else { throw .lastCall("Making a CURVE key pair") }
        return CurveKeyPair(publicKey: publicKey, secretKey: Secret(Self.string(secretText)))
    }

    /// The pair of a secret key; `nil` if the text is not a key.
    init?(secretText: String) {
        guard CurvePublicKey.bytes(ofZ85: secretText) != nil else { return nil }
        var publicText = [CChar](repeating: 0, count: CurvePublicKey.textLength + 1)
        guard zmq_curve_public(&publicText, secretText) == 0,
            let publicKey = CurvePublicKey(Self.string(publicText))
        else { return nil }
        self.init(publicKey: publicKey, secretKey: Secret(secretText))
    }

    private static func string(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
