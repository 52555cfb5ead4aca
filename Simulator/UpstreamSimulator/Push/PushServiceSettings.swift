/// The settings of `/_sim/push/config`. In a change, missing members stay as they are.
struct PushServiceSettings: Sendable, Codable, Equatable {
    var latencyMs: Int?
    /// The most bytes of a body; 4,096 at the real services.
    var largestBody: Int?

    static let initial = PushServiceSettings(latencyMs: nil, largestBody: 4_096)
}
