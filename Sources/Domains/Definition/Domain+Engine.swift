import Contracts
import JobStorage
import PermitStorage
import Storage

/// The domains that serve the others. They have no module of their own above their storage.
extension Domain {
    /// The database itself, and the changes in it. A restore marks the tables of the storage engine anyway.
    package static let storage = Domain(
        "storage",
        migrations: [.storageBaseline, .storageGoneItems, .storageGoneAgain, .storageAuthorProfiles],
        personalTables: .storage)

    /// The queue. The ends of erased jobs write rows of their domains, so its rows are erased before those.
    package static let jobs = Domain(
        "jobs", migrations: [.jobsBaseline], personalTables: .jobs, isErasedFirst: true,
        jobKinds: [TypedJobKind.diagnosticsEcho.kind, TypedJobKind.diagnosticsSteps.kind],
        completionHooks: [.diagnosticsSteps], restoreMarks: [.jobs])

    /// The permits for calls of upstream services.
    package static let permits = Domain(
        "permits", migrations: [.permitsBaseline], personalTables: .permits, restoreMarks: [.permits])
}

extension CompletionHook {
    /// Deletes the rows of a `diagnostics.steps` job when it ends, however it ends. So a failed one cannot be requeued.
    package static let diagnosticsSteps = CompletionHook(kind: TypedJobKind.diagnosticsSteps.kind.name) {
        job, transaction in
        try transaction.jobs.deleteDiagnosticSteps(ofJob: job.id)
    }
}
