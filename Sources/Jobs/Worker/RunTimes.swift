import Model

/// How long handlers took recently, in microseconds: moving averages over all runs and over those of each person.
///
/// They determine the prefetch. With the overall average alone, one person's short jobs, which run in the places that
/// another's long jobs leave free, would make the worker request hundreds of the long ones.
struct RunTimes {
    /// Beyond this number of people, all their averages are forgotten.
    private static let maximumPeople = 1_000

    /// The moving average over all runs; `nil` before the first.
    private(set) var average: Double?
    private var averagesOfPeople: [String: Double] = [:]

    /// Adds a handler's time.
    ///
    /// - Parameter person: the person whom the job was for; `nil` for an interactive job.
    mutating func record(_ time: Double, of person: String?) {
        average = Self.moved(average, by: time)
        guard let person else { return }
        if averagesOfPeople.count >= Self.maximumPeople { averagesOfPeople = [:] }
        averagesOfPeople[person] = Self.moved(averagesOfPeople[person], by: time)
    }

    private static func moved(_ average: Double?, by time: Double) -> Double {
        guard let average else { return time }
        // Bounded because one short job in a thousand loses its thread for milliseconds.
        return average * 0.9 + min(time, 10 * max(average, 10)) * 0.1
    }

    /// Raises the overall average to at least `time`.
    mutating func raise(to time: Double) {
        average = max(average ?? 0, time)
    }

    /// The moving average over a person's runs; 0 before the first.
    func average(of person: String) -> Double { averagesOfPeople[person] ?? 0 }
}
