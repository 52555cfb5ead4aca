import NIOHTTP1
import TestProcesses

/// The observations of one history of edits. Its extension checks the rules.
package struct EditRecord: Sendable {
    package struct ListKey: Sendable, Hashable {
        package var service: Service
        /// The service's id.
        package var id: String

        package init(_ service: Service, _ id: String) { (self.service, self.id) = (service, id) }
    }

    /// A playlist, with the ids of its songs in the service's library.
    package struct List: Sendable {
        package var name: String
        /// At the beginning.
        package var first: [String]
        /// At the end, at the service; `nil` when it is not there.
        package var final: [String]?
        /// At the end, in Backline's library.
        package var library: [String]?

        package init(name: String, first: [String], final: [String]? = nil, library: [String]? = nil) {
            (self.name, self.first, self.final, self.library) = (name, first, final, library)
        }
    }

    /// An HTTP request, which is repeated as it is when its answer is lost.
    package struct Call: Sendable {
        var method: HTTPMethod
        var path: String
        var body: String

        init(_ method: HTTPMethod, _ path: String, _ body: [String: JSON]) {
            (self.method, self.path, self.body) = (method, path, JSON.object(body).encoded)
        }
    }

    package enum Answer: Sendable, Equatable {
        /// It was not sent.
        case none
        /// The connection broke, or the gateway could not say.
        case lost
        /// With the id of the edit or of the copy.
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

        /// A song that the edit took away and did not put back.
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

    /// How far an edit was that a restored backup does not know.
    package struct Forgotten: Sendable {
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
        /// With a removal.
        package var positions: [Int] = []
        package var answer = Answer.none
        /// Backline's id of the playlist that is made.
        package var madeID: String?
        /// `nil` unless a backup was restored that does not know the edit.
        package var forgotten: Forgotten?
        /// Whether a backup was restored in which the edit was unfinished. What others did to one of its songs since is
        /// then like a write of the edit.
        package var wasRewound = false
        package var outcome: Outcome?
        /// The playlist that was changed, by what Backline says.
        package var list: ListKey?
        package var copy: Copy?
        /// The ids of the songs that the edit took away and did not put back, by what it says itself.
        package var missing: [String] {
            (outcome?.missing ?? []).map { String($0.uri.split(separator: ":").last ?? "") }
        }

        package init(tag: Int, kind: AskedEdit.Kind) { (self.tag, self.kind) = (tag, kind) }

        package var isCopy: Bool { if case .copy = kind { true } else { false } }
        package var isRemoval: Bool { if case .remove = kind { true } else { false } }
    }

    package var lists: [ListKey: List] = [:]
    /// The services' ids of the playlists at the beginning, in their order.
    package var givenIDs: [Service: [String]] = [:]
    package var events: [Service: [SimulatedUpstream.RecordedEvent]] = [:]
    package var requests: [Request] = []
    /// The person's answers to questions, for people.
    package var answers: [String] = []
    /// When processes were killed or stopped, in microseconds of `CLOCK_BOOTTIME`.
    package var interruptions: [Int] = []
    /// What had not ended within the time limit, one sentence for each.
    package var unended: [String] = []
    /// Processes that ended by themselves, one sentence for each.
    package var crashes: [String] = []
    /// How soon after a look at a list a removal follows, in microseconds.
    package var settleTime = 1_000_000

    package init() {}

    package var summary: String {
        func count(_ state: String) -> Int { requests.count { $0.outcome?.state == state || $0.copy?.state == state } }
        let others = events.values.joined().count { $0.author == .person }
        return "\(requests.count) edits: \(count("complete")) complete, \(count("failed")) failed, "
            + "\(answers.count) questions; \(others) changes by others"
    }
}
