import Model

/// How long handlers took of late, in microseconds: on average, and the runs of each person.
///
/// What a worker asks for ahead goes by it. Were it only the average, somebody's short jobs, which come and go in the
/// places that another's long ones leave free, would have the worker ask for hundreds of the long ones.
struct RunTimes {
    /// Of more people than these all are forgotten.
    private static let maximumPeople = 1_000

    /// A moving average over all; `nil` before the first.
    private(set) var average: Double?
    private var averagesOfPeople: [String: Double] = [:]

    /// A handler returned.
    ///
    /// - Parameter person: whom its job was for; `nil` for an interactive one.
    mutating func note(_ time: Double, of person: String?) {
        average = Self.moved(average, by: time)
        guard let person else { return }
        if averagesOfPeople.count >= Self.maximumPeople { averagesOfPeople = [:] }
        averagesOfPeople[person] = Self.moved(averagesOfPeople[person], by: time)
    }

    private static func moved(_ average: Double?, by time: Double) -> Double {
        guard let average else { return time }
        // One short job in a thousand loses its thread for milliseconds: that says little of the next ones.
        return average * 0.9 + min(time, 10 * max(average, 10)) * 0.1
    }

    /// Runs turned out to take so long at least.
    mutating func raise(to time: Double) {
        average = max(average ?? 0, time)
    }

    /// A moving average over a person's runs; 0 before the first.
    func average(of person: String) -> Double { averagesOfPeople[person] ?? 0 }
}
