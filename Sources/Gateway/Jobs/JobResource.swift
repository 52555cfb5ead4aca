import Contracts
import JobStorage
import Jobs
import Model
import Storage

/// A job as the API shows it.
struct JobResource {
    var id: String
    var kind: String
    var state: JobState
    var priority: Int
    var attempt: Int
    var progress: JobProgress?
    /// JSON.
    var result: String?
    var errorCode: String?
    var errorMessage: String?
    /// The provider whose credential or scopes it waits for.
    var awaits: Provider?
    /// The scopes that the owner has to grant there; empty when it waits for a credential.
    var awaitedScopes: [String] = []
    var createdAt: Timestamp
    var runAt: Timestamp
    var startedAt: Timestamp?
    var finishedAt: Timestamp?
    /// The failed attempts; `nil` in lists.
    var attempts: [JobAttemptRecord]?
    /// The providers that the owner has to have connected.
    private let needs: [JobKind.Need]
    /// The owner; `nil` except for administrators.
    var owner: Owner?

    struct Owner {
        /// The owner's name; `nil` for jobs of the system.
        var name: String?
    }

    /// - Parameter kinds: all kinds of jobs.
    init(
        _ job: JobRecord, kinds: JobKinds, progress: RunProgress? = nil, attempts: [JobAttemptRecord]? = nil
    ) {
        id = job.id
        kind = job.kind
        needs = kinds[job.kind]?.needs ?? []
        state = job.state
        priority = job.priority
        attempt = job.attempt
        self.progress = job.state == .running ? progress?.progress : nil
        result = job.result
        errorCode = job.errorCode
        errorMessage = job.errorMessage
        awaits = job.awaits.flatMap(Provider.init)
        awaitedScopes = job.awaitedScopes
        createdAt = job.createdAt
        runAt = job.runAt
        startedAt = job.startedAt
        finishedAt = job.finishedAt
        self.attempts = attempts
    }

    /// A job that was just accepted.
    ///
    /// - Parameter kinds: all kinds of jobs.
    init(_ job: JobInsertion, kinds: JobKinds) {
        id = job.id
        kind = job.kind
        needs = kinds[job.kind]?.needs ?? []
        state = job.state
        priority = job.priority
        attempt = job.state == .running ? 1 : 0
        createdAt = job.createdAt
        runAt = job.runAt
        startedAt = job.state == .running ? job.createdAt : nil
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", id)
            json.member("kind", kind)
            if let owner { json.member("userName", owner.name) }
            json.member("state", state.rawValue)
            json.member("priority", priority)
            json.member("attempt", attempt)
            json.member("progress") { json in
                guard let progress else { return json.raw("null") }
                json.object { progress.writeMembers(to: &$0) }
            }
            json.member("result", raw: result)
            json.member("error") { json in
                guard let errorCode else { return json.raw("null") }
                json.object {
                    $0.member("code", errorCode)
                    $0.member("message", errorMessage)
                    writeRecovery(to: &$0)
                }
            }
            if let awaits { json.member("waitsFor") { write(awaits, to: &$0) } }
            json.member("createdAt", createdAt)
            json.member("runAt", runAt)
            json.member("startedAt", startedAt)
            json.member("finishedAt", finishedAt)
            if let attempts { json.member("attempts") { write(attempts, to: &$0) } }
        }
    }

    /// Writes how the owner can recover from the failure of an upstream call.
    private func writeRecovery(to json: inout JSONWriter) {
        guard !needs.isEmpty, let failure = errorCode.flatMap(ProviderFailure.Kind.init) else { return }
        json.member("recovery", failure.recovery.rawValue)
        if failure == .scopeMissing { json.member("scope", needs.flatMap(\.scopes).joined(separator: " ")) }
    }

    private func write(_ provider: Provider, to json: inout JSONWriter) {
        let name = provider.displayName
        json.object {
            $0.member("provider", provider.rawValue)
            guard !awaitedScopes.isEmpty else {
                return $0.member(
                    "detail",
                    "The job waits until your setup of \(name) works: check it. Waiting does not use up an attempt.")
            }
            $0.member(
                "detail",
                "The job waits until \(name) gives Backline \(awaitedScopes.permissionWords): allow that in your "
                    + "setup. Waiting does not use up an attempt.")
            $0.member("recovery", Recovery.askScope.rawValue)
            $0.member("scopes") { $0.array(awaitedScopes) { $0.value($1) } }
        }
    }

    private func write(_ attempts: [JobAttemptRecord], to json: inout JSONWriter) {
        json.array(attempts) { json, attempt in
            json.object {
                $0.member("attempt", attempt.attempt)
                $0.member("code", attempt.errorCode)
                $0.member("message", attempt.errorMessage)
                $0.member("startedAt", attempt.startedAt)
                $0.member("finishedAt", attempt.finishedAt)
            }
        }
    }

    var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}
