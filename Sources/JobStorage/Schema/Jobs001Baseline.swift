import Storage

extension Migration {
    /// Jobs with their attempts, ends and counts, and schedules (docs/jobs.md). Times are in microseconds UTC, except
    /// `lease_expires_at`, which is in microseconds of CLOCK_BOOTTIME.
    package static let jobsBaseline = Migration(
        domain: "jobs", number: 1, name: "baseline",
        statements: [
            // Who and what: `on_behalf_of` is the person under whom a system job queues; NULL means the owner.
            // `submitted_bytes` is the size of the payload of a job that a person submitted; NULL for Backline's own
            // jobs. `trace` has 32 hexadecimal digits, from the traceparent header of the request if it had one.
            // `is_ephemeral` marks a job whose answer somebody waits for on a screen and that nobody looks up
            // afterwards; `screen` is the id that a page gave to that screen.
            //
            // When: `planned_at` is when `run_at` of a postponed job was set, which later shows whether the clock was
            // ahead then; NULL for jobs that were never postponed. `ran_for` is the total running time of the ended
            // runs, in microseconds. `awaits` is the provider whose credential a scheduled job waits for, and
            // `awaited_scopes` has the scopes that its person has to grant before, separated by spaces.
            //
            // Crashes: `deaths` counts the workers that died while they held the job, over its whole life; progress
            // clears only `crashes`. Jobs of the same `crash_group` were lost together and run together again until
            // one of them runs alone. `outage_at` is when the job last ran while the gateway also went down.
            """
            CREATE TABLE jobs (
                id TEXT NOT NULL PRIMARY KEY,
                user_id TEXT NOT NULL,
                on_behalf_of TEXT,
                kind TEXT NOT NULL,
                version BIGINT NOT NULL,
                payload TEXT NOT NULL,
                submitted_bytes BIGINT,
                trace TEXT,
                unique_key TEXT,
                fingerprint TEXT,
                is_ephemeral BIGINT NOT NULL DEFAULT 0,
                screen TEXT,
                state TEXT NOT NULL,
                priority BIGINT NOT NULL,
                run BIGINT NOT NULL,
                attempt BIGINT NOT NULL,
                maximum_attempts BIGINT NOT NULL,
                created_at BIGINT NOT NULL,
                run_at BIGINT NOT NULL,
                planned_at BIGINT,
                started_at BIGINT,
                finished_at BIGINT,
                ran_for BIGINT NOT NULL DEFAULT 0,
                awaits TEXT,
                awaited_scopes TEXT,
                worker TEXT,
                lease_expires_at BIGINT,
                is_suspect BIGINT NOT NULL DEFAULT 0,
                crashes BIGINT NOT NULL DEFAULT 0,
                deaths BIGINT NOT NULL DEFAULT 0,
                crash_group TEXT,
                outage_at BIGINT,
                result TEXT,
                error_code TEXT,
                error_message TEXT,
                change BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX jobs_of_user ON jobs (user_id, id)",
            "CREATE INDEX jobs_dead ON jobs (user_id, id) WHERE state = 'failed'",
            """
            CREATE UNIQUE INDEX jobs_unique ON jobs (user_id, unique_key)
            WHERE unique_key IS NOT NULL AND finished_at IS NULL
            """,
            // For administrators, who list the jobs of all users in the order of their ids.
            "CREATE INDEX jobs_dead_of_all ON jobs (id) WHERE state = 'failed'",
            // Event streams find changes through two indexes, each of a part of the table, so that a job that changes
            // its state touches only one of them: jobs_live while it is unfinished, jobs_ended from its end on.
            "CREATE INDEX jobs_ended ON jobs (user_id, change) WHERE finished_at IS NOT NULL",
            "CREATE INDEX jobs_awaiting ON jobs (user_id, awaits) WHERE awaits IS NOT NULL",
            "CREATE INDEX jobs_ephemeral ON jobs (user_id, kind, screen) WHERE is_ephemeral = 1",
            // For erasing a person.
            "CREATE INDEX jobs_on_behalf ON jobs (on_behalf_of, id) WHERE on_behalf_of IS NOT NULL",
            // A job is unfinished as long as it has no end. (SQLite would build a temporary table from a list of states
            // in the condition for every statement that touches a row.) An event stream that resumes reads only the
            // rows of its person. The dispatcher goes from one person with unfinished jobs to the next. That must not
            // read rows, because a damaged row would hide all jobs; so the index covers its condition.
            "CREATE INDEX jobs_live ON jobs (user_id, change, finished_at) WHERE finished_at IS NULL",
            // One row for each attempt that did not succeed.
            """
            CREATE TABLE job_attempts (
                job_id TEXT NOT NULL,
                run BIGINT NOT NULL,
                attempt BIGINT NOT NULL,
                worker TEXT,
                started_at BIGINT,
                finished_at BIGINT NOT NULL,
                error_code TEXT NOT NULL,
                error_message TEXT NOT NULL,
                PRIMARY KEY (job_id, run)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // The last checkpoint of a handler: JSON of at most 64 KiB. A separate table keeps the rows of jobs short.
            // `work` is the most work of any checkpoint of the job so far, in a unit of its kind. More work is
            // progress.
            """
            CREATE TABLE job_checkpoints (
                job_id TEXT NOT NULL PRIMARY KEY,
                version BIGINT NOT NULL,
                state TEXT NOT NULL,
                work BIGINT NOT NULL DEFAULT 0,
                kept_at BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // Ended jobs whose dependent rows the database refused; the rows are written later.
            """
            CREATE TABLE job_ends (
                job_id TEXT NOT NULL PRIMARY KEY,
                user_id TEXT NOT NULL,
                kind TEXT NOT NULL,
                ended TEXT NOT NULL,
                tries BIGINT NOT NULL,
                next_at BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX job_ends_by_time ON job_ends (next_at)",
            // `change` is the last change of the counted jobs.
            """
            CREATE TABLE job_counts (
                user_id TEXT NOT NULL,
                state TEXT NOT NULL,
                count BIGINT NOT NULL,
                change BIGINT NOT NULL DEFAULT 0,
                PRIMARY KEY (user_id, state)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // For operators. Separate from job_counts: otherwise every summary would read a row for each user, kind and
            // state.
            """
            CREATE TABLE job_kind_counts (
                kind TEXT NOT NULL,
                state TEXT NOT NULL,
                count BIGINT NOT NULL,
                PRIMARY KEY (kind, state)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // For quotas: the number of each person's unfinished jobs, and the size of their payloads.
            """
            CREATE TABLE submission_counts (
                user_id TEXT NOT NULL PRIMARY KEY,
                jobs BIGINT NOT NULL,
                bytes BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // The answer to an Idempotency-Key: the ids of the jobs or of the search that the request made.
            """
            CREATE TABLE idempotency_keys (
                user_id TEXT NOT NULL,
                key TEXT NOT NULL,
                fingerprint TEXT NOT NULL,
                resource_ids TEXT NOT NULL,
                created_at BIGINT NOT NULL,
                PRIMARY KEY (user_id, key)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at)",
            // When each recurring schedule is due next; what it submits is in the configuration.
            """
            CREATE TABLE schedules (
                name TEXT NOT NULL PRIMARY KEY,
                next_at BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // Schedules that domains set for people, beside those of the configuration. The interval is in
            // microseconds. planned_at is when next_at was determined: a time in the future is from a clock that has
            // been set back since.
            """
            CREATE TABLE domain_schedules (
                kind TEXT NOT NULL,
                user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                every BIGINT NOT NULL,
                next_at BIGINT NOT NULL,
                planned_at BIGINT NOT NULL,
                PRIMARY KEY (kind, user_id)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX domain_schedules_by_time ON domain_schedules (next_at)",
            "CREATE INDEX domain_schedules_by_plan ON domain_schedules (planned_at)",
            "CREATE INDEX domain_schedules_of_user ON domain_schedules (user_id)",
            // The steps that `diagnostics.steps` has taken. No key is unique: only the fence prevents a second row.
            """
            CREATE TABLE diagnostic_steps (
                job_id TEXT NOT NULL,
                step BIGINT NOT NULL,
                run BIGINT NOT NULL,
                taken_at BIGINT NOT NULL
            )
            """,
            "CREATE INDEX diagnostic_steps_of_job ON diagnostic_steps (job_id)",
        ])
}
