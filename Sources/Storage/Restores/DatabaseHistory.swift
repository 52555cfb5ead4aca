import Model

/// Identifies the history of a database between two restores. After a restore, change numbers from before it have
/// another meaning.
package struct DatabaseHistory: Sendable, Equatable, CustomStringConvertible {
    /// The length of the longest name, that of the largest number.
    private static let maximumLength = String(UInt64.max, radix: 36).utf8.count

    /// Lower-case letters and digits.
    package let description: String

    /// - Parameter restores: the times of all restores. Their sum differs between two restores of one backup, and does
    ///   not depend on their order, which a wrong clock may change.
    init(restores: [Timestamp]) {
        description = String(restores.reduce(into: UInt64(0)) { $0 &+= UInt64(bitPattern: $1.microseconds) }, radix: 36)
    }

    /// Fails for text that is not the name of a history.
    package init?(_ text: String) {
        guard (1...Self.maximumLength).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) })
        else { return nil }
        description = text
    }
}
