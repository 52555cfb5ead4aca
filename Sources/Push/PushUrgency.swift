/// How soon a message should reach a device (RFC 8030, section 5.3). A device that saves power receives only the more
/// urgent ones.
package enum PushUrgency: String, Sendable, CaseIterable {
    case veryLow = "very-low"
    case low
    case normal
    case high

    /// ntfy's priority, of which 5 would also ignore that a phone is silenced.
    package var ntfyPriority: Int {
        switch self {
        case .veryLow: 1
        case .low: 2
        case .normal: 3
        case .high: 4
        }
    }
}
