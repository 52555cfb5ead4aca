import Contracts
import Crypto
import Foundation
import Model
import Storage

/// A job to be submitted.
package struct NewJob: Sendable {
    package var kind: JobKind
    /// JSON.
    package var payload: String
    package var priority: Int
    /// When it may run; `nil` is at once.
    package var runAt: Timestamp?
    /// At most one unfinished job of a user has it.
    package var uniqueKey: String?
    /// The screen that asks, of an ephemeral kind.
    package var screen: ScreenID?
    /// The person whom the work is for, when that is not its owner: a job of the system that a person's question needs
    /// queues under them. `nil` is its owner.
    package var onBehalfOf: String?
    /// Whether a person submits it: until its end it counts for that person's quotas. What Backline submits by itself,
    /// be it for a person, never does.
    package var isSubmission = false

    /// - Throws: ``JobCodingError/unwritablePayload(kind:)``.
    package init<Payload, Result>(
        _ kind: TypedJobKind<Payload, Result>, _ payload: Payload, priority: Int = JobPriority.standard,
        runAt: Timestamp? = nil, uniqueKey: String? = nil
    ) throws(JobCodingError) {
        self.init(
            kind: kind.kind, payload: try kind.text(ofPayload: payload), priority: priority, runAt: runAt,
            uniqueKey: uniqueKey)
    }

    /// With a payload that somebody else wrote: a client of the API, the configuration.
    package init(
        kind: JobKind, payload: String, priority: Int = JobPriority.standard, runAt: Timestamp? = nil,
        uniqueKey: String? = nil
    ) {
        self.kind = kind
        self.payload = payload
        self.priority = priority
        self.runAt = runAt
        self.uniqueKey = uniqueKey
    }

    var isInteractive: Bool { priority >= JobPriority.interactive }

    /// What two jobs must share to count as the same request.
    package var fingerprint: String {
        Fingerprint.of("\(kind.name)\n\(kind.version)\n\(priority)\n\(runAt?.microseconds ?? 0)\n\(payload)")
    }

    /// - Parameters:
    ///   - maximumAttempts: the most attempts where its kind says nothing else.
    ///   - claim: the place that is kept for it, if it may run at once.
    func insertion(
        userID: String, maximumAttempts: Int, trace: String?, claim: JobInsertion.Claim? = nil, now: Timestamp
    ) -> JobInsertion {
        JobInsertion(
            id: UUIDv7.next(), userID: userID, kind: kind.name, version: kind.version, payload: payload,
            priority: priority, maximumAttempts: kind.maximumAttempts ?? maximumAttempts, createdAt: now,
            runAt: max(now, runAt ?? now), uniqueKey: uniqueKey,
            fingerprint: uniqueKey == nil ? nil : fingerprint, claim: claim, trace: trace,
            isEphemeral: kind.isEphemeral, screen: screen?.text,
            onBehalfOf: onBehalfOf, isSubmission: isSubmission)
    }
}

/// A hash by which repeated requests are compared.
package enum Fingerprint {
    /// SHA-256 in hexadecimal.
    package static func of(_ text: String) -> String {
        SHA256.hash(data: Data(text.utf8)).hexadecimal
    }
}

/// Why a submission was refused.
package enum SubmissionError: Error, Sendable, Equatable {
    /// The unique key belongs to an unfinished job that was asked for with another body.
    case uniqueKeyReused(jobID: String)
    /// The idempotency key was used with another body.
    case idempotencyKeyReused
    /// What the end of this dead letter wrote cannot be undone.
    case notRequeueable
}
