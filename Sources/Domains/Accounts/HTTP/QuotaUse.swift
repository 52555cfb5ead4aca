import Concerts
import Gateway
import JobStorage
import Jobs
import Listening
import Model
import PermitStorage
import Storage

/// A person's use of their quotas.
struct QuotaUse: Sendable {
    private let quotas: Quotas
    private let submissions: SubmissionUse
    private let runningSearches: Int
    private let eventStreams: Int
    private let ticketmasterRequests: Int
    private let listens: ListenUse

    init(ofUser userID: String, queue: JobQueue) async throws {
        quotas = queue.quotas
        (submissions, runningSearches, ticketmasterRequests, listens) = try await queue.database.read { reader in
            (
                try reader.jobs.submissionUse(ofUser: userID), try reader.concerts.runningSearches(ofUser: userID),
                try reader.permits.usedShare(
                    ofProvider: Provider.ticketmaster.rawValue, userID: userID, now: .now()),
                try reader.listening.use(ofUser: userID)
            )
        }
        eventStreams = queue.events.openStreams(ofUser: userID)
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("unfinishedJobs") { Self.write(submissions.jobs, of: quotas.unfinishedJobs, to: &$0) }
            json.member("unfinishedBytes") { Self.write(submissions.bytes, of: quotas.unfinishedBytes, to: &$0) }
            json.member("runningSearches") { Self.write(runningSearches, of: quotas.runningSearches, to: &$0) }
            json.member("eventStreams") { Self.write(eventStreams, of: quotas.eventStreams, to: &$0) }
            json.member("ticketmasterRequests") {
                Self.write(ticketmasterRequests, of: quotas.ticketmasterRequests, to: &$0)
            }
            json.member("listens") { Self.write(listens.listens, of: quotas.listens, to: &$0) }
            json.member("listenBytes") { Self.write(listens.bytes, of: quotas.listenBytes, to: &$0) }
        }
    }

    private static func write(_ used: Int, of limit: Int?, to json: inout JSONWriter) {
        json.object {
            $0.member("used", used)
            $0.member("limit", limit)
        }
    }
}
