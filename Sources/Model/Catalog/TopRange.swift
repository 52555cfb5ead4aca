/// The time that a top list is about. The raw values are Spotify's `time_range`, and are in the API.
package enum TopRange: String, Sendable, Hashable, Codable, CaseIterable {
    /// About four weeks.
    case short = "short_term"
    /// About six months.
    case medium = "medium_term"
    /// About a year.
    case long = "long_term"
}
