import Foundation
import Model

/// Texts of people and services, in the form in which they may be sent to a model, and used as titles of lists.
package enum PromptText {
    /// The longest title or name that is sent, in Unicode scalars.
    static let longestName = 100

    /// Removes control characters, and characters that change the text's direction or are invisible, and collapses
    /// spaces.
    ///
    /// - Parameter limit: the maximum length in Unicode scalars; the rest is cut off.
    package static func cleaned(_ text: String, limit: Int) -> String {
        var view = String.UnicodeScalarView()
        var isSpaced = true
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace || scalar.properties.generalCategory == .control {
                guard !isSpaced else { continue }
                view.append(" ")
                isSpaced = true
            } else if !scalar.isHidden {
                view.append(scalar)
                isSpaced = false
            }
        }
        return String(String.UnicodeScalarView(view.prefix(limit))).trimmingCharacters(in: .whitespaces)
    }

    /// The end of a text, cleaned. If the text has several wishes, these are the newest ones.
    ///
    /// - Parameter limit: the maximum length in Unicode scalars.
    static func end(of text: String, limit: Int) -> String {
        let whole = cleaned(text, limit: .max)
        return String(String.UnicodeScalarView(whole.unicodeScalars.suffix(limit)))
    }

    /// The approximate number of tokens of a text. A token has at least three ASCII characters, or one other character.
    static func tokens(of text: String) -> Int {
        let (ascii, other) = text.unicodeScalars.reduce(into: (0, 0)) {
            if $1.isASCII { $0.0 += 1 } else { $0.1 += 1 }
        }
        return ascii / 3 + other
    }

    /// The stored title of a list, made from its prompt; empty for a blend.
    package static func title(of request: CurationRequest, playlist: String? = nil) -> String {
        switch request.kind {
        case .playlist:
            let whole = cleaned(request.prompt, limit: CurationRequest.longestPrompt)
            let prompt = cleaned(whole, limit: 60)
            guard let first = prompt.first else { return "Playlist" }
            let ellipsis = prompt == whole ? "" : "…"
            return first.uppercased() + prompt.dropFirst() + ellipsis
        case .recommendations: return request.basedOn.isEmpty ? "For you" : "Like what you chose"
        case .blend: return ""
        case .playlistSuggestions: return playlist.map { "More for “\(cleaned($0, limit: 60))”" } ?? "More songs"
        }
    }

    /// The title of a blend as its person sees it.
    ///
    /// - Parameter partner: the other person's name; `nil` where it is not shown.
    package static func title(ofBlendWith partner: String?) -> String {
        "You and \(partner.map { cleaned($0, limit: 60) } ?? "somebody else")"
    }
}
