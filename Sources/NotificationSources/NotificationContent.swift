/// What a notification shows, in the page and in a push.
package struct NotificationContent: Sendable, Equatable {
    /// One line.
    package let title: String
    /// One line; empty for none.
    package let body: String
    /// The page that shows more, on this site: it begins with `/`.
    package let path: String

    /// The most characters of a title.
    package static let titleLength = 200
    /// The most characters of a body.
    package static let bodyLength = 500

    /// Longer texts are cut off.
    ///
    /// - Parameter path: the path of a page of this site, with its query if it has one. Parts that people chose are
    ///   percent-encoded by the caller.
    package init(title: String, body: String = "", path: String) {
        precondition(path.hasPrefix("/") && !path.hasPrefix("//"), "not a path of this site")
        self.title = Self.cut(title, Self.titleLength)
        self.body = Self.cut(body, Self.bodyLength)
        self.path = path
    }

    private static func cut(_ text: String, _ length: Int) -> String {
        text.count > length ? text.prefix(length - 1) + "…" : text
    }
}
