import Platform

/// A value that must never reach a log, an error, a job payload or a message: an API key, a token.
///
/// Descriptions, interpolations and dumps show `•••`. Only ``reveal()`` returns the text, so that a search for this
/// name finds every use.
package struct Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let text: String

    package init(_ text: String) {
        self.text = text
    }

    package var description: String { "•••" }
    package var debugDescription: String { "•••" }
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// The text itself. Only for the call that sends it to its upstream.
    package func reveal() -> String { text }

    /// `message` with every occurrence of this secret, plain or percent-encoded, replaced by `•••`.
    package func redacted(from message: String) -> String {
        guard !text.isEmpty else { return message }
        var result = message.replacing(text, with: "•••")
        if text.percentEncoded != text { result = result.replacing(text.percentEncoded, with: "•••") }
        return result
    }
}
