import Crypto
import Model
import Platform

/// What a browser gives out so that it can be sent messages (Push API; RFC 8030; RFC 8291, section 2): an address at
/// its push service, and the keys with which messages to it are encrypted.
///
/// Who knows the address can send to the browser, so it is a secret. Everything in it is chosen by somebody else.
package struct WebPushSubscription: Sendable {
    /// The most bytes of an endpoint. The longest known ones, of Windows, have up to 1,024.
    package static let longestEndpoint = 2_000

    let address: PushAddress
    /// The browser's public key.
    let receiver: P256.KeyAgreement.PublicKey
    /// The secret that browser and sender share, 16 bytes.
    let authenticationSecret: [UInt8]
    /// Whether it belongs to the simulated push service.
    private let isSimulated: Bool

    /// - Parameters:
    ///   - endpoint: an `https` address of a host on the public internet.
    ///   - p256dh: 65 bytes in base64url without padding: an uncompressed point of P-256.
    ///   - auth: 16 bytes in base64url without padding.
    ///   - simulatedOrigin: the origin of a simulated push service on this machine, whose endpoints are accepted as
    ///     well.
    /// - Throws: ``WebPushSubscriptionError``, which names the field.
    package init(
        endpoint: String, p256dh: String, auth: String, simulatedOrigin: String? = nil
    ) throws(WebPushSubscriptionError) {
        do {
            address = try PushAddress(endpoint, longest: Self.longestEndpoint)
        } catch {
            throw WebPushSubscriptionError(.endpoint, error.description)
        }
        isSimulated = address.origin == simulatedOrigin && NetworkHost.isLoopback(address.host)
        if !isSimulated { try Self.check(address) }
        guard address.target.utf8.count > 1 else {
            throw WebPushSubscriptionError(.endpoint, "has nothing after its host: it is not the address of a browser")
        }
        guard let point = Self.bytes(p256dh, count: 65), point[0] == 0x04 else {
            throw WebPushSubscriptionError(.p256dh, "is not an uncompressed point of 65 bytes in base64url, unpadded")
        }
        // BoringSSL checks that the point is on the curve.
        guard let receiver = try? P256.KeyAgreement.PublicKey(x963Representation: point) else {
            throw WebPushSubscriptionError(.p256dh, "is not a point of the curve P-256")
        }
        self.receiver = receiver
        guard let secret = Self.bytes(auth, count: 16) else {
            throw WebPushSubscriptionError(.auth, "is not 16 bytes in base64url, unpadded")
        }
        authenticationSecret = secret
    }

    private static func check(_ address: PushAddress) throws(WebPushSubscriptionError) {
        guard address.isSecure else { throw WebPushSubscriptionError(.endpoint, PushAddressError.scheme.description) }
        guard PublicHost.isName(address.host) else {
            throw WebPushSubscriptionError(.endpoint, "names a host that is not on the public internet")
        }
        // Other services listen on the lower ones.
        guard address.port.map({ $0 >= 1_024 }) ?? true else {
            throw WebPushSubscriptionError(.endpoint, "has a port below 1024 that is not the one of https")
        }
    }

    private static func bytes(_ text: String, count: Int) -> [UInt8]? {
        // Checked first: the text may be long.
        guard text.utf8.count == (count * 4 + 2) / 3 else { return nil }
        return Base64URL.bytes(of: text)
    }

    /// The name of the push service, with its port unless that is the one of https. It may be shown and logged.
    ///
    /// A person chooses the port, so what happens at one says nothing about the service at another.
    package var host: String { address.server }

    /// The addresses to which a connection may be made.
    package var allowedAddresses: AllowedAddresses { isSimulated ? .thisMachine : .publicInternet }

    /// The audience of tokens for it (RFC 8292, section 2).
    package var origin: String { address.origin }

    /// What follows the origin in its endpoint. It is a secret.
    package var target: Secret { Secret(address.target) }

    /// Recognizes an endpoint without showing it: 64 hexadecimal digits. Two subscriptions with the same endpoint are
    /// the same browser. It needs no key, since nobody guesses the random part of an endpoint.
    package var fingerprint: String {
        SHA256.hash(data: Array("backline push endpoint\n\(origin)\(address.target)".utf8)).hexadecimal
    }
}

extension WebPushSubscription {
    /// All of it as one text, for a vault.
    package var secret: Secret {
        Secret(
            [
                origin + address.target, Base64URL.text(of: receiver.x963Representation),
                Base64URL.text(of: authenticationSecret),
            ].joined(separator: "\n"))
    }

    /// Reads what ``secret`` has written.
    ///
    /// - Throws: ``WebPushSubscriptionError``, also for one that the rules no longer allow.
    package init(secret: Secret, simulatedOrigin: String? = nil) throws(WebPushSubscriptionError) {
        let lines = secret.reveal().split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
        guard lines.count == 3 else {
            throw WebPushSubscriptionError(.endpoint, "and its keys were stored in another form")
        }
        try self.init(endpoint: lines[0], p256dh: lines[1], auth: lines[2], simulatedOrigin: simulatedOrigin)
    }
}

extension WebPushSubscription: CustomStringConvertible, CustomReflectable {
    package var description: String { "a subscription at \(host)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// A subscription that cannot be used: the field, and what is wrong with it.
package struct WebPushSubscriptionError: Error, Hashable, CustomStringConvertible {
    /// The fields as browsers name them.
    package enum Field: String, Sendable, CaseIterable {
        case endpoint
        case p256dh = "keys.p256dh"
        case auth = "keys.auth"
    }

    package let field: Field
    /// Completes a sentence that begins with the field. It never shows the value.
    package let reason: String

    init(_ field: Field, _ reason: String) {
        (self.field, self.reason) = (field, reason)
    }

    package var description: String {
        "The subscription's \(field.rawValue) \(reason). Send what PushSubscription.toJSON() returns."
    }
}
