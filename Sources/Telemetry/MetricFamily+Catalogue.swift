/// Every metric there is.
extension MetricFamily {
    // MARK: Jobs

    package static let jobs = gauge(
        "backline_jobs", "Jobs by kind and state, from counters.", labels: ["kind", "state"], scope: .installation)
    package static let deadLetters = gauge(
        "backline_dead_letters", "Jobs that failed for good and wait to be requeued.", scope: .installation)
    package static let queueAge = gauge(
        "backline_queue_age_seconds", "How long the oldest job that waits for a worker has waited.",
        labels: ["kind"], unit: .seconds, scope: .installation)
    package static let runningAge = gauge(
        "backline_running_age_seconds", "How long ago the oldest run that has not ended was handed out.",
        unit: .seconds, scope: .installation)
    package static let jobsSubmitted = counter(
        "backline_jobs_submitted_total", "Jobs accepted.", labels: ["kind"])
    package static let dispatchTime = histogram(
        "backline_dispatch_seconds",
        "From the moment a job was durable and due to the moment it left for its worker.", labels: ["kind"])
    package static let jobRuns = counter(
        "backline_job_runs_total", "Runs by how they ended.", labels: ["kind", "outcome"])
    package static let runTime = histogram(
        "backline_job_run_seconds", "How long handlers took, without the write of their outcome.", labels: ["kind"])

    // MARK: Workers and clients

    package static let workers = gauge(
        "backline_workers", "Workers that are connected.", scope: .installation)
    package static let workerHeldJobs = gauge(
        "backline_worker_held_jobs", "Jobs that a worker holds.", labels: ["process"], scope: .installation)
    package static let workerCredit = gauge(
        "backline_worker_credit", "How many more jobs a worker takes.", labels: ["process"], scope: .installation)
    package static let reportAge = gauge(
        "backline_worker_report_age_seconds", "How long ago a worker last reported its metrics.",
        labels: ["process"], unit: .seconds, scope: .installation)
    package static let eventStreams = gauge(
        "backline_event_streams", "Event streams that are open.", scope: .installation)
    package static let httpConnections = gauge("backline_http_connections", "HTTP connections that are open.")
    package static let httpConnectionLimit = gauge(
        "backline_http_connections_limit", "How many HTTP connections are taken at once.")
    package static let httpRequests = counter(
        "backline_http_requests_total", "HTTP requests by their route and the status of the answer.",
        labels: ["method", "route", "status"])
    package static let httpTime = histogram(
        "backline_http_request_seconds", "From a request's head to the head of its answer.",
        labels: ["method", "route"])
    package static let httpConnectionsCut = counter(
        "backline_http_connections_cut_total",
        "Connections ended because the client was too slow, by what it was too slow with.", labels: ["reason"])

    // MARK: Upkeep

    package static let upkeepRuns = counter(
        "backline_upkeep_runs_total", "Runs of the steps that the gateway takes by the clock.",
        labels: ["step", "outcome"])
    package static let upkeepTime = histogram(
        "backline_upkeep_run_seconds", "How long those runs took.", labels: ["step"])

    // MARK: Upstreams

    package static let upstreamCalls = counter(
        "backline_upstream_calls_total", "Requests to upstreams by status, or by what went wrong instead.",
        labels: ["provider", "status"])
    package static let upstreamTime = histogram(
        "backline_upstream_call_seconds", "From the sending of a request to its answer's last byte.",
        labels: ["provider"])
    package static let upstreamWait = histogram(
        "backline_upstream_permit_wait_seconds", "How long each request waited for its permit and an open breaker.",
        labels: ["provider"])
    package static let upstreamRetries = counter(
        "backline_upstream_retries_total", "Requests that were a call's second or later.", labels: ["provider"])
    package static let upstreamBytes = counter(
        "backline_upstream_response_bytes_total", "Bytes of answers, after decompression.", labels: ["provider"])
    package static let upstreamMissedPermits = counter(
        "backline_upstream_permits_missed_total",
        "Permits that went back unused because no connection stood within their second.", labels: ["provider"])
    package static let upstreamPauses = counter(
        "backline_upstream_pauses_total", "Times a provider asked to stay away.", labels: ["provider", "reason"])
    package static let circuitOpen = gauge(
        "backline_upstream_circuit_open", "1 while the circuit breaker of one of its keys lets no calls through, else 0.",
        labels: ["provider"])
    package static let circuitOpenings = counter(
        "backline_upstream_circuit_openings_total", "Times the circuit breaker of a key opened.", labels: ["provider"])
    package static let permits = gauge(
        "backline_permits", "Permits of a key, by whether they are free.",
        labels: ["provider", "credential", "state"], scope: .installation)
    package static let permitsWaiting = gauge(
        "backline_permits_waiting", "Interactive calls that wait for a permit, in all processes.",
        labels: ["provider", "credential"], scope: .installation)
    package static let permitPause = gauge(
        "backline_permit_pause_seconds", "For how much longer nothing is sent with a key.",
        labels: ["provider", "credential"], unit: .seconds, scope: .installation)

    // MARK: Database

    package static let databaseLogSize = gauge(
        "backline_database_log_bytes", "Size of the write-ahead log.", scope: .installation)
    package static let erasures = gauge(
        "backline_erasures_unfinished", "People who left and of whom rows are left.", scope: .installation)
    package static let cleaningDue = gauge(
        "backline_database_cleaning_due_seconds",
        "For how long the write-ahead log may have held rows of people who left; 0 when it holds none.",
        unit: .seconds, scope: .installation)
    package static let cleaningPage = gauge(
        "backline_database_cleaning_page",
        "The page at which going through the file once goes on; 0 when that is done.", scope: .installation)
    package static let databaseCommits = counter("backline_database_commits_total", "Transactions committed.")
    package static let databaseWrites = counter("backline_database_writes_total", "Writes within them.")
    package static let databaseLockWait = histogram(
        "backline_database_lock_wait_seconds", "Waits for the write lock while another process held it.")
    package static let databaseWriteTime = histogram(
        "backline_database_write_seconds",
        "From the asking to the end of its transaction, of the write that waited longest in each.")
    package static let databaseCommitTime = histogram(
        "backline_database_commit_seconds", "How long the commits took, the sync of the disk included.")
    package static let databaseBatchSize = sizes(
        "backline_database_batch_size", "Writes in one transaction.")

    // MARK: Messages

    package static let messagesSent = counter("backline_messages_sent_total", "Messages handed to ZeroMQ.")
    package static let messagesReceived = counter("backline_messages_received_total", "Messages taken from ZeroMQ.")
    package static let messageBytesSent = counter("backline_message_bytes_sent_total", "Bytes of messages sent.")
    package static let messageBytesReceived = counter(
        "backline_message_bytes_received_total", "Bytes of messages received.")
    package static let messagesDropped = counter(
        "backline_messages_dropped_total", "Messages that could not leave, or were not understood.",
        labels: ["reason"])

    package static let messagingRefused = counter(
        "backline_messaging_refused_total",
        "Connections and messages that were refused at the gateway's messaging endpoint.", labels: ["reason"])

    // MARK: Processes (with the names that Prometheus' client libraries use)

    package static let processCPU = counter(
        "process_cpu_seconds_total", "User and system CPU time.", unit: .seconds)
    package static let processMemory = gauge("process_resident_memory_bytes", "Resident memory.")
    package static let processFiles = gauge("process_open_fds", "Open file descriptors.")
    package static let processStart = gauge(
        "process_start_time_seconds", "When the process started, in seconds since 1970.", unit: .seconds)

    package static let all: [MetricFamily] = [
        jobs, deadLetters, queueAge, runningAge, jobsSubmitted, dispatchTime, jobRuns, runTime,
        workers, workerHeldJobs, workerCredit, reportAge, eventStreams, httpConnections, httpConnectionLimit,
        httpRequests, httpTime, httpConnectionsCut, upkeepRuns, upkeepTime,
        upstreamCalls, upstreamTime, upstreamWait, upstreamRetries, upstreamBytes, upstreamMissedPermits,
        upstreamPauses, circuitOpen, circuitOpenings, permits, permitsWaiting, permitPause,
        databaseLogSize, databaseCommits, databaseWrites, databaseLockWait, databaseWriteTime, databaseCommitTime,
        databaseBatchSize, erasures, cleaningDue, cleaningPage,
        messagesSent, messagesReceived, messageBytesSent, messageBytesReceived, messagesDropped,
        messagingRefused,
        processCPU, processMemory, processFiles, processStart,
    ]
}
