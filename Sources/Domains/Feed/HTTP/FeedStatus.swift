import Gateway
import Logging
import Model

/// What a feed lacks, and how far its parts have been found.
struct FeedStatus: Sendable {
    private(set) var parts: [FeedRefreshPart] = []
    private(set) var missing: [(source: String, problem: Problem)] = []

    mutating func addFailure(of source: String) { missing.append((source, .feedSourceFailed)) }

    mutating func add(_ refresh: FeedRefresh, of source: String) {
        parts += refresh.parts
        missing += refresh.missing.map { (source, $0) }
    }

    /// Adds the sources that could not be read.
    mutating func add(_ failures: [FeedSourceFailure], logger: Logger) {
        for failure in failures {
            logger.error(
                "could not read a source of a feed",
                metadata: ["source": "\(failure.source.name)", "error": "\(failure.error)"])
            addFailure(of: failure.source.name)
        }
    }

    /// Writes what is missing and how far the parts are.
    func writeMembers(to json: inout JSONWriter) {
        writeMissing(to: &json)
        writeRefresh(to: &json)
    }

    func writeMissing(to json: inout JSONWriter) {
        json.member("missing") { json in
            json.array(missing) { json, one in
                json.object { json in
                    json.member("source", one.source)
                    json.member("code", one.problem.code.rawValue)
                    json.member("title", one.problem.title)
                    json.member("detail", one.problem.detail)
                    if let recovery = one.problem.recovery { json.member("recovery", recovery) }
                }
            }
        }
    }

    private func writeRefresh(to json: inout JSONWriter) {
        json.member("refresh") { json in
            json.array(parts) { json, part in
                json.object { json in
                    json.member("part", part.part)
                    json.member("state", part.state.rawValue)
                    if let done = part.done { json.member("done", done) }
                    if let total = part.total { json.member("total", total) }
                }
            }
        }
    }
}
