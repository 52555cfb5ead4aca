/// `[######------] 12/20  3.1 s`
package struct ProgressBar {
    /// Characters between the brackets.
    static let length = 24

    var done: Int
    /// 0 while the total is unknown.
    var total: Int
    var elapsed: Duration

    package init(done: Int, total: Int, elapsed: Duration) {
        self.done = done
        self.total = total
        self.elapsed = elapsed
    }

    package var text: String {
        let share = total > 0 ? min(max(done, 0), total) * Self.length / total : 0
        let bar = String(repeating: "#", count: share) + String(repeating: "-", count: Self.length - share)
        return "[\(bar)] \(done)/\(total)  \(Self.seconds(elapsed))"
    }

    /// Moves the cursor to the start of its line, and clears the line.
    package static let erasure = "\r\u{1B}[K"

    /// `3.1 s`, rounded down.
    package static func seconds(_ duration: Duration) -> String {
        let tenths = max(0, duration / .milliseconds(100))
        return "\(Int(tenths) / 10).\(Int(tenths) % 10) s"
    }
}
