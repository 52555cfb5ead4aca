import TestProcesses
import TestSupport

/// The response of `/metrics`, parsed strictly by Prometheus's text format
/// (prometheus.io/docs/instrumenting/exposition_formats).
struct MetricsText {
    struct Malformed: Error, CustomStringConvertible {
        let description: String
    }

    struct Sample: Hashable {
        var name: String
        var labels: [String: String]
    }

    /// Names to types.
    private(set) var types: [String: String] = [:]
    private(set) var values: [Sample: Double] = [:]

    init(_ text: String) throws {
        guard text.hasSuffix("\n") else { throw Malformed(description: "the last line does not end") }
        // Swift parses the literal of a regular expression each time that it is evaluated.
        let help = /# HELP ([a-z_]+) (.+)/
        let type = /# TYPE ([a-z_]+) (counter|gauge|histogram)/
        let value = /([a-z_]+)(?:\{(.*)\})? ([-+.0-9e]+)/
        let label = /([a-z]+)="((?:[^"\\]|\\["\\n])*)"(,(?=.)|$)/
        var helped: Set<String> = []
        var family = ""
        for line in text.split(separator: "\n") {
            // Most lines are samples, and a comment's expression takes as long to fail on them as a sample's to match.
            let isComment = line.utf8.first == UInt8(ascii: "#")
            if isComment, let match = line.wholeMatch(of: help) {
                guard helped.insert(String(match.1)).inserted else { throw Malformed(description: "twice: \(line)") }
                continue
            }
            if isComment, let match = line.wholeMatch(of: type) {
                family = String(match.1)
                guard helped.contains(family), types[family] == nil else { throw Malformed(description: "\(line)") }
                types[family] = String(match.2)
                continue
            }
            guard let match = line.wholeMatch(of: value), let number = Double(match.3)
            else { throw Malformed(description: "\(line)") }
            let name = String(match.1)
            let suffixes = types[family] == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
            guard suffixes.contains(where: { family + $0 == name }) else {
                throw Malformed(description: "\(line) stands under \(family)")
            }
            var labels: [String: String] = [:]
            var rest = (match.2 ?? "")[...]
            while !rest.isEmpty {
                guard let found = rest.prefixMatch(of: label) else {
                    throw Malformed(description: "\(line)")
                }
                guard labels.updateValue(String(found.2), forKey: String(found.1)) == nil else {
                    throw Malformed(description: "a label twice: \(line)")
                }
                rest = rest[found.range.upperBound...]
            }
            guard values.updateValue(number, forKey: Sample(name: name, labels: labels)) == nil else {
                throw Malformed(description: "twice: \(line)")
            }
        }
        try checkHistograms()
    }

    /// Checks that buckets increase, and that the last one equals the count.
    private func checkHistograms() throws {
        var bucketsOfHistograms: [Sample: [(Double, Double)]] = [:]
        for (sample, value) in values where sample.name.hasSuffix("_bucket") {
            var histogram = Sample(name: String(sample.name.dropLast("_bucket".count)), labels: sample.labels)
            guard let bound = histogram.labels.removeValue(forKey: "le") else { continue }
            let limit = bound == "+Inf" ? .infinity : Double(bound) ?? .nan
            bucketsOfHistograms[histogram, default: []].append((limit, value))
        }
        for (sample, count) in values where sample.name.hasSuffix("_count") {
            let name = String(sample.name.dropLast("_count".count))
            guard types[name] == "histogram" else { continue }
            var buckets = bucketsOfHistograms[Sample(name: name, labels: sample.labels)] ?? []
            buckets.sort { $0.0 < $1.0 }
            guard buckets.last?.0 == .infinity, buckets.last?.1 == count,
                zip(buckets, buckets.dropFirst()).allSatisfy({ $0.1 <= $1.1 })
            else { throw Malformed(description: "the buckets of \(sample)") }
        }
    }

    /// The sum over all samples with a name and these labels, whatever other labels they have.
    func sum(_ name: String, _ labels: [String: String] = [:]) -> Double {
        values.filter { sample, _ in
            sample.name == name && labels.allSatisfy { sample.labels[$0.key] == $0.value }
        }.values.reduce(0, +)
    }

    /// The values that may never decrease: counters, and the counts and sums of histograms.
    var totals: [Sample: Double] {
        values.filter { sample, _ in
            types[sample.name] == "counter"
                || ["_bucket", "_sum", "_count"].contains {
                    sample.name.hasSuffix($0) && types[String(sample.name.dropLast($0.count))] == "histogram"
                }
        }
    }
}

extension Installation {
    func metrics() async throws -> MetricsText {
        let answer = try await visitor.get("/metrics")
        guard answer.status == 200 else { throw UnexpectedAnswer(description: "\(answer.status) \(answer.text)") }
        return try MetricsText(String(decoding: answer.body, as: UTF8.self))
    }

    /// Reads the metrics until they satisfy a condition, because workers report with their heartbeats.
    @discardableResult
    func metrics(_ what: String, _ isWanted: (MetricsText) -> Bool) async throws -> MetricsText {
        try await eventually(what) {
            let metrics = try await metrics()
            return isWanted(metrics) ? metrics : nil
        }
    }
}
