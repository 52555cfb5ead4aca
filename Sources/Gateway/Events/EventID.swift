import Model
import Storage

/// The id of an event: the number of its change, and the history to which that number belongs. The text of an id is
/// `42` in a database that was never restored, and `hd5k2q9s01-42` in a restored one.
struct EventID: Equatable, CustomStringConvertible {
    /// `nil` before the first restore.
    let history: DatabaseHistory?
    let change: Int64

    init(history: DatabaseHistory?, change: Int64) {
        self.history = history
        self.change = change
    }

    /// Fails for text that is not the id of an event.
    init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let digits = parts.last, (1...19).contains(digits.count),
            digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let change = Int64(decimal: Substring(digits), in: 0...(.max))
        else { return nil }
        self.change = change
        guard parts.count == 2 else {
            history = nil
            return
        }
        guard let history = DatabaseHistory(String(Substring(parts[0]))) else { return nil }
        self.history = history
    }

    var description: String {
        guard let history else { return "\(change)" }
        return "\(history)-\(change)"
    }
}
