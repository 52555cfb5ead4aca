/// An hour of UTC by the starts of observations.
///
/// Observations of an hour are joined unless it is crowded: files with one time for years of plays exist, and nothing
/// tells which of its plays are the same. In a crowded hour each observation is a listen of its own. So the work for a
/// new observation does not depend on how many others begin at its time, and the listens still follow from the
/// observations alone.
struct ListenHour: Hashable, Comparable {
    /// The most observations of an hour that is not crowded: 80 plays that five sources report.
    static let most = 400
    private static let length: Int64 = 3_600_000_000

    /// Hours since 1970.
    let number: Int64

    private init(number: Int64) {
        self.number = number
    }

    /// - Parameter start: of an observation, in microseconds since 1970.
    init(containing start: Int64) {
        let (quotient, remainder) = start.quotientAndRemainder(dividingBy: Self.length)
        number = remainder < 0 ? quotient - 1 : quotient
    }

    init(of play: Play) {
        self.init(containing: play.start)
    }

    var next: ListenHour { ListenHour(number: number + 1) }

    /// In microseconds since 1970.
    var first: Int64 { number * Self.length }
    var last: Int64 { first + Self.length - 1 }

    static func < (left: ListenHour, right: ListenHour) -> Bool { left.number < right.number }
}

/// Hours that follow each other.
struct ListenHours {
    let first: ListenHour
    let last: ListenHour

    /// The hours of some starts and those that a margin before and after them reaches.
    ///
    /// - Parameters:
    ///   - starts: in microseconds since 1970.
    ///   - margin: in microseconds.
    init(around starts: some Collection<Int64>, margin: Int64) {
        first = ListenHour(containing: (starts.min() ?? 0) - margin)
        last = ListenHour(containing: (starts.max() ?? 0) + margin)
    }

    /// Whether every observation that is near one with this start begins in these hours.
    func includesAllNear(_ start: Int64) -> Bool {
        start - Play.reach >= first.first && start + Play.reach <= last.last
    }
}
