/// One reason for or against two records being one song.
package enum Evidence: Sendable, Hashable {
    case sameISRC(String)
    case titlesAgree

    /// A sentence for people.
    package var text: String {
        switch self {
        case .sameISRC(let isrc): "Both have the recording code (ISRC) \(isrc)."
        case .titlesAgree: "The titles agree."
        }
    }
}
