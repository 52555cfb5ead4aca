/// All metrics.
extension MetricFamily {
    // MARK: Jobs

    package static let jobs = gauge(
        "backline_jobs", "Jobs by kind and state, from counters.", labels: ["kind", "state"], scope: .installation)
    package static let deadLetters = gauge(
        "backline_dead_letters", "Jobs that failed for good and wait to be requeued.", scope: .installation)
    package static let queueAge = gauge(
        "backline_queue_age_seconds", "How long the oldest queued job has waited for a worker.",
        labels: ["kind"], unit: .seconds, scope: .installation)
    package static let runningAge = gauge(
        "backline_running_age_seconds", "How long ago the oldest running job was handed out.",
        unit: .seconds, scope: .installation)
    package static let jobsSubmitted = counter(
        "backline_jobs_submitted_total", "Jobs accepted.", labels: ["kind"])
    package static let dispatchTime = histogram(
        "backline_dispatch_seconds",
        "Time from when a job was durable and due until it left for its worker.", labels: ["kind"])
    package static let jobRuns = counter(
        "backline_job_runs_total", "Runs by outcome.", labels: ["kind", "outcome"])
    package static let runTime = histogram(
        "backline_job_run_seconds", "How long handlers took, without the write of the result.", labels: ["kind"])

    // MARK: Workers and clients

    package static let workers = gauge(
        "backline_workers", "Connected workers.", scope: .installation)
    package static let workerHeldJobs = gauge(
        "backline_worker_held_jobs", "Jobs that a worker is running.", labels: ["process"], scope: .installation)
    package static let workerCredit = gauge(
        "backline_worker_credit", "How many more jobs a worker can take.", labels: ["process"], scope: .installation)
    package static let reportAge = gauge(
        "backline_worker_report_age_seconds", "How long ago a worker last reported its metrics.",
        labels: ["process"], unit: .seconds, scope: .installation)
    package static let eventStreams = gauge(
        "backline_event_streams", "Open event streams.", scope: .installation)
    package static let httpConnections = gauge("backline_http_connections", "Open HTTP connections.")
    package static let httpConnectionLimit = gauge(
        "backline_http_connections_limit", "The most HTTP connections accepted at once.")
    package static let httpRequests = counter(
        "backline_http_requests_total", "HTTP requests by route and status of the response.",
        labels: ["method", "route", "status"])
    package static let httpTime = histogram(
        "backline_http_request_seconds", "Time from the head of a request to the head of its response.",
        labels: ["method", "route"])
    package static let httpConnectionsCut = counter(
        "backline_http_connections_cut_total",
        "Connections closed because the client was too slow, by what was slow.", labels: ["reason"])

    package static let pictureUploads = counter(
        "backline_picture_uploads_total", "Pictures that people uploaded, by outcome.", labels: ["outcome"])

    package static let pushes = counter(
        "backline_pushes_total", "Pushes to people's devices, by what became of them.", labels: ["outcome"])
    package static let pushesWaiting = gauge(
        "backline_pushes_waiting", "Pushes that are due and not sent yet, up to 10,000.")
    package static let pushServicesRefusing = gauge(
        "backline_push_services_refusing", "Push services that refuse the key or contact of the installation.")

    // MARK: Upkeep

    package static let upkeepRuns = counter(
        "backline_upkeep_runs_total", "Runs of the gateway's periodic steps.",
        labels: ["step", "outcome"])
    package static let upkeepTime = histogram(
        "backline_upkeep_run_seconds", "How long the runs of periodic steps took.", labels: ["step"])

    // MARK: Upstreams

    package static let upstreamCalls = counter(
        "backline_upstream_calls_total", "Requests to upstreams by status, or by the reason why there was none.",
        labels: ["provider", "status"])
    package static let upstreamTime = histogram(
        "backline_upstream_call_seconds", "Time from sending a request to the last byte of its response.",
        labels: ["provider"])
    package static let upstreamWait = histogram(
        "backline_upstream_permit_wait_seconds", "How long each request waited for its permit and its circuit breaker.",
        labels: ["provider"])
    package static let upstreamRetries = counter(
        "backline_upstream_retries_total", "Requests that were retries.", labels: ["provider"])
    package static let upstreamBytes = counter(
        "backline_upstream_response_bytes_total", "Bytes of responses, after decompression.", labels: ["provider"])
    package static let upstreamMissedPermits = counter(
        "backline_upstream_permits_missed_total",
        "Permits that were returned unused because no connection was established in time.", labels: ["provider"])
    package static let upstreamPauses = counter(
        "backline_upstream_pauses_total", "Pauses that a provider asked for.", labels: ["provider", "reason"])
    package static let circuitOpen = gauge(
        "backline_upstream_circuit_open", "1 while the circuit breaker of any key of the provider is open, else 0.",
        labels: ["provider"])
    package static let circuitOpenings = counter(
        "backline_upstream_circuit_openings_total", "Times the circuit breaker of a key opened.", labels: ["provider"])
    package static let permits = gauge(
        "backline_permits", "Permits of a key by state.",
        labels: ["provider", "credential", "state"], scope: .installation)
    package static let permitsWaiting = gauge(
        "backline_permits_waiting", "Interactive calls waiting for a permit, in all processes.",
        labels: ["provider", "credential"], scope: .installation)
    package static let permitPause = gauge(
        "backline_permit_pause_seconds", "How much longer a key is paused.",
        labels: ["provider", "credential"], unit: .seconds, scope: .installation)

    // MARK: Database

    package static let databaseLogSize = gauge(
        "backline_database_log_bytes", "Size of the write-ahead log.", scope: .installation)
    package static let erasures = gauge(
        "backline_erasures_unfinished", "Deleted accounts with rows that are not erased yet.", scope: .installation)
    package static let cleaningDue = gauge(
        "backline_database_cleaning_due_seconds",
        "How long the write-ahead log may have contained rows of deleted accounts; 0 when it contains none.",
        unit: .seconds, scope: .installation)
    package static let cleaningPage = gauge(
        "backline_database_cleaning_page",
        "The next page of a cleaning of the whole file; 0 when none is due.", scope: .installation)
    package static let databaseCommits = counter("backline_database_commits_total", "Transactions committed.")
    package static let databaseWrites = counter(
        "backline_database_writes_total", "Writes within committed transactions.")
    package static let databaseLockWait = histogram(
        "backline_database_lock_wait_seconds", "Waits for the write lock while another process held it.")
    package static let databaseWriteTime = histogram(
        "backline_database_write_seconds",
        "Time from requesting a write to the end of its transaction; the longest in each transaction.")
    package static let databaseCommitTime = histogram(
        "backline_database_commit_seconds", "How long the commits took, the sync of the disk included.")
    package static let databaseBatchSize = sizes(
        "backline_database_batch_size", "Writes in one transaction.")

    // MARK: Messages

    package static let messagesSent = counter("backline_messages_sent_total", "Messages handed to ZeroMQ.")
    package static let messagesReceived = counter("backline_messages_received_total", "Messages received from ZeroMQ.")
    package static let messageBytesSent = counter("backline_message_bytes_sent_total", "Bytes of messages sent.")
    package static let messageBytesReceived = counter(
        "backline_message_bytes_received_total", "Bytes of messages received.")
    package static let messagesDropped = counter(
        "backline_messages_dropped_total", "Messages that could not be sent, or were malformed.",
        labels: ["reason"])

    package static let messagingRefused = counter(
        "backline_messaging_refused_total",
        "Connections and messages refused at the gateway's messaging endpoint.", labels: ["reason"])

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
        httpRequests, httpTime, httpConnectionsCut, pictureUploads, pushes, pushesWaiting, pushServicesRefusing,
        upkeepRuns, upkeepTime,
        upstreamCalls, upstreamTime, upstreamWait, upstreamRetries, upstreamBytes, upstreamMissedPermits,
        upstreamPauses, circuitOpen, circuitOpenings, permits, permitsWaiting, permitPause,
        databaseLogSize, databaseCommits, databaseWrites, databaseLockWait, databaseWriteTime, databaseCommitTime,
        databaseBatchSize, erasures, cleaningDue, cleaningPage,
        messagesSent, messagesReceived, messageBytesSent, messageBytesReceived, messagesDropped,
        messagingRefused,
        processCPU, processMemory, processFiles, processStart,
    ]
}
