/// The settings of `/_sim/ntfy/config`. In a change, missing members stay as they are.
struct NtfySettings: Sendable, Codable, Equatable {
    var latencyMs: Int?
    /// The access tokens that it knows.
    var tokens: [String]?
    /// Whether only holders of a token may publish.
    var isPrivate: Bool?
    /// The messages that one window admits; 0 sets no limit.
    var limit: Int?
    var windowMs: Int?

    static let initial = NtfySettings(
        latencyMs: nil, tokens: ["tk_demo"], isPrivate: false, limit: 0, windowMs: 60_000)
}
