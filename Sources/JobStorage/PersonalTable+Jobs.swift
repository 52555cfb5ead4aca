import Model
import Storage

extension [PersonalTable] {
    /// The tables of the queue.
    package static let jobs: Self = [
        // Tables are erased in reverse order: these after the jobs, whose erasure writes them.
        PersonalTable(
            "change_log", keys: ["topic"], erasure: .rows,
            export: .nothing(because: "only numbers that order changes")),
        PersonalTable(
            "job_counts", keys: ["state"],
            erasure: .steps([
                ErasureStep { reader, userID, _ in
                    try reader.jobs.hasOnlyJobCounts(userID: userID) ? [.init(userID)] : []
                } erase: { transaction, userID, _ in
                    try transaction.jobs.eraseJobCounts(ofUser: userID)
                }
            ]), export: .nothing(because: "counted from jobs"), showsLeftovers: true),
        PersonalTable(
            "submission_counts", keys: ["user_id"],
            erasure: .steps([
                ErasureStep { reader, userID, _ in
                    try reader.jobs.hasOnlySubmissionCounts(userID: userID) ? [.init(userID)] : []
                } erase: { transaction, userID, _ in
                    try transaction.jobs.eraseSubmissionCounts(ofUser: userID)
                }
            ]), export: .nothing(because: "counted from jobs"), showsLeftovers: true),
        PersonalTable(
            "job_ends", keys: ["job_id"],
            erasure: .steps([
                // The rows are written now, since they also concern others.
                ErasureStep { reader, userID, limit in
                    try reader.jobs.pendingHooks(of: userID, owner: SystemUser.id, dueBy: .now(), limit: limit)
                        .map { .init($0) }
                } erase: { transaction, _, ids in
                    try transaction.jobs.runPendingHooks(ofJobs: ids, now: .now())
                },
                ErasureStep { reader, userID, _ in
                    let owed = try reader.jobs.pendingHooks(of: userID, owner: SystemUser.id, limit: 1)
                    guard owed.isEmpty else { throw PendingHooks() }
                    return []
                } erase: { _, _, _ in
                },
            ]), export: .nothing(because: "ended jobs whose rows are still to be written"), showsLeftovers: true),
        PersonalTable(
            "jobs", keys: ["id"],
            erasure: .steps([
                ErasureStep { reader, userID, limit in
                    try reader.jobs.jobs(ofUser: userID, limit: limit)
                } erase: { transaction, _, ids in
                    for id in ids { try transaction.jobs.eraseJob(id: id) }
                },
                // These are the jobs that serve everybody and name the person.
                ErasureStep { reader, userID, limit in
                    try reader.jobs.jobs(naming: userID, owner: SystemUser.id, limit: limit)
                } erase: { transaction, _, ids in
                    for id in ids { try transaction.jobs.eraseJob(id: id) }
                },
                // Other jobs that serve everybody continue and queue under their owner.
                ErasureStep { reader, userID, limit in
                    try reader.jobs.jobs(onBehalfOf: userID, limit: limit)
                } erase: { transaction, userID, ids in
                    try transaction.jobs.forgetPerson(userID, ofJobs: ids)
                },
            ]),
            export: .rows(
                member: "jobs",
                [
                    .init("id", "id"), .init("kind", "kind"), .init("payload", "payload", .json),
                    .init("state", "state"), .init("priority", "priority", .number),
                    .init("attempt", "attempt", .number), .init("created_at", "createdAt", .time),
                    .init("run_at", "runAt", .time), .init("started_at", "startedAt", .time),
                    .init("finished_at", "finishedAt", .time), .init("result", "result", .json),
                    .init("error_code", "errorCode"), .init("error_message", "errorMessage"),
                    .init("unique_key", "uniqueKey"),
                ]),
            omits: [
                .internals(
                    "on_behalf_of", "version", "submitted_bytes", "trace", "fingerprint", "is_ephemeral", "screen",
                    "run", "maximum_attempts", "planned_at", "ran_for", "awaits", "awaited_scopes", "worker",
                    "lease_expires_at", "is_suspect", "crashes", "deaths", "crash_group", "outage_at")
            ], exportCondition: "jobs.is_ephemeral = 0", mentions: ["on_behalf_of"]),
        PersonalTable(
            "job_attempts", keys: ["job_id", "run"], owner: .row(column: "job_id", of: "jobs"), erasure: .with("jobs"),
            export: .rows(
                member: "jobAttempts",
                [
                    .init("job_id", "jobID"), .init("run", "run", .number), .init("attempt", "attempt", .number),
                    .init("started_at", "startedAt", .time), .init("finished_at", "finishedAt", .time),
                    .init("error_code", "errorCode"), .init("error_message", "errorMessage"),
                ]), omits: [.internals("worker")], exportCondition: "jobs.is_ephemeral = 0"),
        PersonalTable(
            "job_checkpoints", keys: ["job_id"], owner: .row(column: "job_id", of: "jobs"), erasure: .with("jobs"),
            export: .nothing(because: "internal state of running jobs, deleted when they end")),
        PersonalTable(
            "diagnostic_steps", keys: ["job_id", "step", "run"], owner: .row(column: "job_id", of: "jobs"),
            erasure: .with("jobs"), export: .nothing(because: "the steps of a test job for operators")),
        PersonalTable(
            "idempotency_keys", keys: ["key"], erasure: .rows, large: ["resource_ids"],
            export: .rows(
                member: "idempotencyKeys",
                [
                    .init("key", "key"), .init("resource_ids", "resourceIDs"),
                    .init("created_at", "createdAt", .time),
                ]), omits: [.internals("fingerprint")]),
        PersonalTable(
            "domain_schedules", keys: ["kind"], erasure: .cascade,
            export: .rows(
                member: "schedules",
                [
                    .init("kind", "kind"), .init("every", "everySeconds", .duration), .init("next_at", "nextAt", .time),
                ]), omits: [.internals("planned_at")]),
    ]
}
