import Foundation
import Model
import Platform

/// A topic of an ntfy server, to which a person subscribes with ntfy's app (https://docs.ntfy.sh/publish/).
///
/// Who knows the topic can read it and write to it, so its name is a secret like a password.
package struct NtfyTarget: Sendable {
    package static let longestServer = 300
    package static let longestToken = 200

    let address: PushAddress
    let topic: Secret
    let token: Secret?
    /// What the administrator allows beside the internet.
    private let exceptions: [AddressRange]

    /// - Parameters:
    ///   - server: the address of a server: `https` on the public internet. Other hosts, and `http`, only if the
    ///     administrator has made exceptions; then a connection is made to their addresses only.
    ///   - topic: 1 to 64 letters, digits, hyphens and underscores.
    ///   - token: an access token of the server; `nil` for topics that need none.
    ///   - exceptions: the addresses outside of the public internet that the administrator allows.
    /// - Throws: ``NtfyTargetError``, which names the field.
    package init(
        server: String, topic: String, token: String? = nil, exceptions: [AddressRange] = []
    ) throws(NtfyTargetError) {
        do {
            address = try PushAddress(server, longest: Self.longestServer)
        } catch {
            throw NtfyTargetError(.server, error.description)
        }
        self.exceptions = exceptions
        guard !address.target.contains("?") else {
            throw NtfyTargetError(.server, "continues with ?, which must be left out")
        }
        try Self.check(address, exceptions)
        guard (1...64).contains(topic.utf8.count),
            topic.utf8.allSatisfy({ $0.isASCIILetterOrDigit || "-_".utf8.contains($0) })
        else { throw NtfyTargetError(.topic, "is not 1 to 64 letters, digits, hyphens and underscores") }
        self.topic = Secret(topic)
        if let token {
            guard (1...Self.longestToken).contains(token.utf8.count),
                token.utf8.allSatisfy({ $0.isASCIILetterOrDigit || "-._~+/=".utf8.contains($0) })
            else { throw NtfyTargetError(.token, "is not an access token: letters and digits such as tk_…") }
        }
        self.token = token.map { Secret($0) }
    }

    private static func check(_ address: PushAddress, _ exceptions: [AddressRange]) throws(NtfyTargetError) {
        switch NetworkHost(address.host) {
        case .name where exceptions.isEmpty:
            guard address.isSecure else {
                throw NtfyTargetError(.server, "does not begin with https://")
            }
            guard PublicHost.isName(address.host) else {
                throw NtfyTargetError(.server, "names a host that is not on the public internet")
            }
        // Connections to other names are made to the exceptions only.
        case .name: break
        case .ipv4, .ipv6:
            let isException = AllowedAddresses.only(exceptions).contain(address.host)
            guard isException || address.isSecure && PublicHost.isAddress(address.host) else {
                throw NtfyTargetError(
                    .server, "has an address that the administrator has not allowed, or has allowed only with https")
            }
        }
    }

    /// The name of the server, with its port unless that is the one of https. It may be shown and logged.
    package var host: String { address.server }

    /// Scheme, host, port and path, without a trailing slash.
    package var server: String {
        let text = address.origin + address.target
        return String(text.reversed().drop { $0 == "/" }.reversed())
    }

    /// The addresses to which a connection may be made.
    package var allowedAddresses: AllowedAddresses {
        let isPublic =
            address.isSecure && (PublicHost.isName(address.host) || PublicHost.isAddress(address.host))
        return isPublic ? .publicInternetOr(exceptions) : .only(exceptions)
    }

    /// Recognizes a topic without showing it.
    ///
    /// - Parameter hash: depends on a key that the database does not have. People choose the names of topics, so that
    ///   guesses could be compared with the hash otherwise.
    package func fingerprint(_ hash: (_ topic: Secret) -> String) -> String {
        hash(Secret("\(server)\n\(topic.reveal())"))
    }

    /// The value of `Authorization`; `nil` without a token.
    package var authorization: Secret? { token.map { Secret("Bearer \($0.reveal())") } }
}

extension NtfyTarget {
    /// All of it as one text, for a vault.
    package var secret: Secret {
        Secret([server, topic.reveal(), token?.reveal() ?? ""].joined(separator: "\n"))
    }

    /// Reads what ``secret`` has written.
    ///
    /// - Throws: ``NtfyTargetError``, also for one that the exceptions no longer allow.
    package init(secret: Secret, exceptions: [AddressRange] = []) throws(NtfyTargetError) {
        let lines = secret.reveal().split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
        guard lines.count == 3 else { throw NtfyTargetError(.server, "and its topic were stored in another form") }
        try self.init(
            server: lines[0], topic: lines[1], token: lines[2].isEmpty ? nil : lines[2], exceptions: exceptions)
    }
}

extension NtfyTarget: CustomStringConvertible, CustomReflectable {
    package var description: String { "a topic at \(host)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// A server or topic that cannot be used: the field, and what is wrong with it.
package struct NtfyTargetError: Error, Hashable, CustomStringConvertible {
    package enum Field: String, Sendable, CaseIterable {
        case server, topic, token
    }

    package let field: Field
    /// Completes a sentence that begins with the field. It never shows the value.
    package let reason: String

    init(_ field: Field, _ reason: String) {
        (self.field, self.reason) = (field, reason)
    }

    package var description: String {
        switch field {
        case .server: "The ntfy server \(reason). Write it like https://ntfy.sh."
        case .topic: "The ntfy topic \(reason)."
        case .token: "The ntfy token \(reason)."
        }
    }
}
