import Model

/// Times and sizes as text for people.
package enum HumanTime {
    /// `100 s`, `12 min`, `30 h`, `2 d`: seconds below 2 minutes, minutes below 2 hours, hours below 2 days. Rounded
    /// down.
    package static func text(_ duration: Duration) -> String {
        let seconds = max(0, duration.components.seconds)
        return switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7_200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3_600) h"
        default: "\(seconds / 86_400) d"
        }
    }

    /// The length of a song, `3:07` or `62:45`, from milliseconds.
    package static func length(_ milliseconds: Int) -> String {
        let seconds = (max(0, milliseconds) + 500) / 1_000
        return "\(seconds / 60):" + (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60)"
    }

    /// `2026-11-20 22:15:42`, UTC.
    package static func text(_ time: Timestamp) -> String {
        String(time.description.prefix(19)).replacing("T", with: " ")
    }

    /// The same for an RFC 3339 time; other text is only made printable.
    package static func text(rfc3339 text: String) -> String {
        Timestamp(rfc3339: text).map(Self.text) ?? TextWidth.printable(text)
    }

    /// `4.2 MiB`
    package static func bytes(_ count: Int64) -> String {
        var (value, unit) = (Double(count), "B")
        for next in ["KiB", "MiB", "GiB", "TiB"] where value >= 1_024 {
            value /= 1_024
            unit = next
        }
        if unit == "B" { return "\(count) B" }
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(unit)"
    }
}
