import Crypto
import Platform

@testable import Push

/// What a browser has, and the texts that it gives out.
struct SampleSubscription {
    let privateKey: P256.KeyAgreement.PrivateKey
    let auth: String

    init(privateKey: P256.KeyAgreement.PrivateKey = P256.KeyAgreement.PrivateKey(), auth: String? = nil) {
        self.privateKey = privateKey
        self.auth = auth ?? Base64URL.text(of: (0..<16).map { _ in UInt8.random(in: .min ... .max) })
    }

    var p256dh: String { Base64URL.text(of: privateKey.publicKey.x963Representation) }

    static let endpoint = "https://updates.push.services.mozilla.com/wpush/v2/gAAAAABn"

    func subscription(endpoint: String = endpoint) throws -> WebPushSubscription {
        try WebPushSubscription(endpoint: endpoint, p256dh: p256dh, auth: auth)
    }
}
