import NIOHTTP1
import TestProcesses

/// The observations of one history of edits. Its extension checks the rules.
package struct EditRecord: Sendable {
    package struct ListKey: Sendable, Hashable {
        package var service: Service
        /// The service's id of the playlist.
        package var id: String

        package init(_ service: Service, _ id: String) { (self.service, self.id) = (service, id) }
    }

    /// A playlist, with the ids of its songs in the service's library.
    package struct List: Sendable {
        package var name: String
        /// The songs at the beginning.
        package var first: [String]
        /// The songs at the service at the end; `nil` if the playlist does not exist there.
        package var final: [String]?
        /// The songs in Backline's library at the end.
        package var library: [String]?

        package init(name: String, first: [String], final: [String]? = nil, library: [String]? = nil) {
            (self.name, self.first, self.final, self.library) = (name, first, final, library)
        }
    }

    /// An HTTP request, which is repeated unchanged if its answer is lost.
    package struct Call: Sendable {
        var method: HTTPMethod
        var path: String
        var body: String

        init(_ method: HTTPMethod, _ path: String, _ body: [String: JSON]) {
            (self.method, self.path, self.body) = (method, path, JSON.object(body).encoded)
        }
    }

    package enum Answer: Sendable, Equatable {
        /// The request was not sent.
        case none
        /// The connection broke, or the gateway could not report the outcome.
        case lost
        /// The request was accepted, with the id of the edit or of the copy.
        case accepted(String)
        case refused(Int, String)
    }

    /// An edit at its end, in the API.
    package struct Outcome: Decodable, Sendable {
        package struct Failure: Decodable, Sendable {
            package var code: String
            package var message: String

            package init(code: String, message: String) { (self.code, self.message) = (code, message) }
        }

        /// A song that the edit removed and did not put back.
        package struct Missing: Decodable, Sendable {
            package var uri: String

            package init(uri: String) { self.uri = uri }
        }

        package var state: String
        package var done: Int
        package var error: Failure?
        package var missing: [Missing]?

        package init(state: String, done: Int, error: Failure? = nil, missing: [Missing] = []) {
            (self.state, self.done, self.error, self.missing) = (state, done, error, missing)
        }
    }

    /// The progress of an edit that a restored backup does not contain.
    package struct LostProgress: Sendable {
        package var state: String
        package var done: Int
        /// Its error's code.
        package var error: String?

        package init(state: String, done: Int, error: String? = nil) {
            (self.state, self.done, self.error) = (state, done, error)
        }
    }

    package struct Copy: Sendable {
        package var state: String
        package var list: ListKey?
        /// The songs that the service has confirmed.
        package var songs: [String] = []
        package var error: String?

        package init(state: String, list: ListKey?) { (self.state, self.list) = (state, list) }
    }

    package struct Request: Sendable {
        package var tag: Int
        package var kind: AskedEdit.Kind
        package var call: Call?
        /// The songs that are added, or those of the entries that are removed.
        package var songs: [String] = []
        /// The removed entries, for a removal.
        package var positions: [Int] = []
        package var answer = Answer.none
        /// Backline's id of the playlist that is made.
        package var madeID: String?
        /// The progress of the edit when a backup that does not contain it was restored; otherwise `nil`.
        package var forgotten: LostProgress?
        /// Whether a backup was restored in which the edit was unfinished. What others have done to one of its songs
        /// since then looks like a write of the edit.
        package var wasRewound = false
        package var outcome: Outcome?
        /// The changed playlist, according to Backline.
        package var list: ListKey?
        package var copy: Copy?
        /// The ids of the songs that the edit removed and did not put back, according to the edit itself.
        package var missing: [String] {
            (outcome?.missing ?? []).map { String($0.uri.split(separator: ":").last ?? "") }
        }

        package init(tag: Int, kind: AskedEdit.Kind) { (self.tag, self.kind) = (tag, kind) }

        package var isCopy: Bool { if case .copy = kind { true } else { false } }
        package var isRemoval: Bool { if case .remove = kind { true } else { false } }
    }

    package var lists: [ListKey: List] = [:]
    /// The services' ids of the initial playlists, in order.
    package var givenIDs: [Service: [String]] = [:]
    package var events: [Service: [SimulatedUpstream.RecordedEvent]] = [:]
    package var requests: [Request] = []
    /// The person's answers to questions, for people.
    package var answers: [String] = []
    /// When processes were killed or stopped, in microseconds of `CLOCK_BOOTTIME`.
    package var interruptions: [Int] = []
    /// What had not ended within the time limit, in one sentence each.
    package var unended: [String] = []
    /// The processes that exited by themselves, in one sentence each.
    package var crashes: [String] = []
    /// How soon after a look at a list a removal follows, in microseconds.
    package var consistencyDelay = 1_000_000

    package init() {}

    package var summary: String {
        func count(_ state: String) -> Int { requests.count { $0.outcome?.state == state || $0.copy?.state == state } }
        let others = events.values.joined().count { $0.author == .person }
        return "\(requests.count) edits: \(count("complete")) complete, \(count("failed")) failed, "
            + "\(answers.count) questions; \(others) changes by others"
    }
}
