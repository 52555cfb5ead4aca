import Crypto
import Foundation
import Model

/// The encryption of messages to browsers (RFC 8291), in one record of the content coding `aes128gcm` (RFC 8188).
package enum WebPushEncryption {
    /// The most bytes of a message. RFC 8291 allows 3,993; Mozilla's service relays less to phones with Android.
    package static let longestMessage = 2_700
    /// What encryption adds: salt, size of the record, length of the key, key, delimiter and tag.
    package static let overhead = 16 + 4 + 1 + 65 + 1 + 16

    /// Every push service accepts a body of this size (RFC 8030, section 7.2).
    private static let recordSize: UInt32 = 4_096
    /// The delimiter of the last record (RFC 8188, section 2).
    private static let lastRecord: UInt8 = 2

    /// Encrypts a message with a new key and a new salt.
    ///
    /// - Parameter message: at most ``longestMessage`` bytes.
    package static func body(_ message: [UInt8], for subscription: WebPushSubscription) throws -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        let salt = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        return try body(message, for: subscription, key: P256.KeyAgreement.PrivateKey(), salt: salt)
    }

    /// - Parameters:
    ///   - key: the sender's, used for this message only.
    ///   - salt: 16 bytes.
    static func body(
        _ message: [UInt8], for subscription: WebPushSubscription, key: P256.KeyAgreement.PrivateKey, salt: [UInt8]
    ) throws -> [UInt8] {
        precondition(message.count <= longestMessage, "WebPushMessage has refused longer messages")
        let keys = try self.keys(for: subscription, key: key, salt: salt)
        let sealed = try AES.GCM.seal(
            message + [lastRecord], using: keys.content, nonce: AES.GCM.Nonce(data: keys.nonce))
        let sender = key.publicKey.x963Representation
        var body = salt
        body.reserveCapacity(message.count + overhead)
        withUnsafeBytes(of: recordSize.bigEndian) { body += $0 }
        body.append(UInt8(sender.count))
        body += sender
        body += sealed.ciphertext
        body += sealed.tag
        return body
    }

    /// The keys of a message (RFC 8291, section 3.4).
    static func keys(
        for subscription: WebPushSubscription, key: P256.KeyAgreement.PrivateKey, salt: [UInt8]
    ) throws -> (content: SymmetricKey, nonce: Data) {
        let shared = try key.sharedSecretFromKeyAgreement(with: subscription.receiver)
        let input = shared.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: subscription.authenticationSecret,
            sharedInfo: Array("WebPush: info\0".utf8) + subscription.receiver.x963Representation
                + key.publicKey.x963Representation,
            outputByteCount: 32)
        let content = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: input, salt: salt, info: Array("Content-Encoding: aes128gcm\0".utf8), outputByteCount: 16)
        let nonce = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: input, salt: salt, info: Array("Content-Encoding: nonce\0".utf8), outputByteCount: 12)
        return (content, nonce.withUnsafeBytes { Data($0) })
    }
}
