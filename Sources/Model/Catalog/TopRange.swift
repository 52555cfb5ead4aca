/// The period that a top list covers. The raw values are Spotify's `time_range`, and are part of the API.
package enum TopRange: String, Sendable, Hashable, Codable, CaseIterable {
    /// About four weeks.
    case short = "short_term"
    /// About six months.
    case medium = "medium_term"
    /// About a year.
    case long = "long_term"
}
