import Foundation
import Model

/// Texts of people and services as they may leave for a model, and as titles of lists.
package enum PromptText {
    /// The longest title or name that leaves, in Unicode scalars.
    static let longestName = 100

    /// A text without control characters, without characters that change the direction of others or show nothing, and
    /// with single spaces.
    ///
    /// - Parameter limit: in Unicode scalars; what exceeds it is cut off.
    package static func cleaned(_ text: String, limit: Int) -> String {
        var view = String.UnicodeScalarView()
        var isSpaced = true
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace || scalar.properties.generalCategory == .control {
                guard !isSpaced else { continue }
                view.append(" ")
                isSpaced = true
            } else if !isHidden(scalar) {
                view.append(scalar)
                isSpaced = false
            }
        }
        return String(String.UnicodeScalarView(view.prefix(limit))).trimmingCharacters(in: .whitespaces)
    }

    /// The end of a text, cleaned: of several wishes, the newest ones.
    ///
    /// - Parameter limit: in Unicode scalars.
    static func end(of text: String, limit: Int) -> String {
        let whole = cleaned(text, limit: .max)
        return String(String.UnicodeScalarView(whole.unicodeScalars.suffix(limit)))
    }

    /// The tokens that a text is to a model, about. A token is three characters of ASCII or more, or one other
    /// character or more.
    static func tokens(of text: String) -> Int {
        let (ascii, other) = text.unicodeScalars.reduce(into: (0, 0)) {
            if $1.isASCII { $0.0 += 1 } else { $0.1 += 1 }
        }
        return ascii / 3 + other
    }

    /// Format characters (direction marks, zero-width ones, tags), private ones, and those without a meaning. A joiner
    /// between letters has one in some scripts, and is harmless.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .format: scalar.value != 0x200C && scalar.value != 0x200D
        case .privateUse, .unassigned, .surrogate: true
        default: false
        }
    }

    /// The title of a list, made from its prompt.
    package static func title(of request: CurationRequest, playlist: String? = nil) -> String {
        switch request.kind {
        case .playlist:
            let whole = cleaned(request.prompt, limit: CurationRequest.longestPrompt)
            let prompt = cleaned(whole, limit: 60)
            guard let first = prompt.first else { return "Playlist" }
            let ellipsis = prompt == whole ? "" : "…"
            return first.uppercased() + prompt.dropFirst() + ellipsis
        case .recommendations: return request.basedOn.isEmpty ? "For you" : "Like what you chose"
        case .blend: return request.with.map { "You and \(cleaned($0, limit: 60))" } ?? "You and somebody who has left"
        case .growth: return playlist.map { "More for “\(cleaned($0, limit: 60))”" } ?? "More songs"
        }
    }
}
