import Contracts
import Crypto
import Foundation
import JobStorage
import Model
import Platform

/// A job to be submitted.
package struct NewJob: Sendable {
    /// The job's id: a UUIDv7, for rows that reference the job before it is submitted. `nil` makes a new one.
    package var id: String?
    package var kind: JobKind
    /// The payload as JSON.
    package var payload: String
    package var priority: Int
    /// The earliest time of its first run; `nil` for an immediate run.
    package var runAt: Timestamp?
    /// A key that at most one unfinished job of a user has.
    package var uniqueKey: String?
    /// The requesting screen, for an ephemeral kind.
    package var screen: ScreenID?
    /// The person for whom the job is, if that is not its owner. A system job that serves a person's request queues
    /// under that person.
    package var onBehalfOf: String?
    /// Whether a person submits the job, so that it counts toward that person's quotas until its end. Jobs that
    /// Backline submits by itself never count, even if they are for a person.
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

    /// A job whose payload was written outside this program: by a client of the API, or in the configuration.
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

    /// A hash that is equal for equal requests.
    package var fingerprint: String {
        Fingerprint.of("\(kind.name)\n\(kind.version)\n\(priority)\n\(runAt?.microseconds ?? 0)\n\(payload)")
    }

    /// - Parameters:
    ///   - maximumAttempts: the most attempts if its kind sets no limit.
    ///   - claim: the reserved place, if the job may run at once.
    func insertion(
        userID: String, maximumAttempts: Int, trace: String?, claim: JobInsertion.Claim? = nil, now: Timestamp
    ) -> JobInsertion {
        JobInsertion(
            id: id ?? UUIDv7.next(), userID: userID, kind: kind.name, version: kind.version, payload: payload,
            priority: priority, maximumAttempts: kind.maximumAttempts ?? maximumAttempts, createdAt: now,
            runAt: max(now, runAt ?? now), uniqueKey: uniqueKey,
            fingerprint: uniqueKey == nil ? nil : fingerprint, claim: claim, trace: trace,
            isEphemeral: kind.isEphemeral, screen: screen?.text,
            onBehalfOf: onBehalfOf, isSubmission: isSubmission)
    }
}

/// Hashes requests, to recognize repeated ones.
package enum Fingerprint {
    /// The SHA-256, in hexadecimal, of a text followed by bytes.
    package static func of(_ text: String, _ bytes: [UInt8] = []) -> String {
        var hash = SHA256()
        hash.update(data: Data(text.utf8))
        bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
        return hash.finalize().hexadecimal
    }
}

/// Why a submission was refused.
package enum SubmissionError: Error, Sendable, Equatable {
    /// An unfinished job with another request has the unique key.
    case uniqueKeyReused(jobID: String)
    /// The idempotency key was used with another request.
    case idempotencyKeyReused
    /// The rows of the dead letter's end cannot be undone.
    case notRequeueable
}
