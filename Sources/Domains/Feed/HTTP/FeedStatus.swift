import Gateway
import Logging
import Model
import Storage
import Timeline

/// What a feed lacks, and how far its parts have been found.
struct FeedStatus: Sendable {
    private(set) var parts: [FeedRefreshPart] = []
    private(set) var missing: [(source: String, problem: Problem)] = []

    /// Reads what all sources report. A source that fails is missing, and leaves the others.
    static func read(
        of userID: String, from sources: FeedSources, in database: Database, logger: Logger
    ) async throws -> FeedStatus {
        var status = FeedStatus()
        for source in sources.refreshes {
            do {
                let refresh = try await database.read { try source.state($0, userID) }
                status.add(refresh, of: source.name)
            } catch let error as CancellationError {
                throw error
            } catch {
                logger.error(
                    "could not read a feed source's progress",
                    metadata: ["source": "\(source.name)", "error": "\(error)"])
                status.addFailure(of: source.name)
            }
        }
        return status
    }

    mutating func addFailure(of source: String) { missing.append((source, .feedSourceFailed)) }

    mutating func add(_ refresh: FeedRefresh, of source: String) {
        parts += refresh.parts
        missing += refresh.missing.map { (source, $0) }
    }

    /// Adds the kinds whose contents could not be read.
    mutating func add(_ failures: [FeedSourceFailure], logger: Logger) {
        for failure in failures {
            logger.error(
                "could not read a kind of feed items",
                metadata: ["kind": "\(failure.kind.name)", "error": "\(failure.error)"])
            addFailure(of: failure.kind.name)
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
