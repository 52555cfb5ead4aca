import Foundation
import Platform

/// What a person is shown, through whatever channel.
package struct PushNotification: Sendable, Equatable {
    /// Not empty.
    package let title: String
    package let body: String?
    /// The page that a press opens: a whole address.
    package let address: String
    /// A device replaces the notification that it shows with the same tag.
    package let tag: String?
    /// The language of the texts (BCP 47).
    package let language: String?
    /// Whether the device makes neither a sound nor a vibration.
    package let isSilent: Bool

    package init(
        title: String, body: String? = nil, address: String, tag: String? = nil, language: String? = nil,
        isSilent: Bool = false
    ) {
        self.title = title
        self.body = body
        self.address = address
        self.tag = tag
        self.language = language
        self.isSilent = isSilent
    }

    /// The content of a message to a browser: a declarative push message (Push API, "Declarative push message"), which
    /// Safari shows by itself, and which our service worker reads as well. The body is shortened as far as necessary,
    /// then the title.
    ///
    /// - Parameter count: the most bytes, at least 200 more than the address, tag and language have.
    package func content(atMost count: Int = WebPushEncryption.longestMessage) -> [UInt8] {
        // No text of more bytes can fit, and each attempt below takes time in proportion to the texts.
        let (title, body) = (self.title.shortened(toBytes: count), (self.body ?? "").shortened(toBytes: count))
        return Self.longest(of: body) { shortened in
            Self.json(DeclarativeMessage(self, title: title, body: shortened), atMost: count)
        } ?? Self.longest(of: title) { shortened in
            Self.json(DeclarativeMessage(self, title: shortened, body: ""), atMost: count)
        } ?? []
    }

    /// The value that `make` returns for the longest beginning of a text for which it returns one.
    private static func longest<Value>(of text: String, _ make: (String) -> Value?) -> Value? {
        if let whole = make(text) { return whole }
        // Its bytes may become up to six times as many in JSON, so the length can only be found by trying.
        var (found, fits, tooLong): (Value?, Int, Int) = (nil, -1, text.utf8.count)
        while fits + 1 < tooLong {
            let middle = fits + (tooLong - fits) / 2
            if let value = make(text.shortened(toBytes: middle)) {
                (found, fits) = (value, middle)
            } else {
                tooLong = middle
            }
        }
        return found
    }

    private static func json(_ message: DeclarativeMessage, atMost count: Int) -> [UInt8]? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let bytes = try? encoder.encode(message), bytes.count <= count else { return nil }
        return Array(bytes)
    }
}

/// https://www.w3.org/TR/push-api/#declarative-push-message
private struct DeclarativeMessage: Encodable {
    struct Notification: Encodable {
        let title: String
        let body: String?
        let navigate: String
        let tag: String?
        let lang: String?
        let silent: Bool?
    }

    /// The number of RFC 8030, by which browsers recognize such a message.
    let web_push = 8030
    let notification: Notification

    init(_ notification: PushNotification, title: String, body: String) {
        self.notification = Notification(
            title: title, body: body.isEmpty ? nil : body, navigate: notification.address, tag: notification.tag,
            lang: notification.language, silent: notification.isSilent ? true : nil)
    }
}

extension String {
    /// The text, or its beginning with an ellipsis, in at most `count` bytes of UTF-8; empty if not even the ellipsis
    /// fits. No character is cut.
    func shortened(toBytes count: Int) -> String {
        guard utf8.count > count else { return self }
        let ellipsis = "…"
        var left = count - ellipsis.utf8.count
        guard left >= 0 else { return "" }
        let beginning = prefix { character in
            left -= character.utf8.count
            return left >= 0
        }
        return beginning + ellipsis
    }
}
