import Model
import Storage

/// The id of an event: the number of its change, and the history to which that number belongs. The text of an id is
/// `42` in a database that was never restored, and `hd5k2q9s01-42` in a restored one.
///
/// Several events may have one number. All of them but the last have a `.` after it, as in `42.`: whoever resumes there
/// has not received the change whole, and gets all of its events again.
struct EventID: Equatable, CustomStringConvertible {
    /// `nil` before the first restore.
    let history: DatabaseHistory?
    let change: Int64
    /// Whether further events of the change follow.
    let isPart: Bool

    init(history: DatabaseHistory?, change: Int64, isPart: Bool = false) {
        self.history = history
        self.change = change
        self.isPart = isPart
    }

    /// Fails for text that is not the id of an event.
    init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), maxSplits: 1, omittingEmptySubsequences: false)
        guard var digits = parts.last else { return nil }
        isPart = digits.last == UInt8(ascii: ".")
        if isPart { digits.removeLast() }
        guard (1...19).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let change = Int64(decimal: Substring(digits), in: (isPart ? 1 : 0)...(.max))
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
        let number = isPart ? "\(change)." : "\(change)"
        guard let history else { return number }
        return "\(history)-\(number)"
    }

    /// The id of the last change of which whoever resumes at this one has received everything.
    var ofWholeChange: EventID { isPart ? EventID(history: history, change: change - 1) : self }
}
