import Crypto
import Foundation

/// The receiving side of a push message (RFC 8291, on RFC 8188), as a browser has it.
///
/// It follows the pseudo-code of RFC 8291, section 3.4, with HMAC alone, and reads every field of the header instead of
/// expecting the usual ones, so that it does not share a mistake with a sender.
struct PushDecryption: Sendable {
    /// What is wrong with a message that a browser would drop silently.
    enum Failure: String, Error, Sendable, Codable {
        case headerTooShort, recordSizeTooSmall, keyMissing, keyNotOnCurve, severalRecords, recordTooShort, doesNotOpen
        case delimiterMissing
    }

    let privateKey: P256.KeyAgreement.PrivateKey
    /// 16 bytes.
    let authenticationSecret: Data

    /// Decrypts the body of a message.
    func message(in body: [UInt8]) throws(Failure) -> [UInt8] {
        guard body.count >= 21 else { throw .headerTooShort }
        let salt = Data(body[0..<16])
        let recordSize = body[16..<20].reduce(0) { $0 << 8 | Int($1) }
        let keyLength = Int(body[20])
        guard recordSize >= 18 else { throw .recordSizeTooSmall }
        guard body.count >= 21 + keyLength else { throw .headerTooShort }
        guard keyLength == 65, body[21] == 4 else { throw .keyMissing }
        let record = Data(body[(21 + keyLength)...])
        guard record.count <= recordSize else { throw .severalRecords }
        // The record of an empty message has only its delimiter and the tag.
        guard record.count >= 17 else { throw .recordTooShort }
        guard let sender = try? P256.KeyAgreement.PublicKey(x963Representation: body[21..<21 + keyLength]) else {
            throw .keyNotOnCurve
        }
        let (key, nonce) = try keys(sender: sender, salt: salt)
        guard
            let box = try? AES.GCM.SealedBox(
                nonce: AES.GCM.Nonce(data: nonce), ciphertext: record.dropLast(16), tag: record.suffix(16)),
            let padded = try? AES.GCM.open(box, using: SymmetricKey(data: key))
        else { throw .doesNotOpen }
        // The last record ends with a 2, then zeros.
        guard let delimiter = padded.lastIndex(where: { $0 != 0 }), padded[delimiter] == 2 else {
            throw .delimiterMissing
        }
        return Array(padded[..<delimiter])
    }

    private func keys(
        sender: P256.KeyAgreement.PublicKey, salt: Data
    ) throws(Failure) -> (key: Data, nonce: Data) {
        guard let shared = try? privateKey.sharedSecretFromKeyAgreement(with: sender) else { throw .keyNotOnCurve }
        let combined = Self.hmac(authenticationSecret, shared.withUnsafeBytes { Data($0) })
        let info = Data("WebPush: info\0".utf8) + privateKey.publicKey.x963Representation + sender.x963Representation
        let input = Self.hmac(combined, info + [1])
        let pseudorandom = Self.hmac(salt, input)
        return (
            Self.hmac(pseudorandom, Data("Content-Encoding: aes128gcm\0\u{1}".utf8)).prefix(16),
            Self.hmac(pseudorandom, Data("Content-Encoding: nonce\0\u{1}".utf8)).prefix(12)
        )
    }

    private static func hmac(_ key: Data, _ text: Data) -> Data {
        Data(HMAC<SHA256>.authenticationCode(for: text, using: SymmetricKey(data: key)))
    }
}
