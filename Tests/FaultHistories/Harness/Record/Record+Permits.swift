/// The rule about the upstream's limit, checked with the upstream's own times.
extension Record {
    private static let second = 1_000_000

    var excessiveArrivals: [Violation] {
        var oldest = 0
        for (index, arrival) in arrivals.enumerated() {
            while arrival - arrivals[oldest] >= Self.second { oldest += 1 }
            let count = index - oldest + 1
            if count > requestsPerSecond {
                let times = arrivals[oldest...index].map { String($0 - arrivals[oldest]) }.joined(separator: ", ")
                return [
                    Violation(
                        .permits,
                        "\(count) requests came within one second of \(requestsPerSecond) (microseconds: \(times))")
                ]
            }
        }
        return []
    }
}
