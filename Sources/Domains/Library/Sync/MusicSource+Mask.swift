import Model

extension [MusicSource] {
    /// The sources of a set as stored in the database: the sum of their numbers.
    init(mask: Int) {
        self = MusicSource.allCases.filter { mask & $0.number != 0 }
    }

    var mask: Int { reduce(0) { $0 | $1.number } }
}
