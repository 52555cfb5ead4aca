import Platform

/// The address at which the people of a push service reach the administrator (RFC 8292, section 2.1): the claim `sub`.
///
/// Apple's service refuses every message with one that is not public, without saying so.
package struct VAPIDContact: Sendable, Hashable, CustomStringConvertible {
    private static let longest = 200

    package let description: String

    /// - Parameter text: `https://` with a public host, or `mailto:` with an address of a public domain.
    /// - Throws: ``VAPIDContactError``, which says what is wrong.
    package init(_ text: String) throws(VAPIDContactError) {
        if text.hasPrefix("mailto:") {
            try Self.checkMail(text)
        } else {
            try Self.checkPage(text)
        }
        description = text
    }

    private static func checkPage(_ text: String) throws(VAPIDContactError) {
        guard text.hasPrefix("https://") else {
            throw VAPIDContactError("begins neither with https:// nor with mailto:")
        }
        let address: PushAddress
        do {
            address = try PushAddress(text, longest: longest)
        } catch {
            throw VAPIDContactError(error.description)
        }
        guard PublicHost.isName(address.host) else { throw VAPIDContactError(ofHost: address.host) }
    }

    private static func checkMail(_ text: String) throws(VAPIDContactError) {
        guard text.utf8.count <= longest else { throw VAPIDContactError("is longer than \(longest) bytes") }
        let address = text.dropFirst("mailto:".count)
        guard !address.contains(where: \.isWhitespace) else {
            throw VAPIDContactError("has a blank, which some services refuse")
        }
        guard let at = address.lastIndex(of: "@") else { throw VAPIDContactError("has no @ after mailto:") }
        let name = address[..<at]
        let isPlain = name.utf8.allSatisfy { $0.isUnreservedInURLs || "!$&'*+=".utf8.contains($0) }
        guard (1...64).contains(name.utf8.count), isPlain else {
            throw VAPIDContactError("has no plain name of letters, digits, dots and hyphens before the @")
        }
        let host = address[address.index(after: at)...].lowercased()
        guard PublicHost.isName(host) else { throw VAPIDContactError(ofHost: host) }
    }
}

/// A contact that push services would refuse.
package struct VAPIDContactError: Error, Hashable, CustomStringConvertible {
    /// Completes a sentence that begins with the contact.
    package let reason: String

    init(_ reason: String) { self.reason = reason }

    fileprivate init(ofHost host: String) {
        reason =
            NetworkHost.isHost(host)
            ? "names \(host), which is not a name on the public internet" : "has no valid name of a host"
    }

    package var description: String {
        "The contact for Web Push \(reason). Use an https:// page or a mailto: address of a public domain: push services "
            + "refuse messages with another one."
    }
}
