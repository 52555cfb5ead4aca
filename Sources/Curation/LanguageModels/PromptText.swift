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
            let prompt = cleaned(request.prompt, limit: 60)
            guard let first = prompt.first else { return "Playlist" }
            let ellipsis = prompt.unicodeScalars.count >= 60 ? "…" : ""
            return first.uppercased() + prompt.dropFirst() + ellipsis
        case .recommendations: return request.basedOn.isEmpty ? "For you" : "Like what you chose"
        case .blend: return "You and \(cleaned(request.with ?? "", limit: 60))"
        case .growth: return playlist.map { "More for “\(cleaned($0, limit: 60))”" } ?? "More songs"
        }
    }
}
