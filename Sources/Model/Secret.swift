/// A value that must never reach a log, an error, a job payload or a message: an API key, a token.
///
/// Describing it, interpolating it or dumping it prints `•••`; only ``reveal()`` hands the
/// text out, so a search for that word finds every place that does.
package struct Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let text: String

    package init(_ text: String) {
        self.text = text
    }

    package var description: String { "•••" }
    package var debugDescription: String { "•••" }
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// The text itself, for the one call that sends it to its upstream.
    package func reveal() -> String { text }

    /// `text` with every occurrence of this secret, as it is or percent-encoded, replaced by `•••`.
    package func redacted(from message: String) -> String {
        guard !text.isEmpty else { return message }
        var result = message.replacing(text, with: "•••")
        if text.percentEncoded != text { result = result.replacing(text.percentEncoded, with: "•••") }
        return result
    }
}
