/// An hour in UTC, to which observations belong by their starts.
///
/// The observations of an hour are joined unless it is crowded: there are files with a single time for years of plays,
/// and nothing tells which of these plays are the same. In a crowded hour each observation is its own listen. So the
/// work for a new observation does not depend on how many others start at the same time, and the listens still depend
/// only on the observations.
struct ListenHour: Hashable, Comparable {
    /// The most observations in an hour that is not crowded: 80 plays, each reported by five sources.
    static let most = 400
    private static let length: Int64 = 3_600_000_000

    /// The number of hours since 1970.
    let number: Int64

    private init(number: Int64) {
        self.number = number
    }

    /// - Parameter start: the start of an observation, in microseconds since 1970.
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

/// A range of consecutive hours.
struct ListenHours {
    let first: ListenHour
    let last: ListenHour

    /// The hours of the given starts, and those within a margin before and after them.
    ///
    /// - Parameters:
    ///   - starts: the starts, in microseconds since 1970.
    ///   - margin: the margin, in microseconds.
    init(around starts: some Collection<Int64>, margin: Int64) {
        first = ListenHour(containing: (starts.min() ?? 0) - margin)
        last = ListenHour(containing: (starts.max() ?? 0) + margin)
    }

    /// Whether every observation that can be near one with this start begins within these hours.
    func includesAllNear(_ start: Int64) -> Bool {
        start - Play.reach >= first.first && start + Play.reach <= last.last
    }
}
