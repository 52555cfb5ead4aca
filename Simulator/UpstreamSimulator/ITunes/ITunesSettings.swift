/// The settings of `/_sim/itunes/config`. In a change, missing members stay as they are.
struct ITunesSettings: Sendable, Codable, Equatable {
    var latencyMs: Int?
    /// The calls that one window admits; 0 sets no limit.
    var limit: Int?
    var windowMs: Int?

    static let initial = ITunesSettings(latencyMs: nil, limit: 20, windowMs: 60_000)
}
