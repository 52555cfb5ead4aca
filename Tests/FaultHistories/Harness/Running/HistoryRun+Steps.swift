import Foundation
import TestProcesses
import TestSupport

extension HistoryRun {
    func perform(_ operation: Operation) async throws {
        switch operation {
        case .submit(let job): await submit([job], path: "/v1/jobs")
        case .batch(let jobs): await submit(jobs, path: "/v1/jobs/batch")
        case .burst(let jobs, let kills): await burst(jobs, kills: kills)
        case .again(let tag): await again(tag)
        case .cancel(let tag): await steer(tag, "cancel") { .cancel(jobID: $0) }
        case .requeue(let tag): await steer(tag, "requeue") { .requeue(jobID: $0) }
        case .search(let number, let user, let artists):
            await search(.init(number: number, user: user, artists: artists))
        case .searchBurst(let searches): await searchAtOnce(searches)
        case .cancelSearch(let number): await cancelSearch(number)
        case .share(let number, let user): await share(number, by: user)
        case .takeShareBack(let number): await takeShareBack(number)
        case .kill(let role): try await kill(role)
        case .killHolder(let role): try await killHolder(role)
        case .stop(let role): stop(role)
        case .resume(let role): resume(role)
        case .drain(let role): drain(role)
        case .start(let role, let faults): try await start(role, faults: faults)
        case .setClock(let seconds): try clock.set(offsetSeconds: seconds)
        case .injectFault(let fault, let times):
            try await upstream.injectFault(
                fault, extra: fault == "slow" ? ["times": times, "ms": 700] : ["times": times])
        case .refuseEnds(let isRefused):
            // A stopped process may hold the lock.
            _ = try? await installation.withDatabase { try await ChangeLog.refuseEnds(isRefused, in: $0) }
        case .pause(let milliseconds): try await Task.sleep(for: .milliseconds(milliseconds))
        }
    }

    // MARK: Processes

    func kill(_ role: Role) async throws {
        guard let running = processes[role], running.process.isRunning else { return }
        if let stoppedAt = running.stoppedAt { disturbed(since: stoppedAt) }
        interrupted(role, .killed)
        running.process.kill()
        processes[role]?.stoppedAt = nil
        processes[role]?.endedAt = Self.now()
        try await running.process.waitForEnd()
    }

    /// Waits at most two seconds until a worker holds a job: one that was just started has to connect first.
    private func killHolder(_ role: Role) async throws {
        let end = ContinuousClock.now.advanced(by: .seconds(2))
        while ContinuousClock.now < end, processes[role]?.process.isRunning == true {
            let former = killedEpochs
            let held = try await installation.withDatabase { database in
                try await database.read { reader in
                    try reader.rows(
                        """
                        SELECT DISTINCT worker FROM jobs WHERE state = 'running' AND worker LIKE \("\(role.rawValue)/%")
                        """
                    ).map { try $0["worker"] as String }.first { !former.contains($0) }
                }
            }
            if let held {
                killedEpochs.insert(held)
                break
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        try await kill(role)
    }

    private func stop(_ role: Role) {
        guard let running = processes[role], running.process.isRunning, running.stoppedAt == nil else { return }
        interrupted(role, .stopped)
        running.process.pause()
        processes[role]?.stoppedAt = Self.now()
    }

    func resume(_ role: Role) {
        guard let stoppedAt = processes[role]?.stoppedAt else { return }
        processes[role]?.process.resume()
        processes[role]?.stoppedAt = nil
        disturbed(since: stoppedAt)
    }

    private func drain(_ role: Role) {
        guard let running = processes[role], running.process.isRunning, !running.isLeaving else { return }
        interrupted(role, .ended)
        running.process.terminate()
        processes[role]?.isLeaving = true
        processes[role]?.endedAt = Self.now()
    }

    /// Starts a process that has ended or is ending; does nothing if it runs.
    private func start(_ role: Role, faults: String) async throws {
        guard let running = processes[role] else { return }
        if running.isLeaving, running.stoppedAt == nil {
            // This waits at most for the grace period.
            _ = try? await eventually("the end of \(role)", within: .seconds(5)) { !running.process.isRunning }
        }
        guard !running.process.isRunning else { return }
        noteEnd(of: role)
        try launch(role, faults: faults)
        guard role == .gateway, let gateway = processes[.gateway]?.process else { return }
        // Does not wait longer for a gateway that cannot open the database because a stopped process holds the lock.
        _ = try? await eventually("the gateway", within: .seconds(2)) {
            !gateway.isRunning || gateway.output.contains("listening on")
        }
        disturbed(since: Self.now())
    }

    /// Checks that a process that has ended exited as requested.
    func noteEnd(of role: Role) {
        guard let running = processes[role], let end = running.process.end else { return }
        if running.endedAt == nil { processes[role]?.endedAt = Self.now() }
        switch end {
        case .exited(0) where running.isLeaving: return
        // The signal arrived before the process handled it.
        case .killed(signal: SIGTERM) where running.isLeaving: return
        case .killed(signal: SIGKILL) where running.endedAt != nil: return
        // A process that is stopped while it ends, or that waits for one that is, may exceed its grace period.
        case .exited(1) where running.isLeaving: return
        case .exited where running.process.errors.contains("write lock"): return
        default: break
        }
        let log = running.process.errors.lines.suffix(3).joined(separator: " | ")
        record.crashes.append("\(role) ended by itself (\(end)): \(log)")
    }

    // MARK: Requests

    /// Runs a request in a task of its own, and waits for its answer for a short time.
    func request(_ body: @escaping @Sendable () async -> Void) async {
        let task = Task { await body() }
        pending.append(task)
        await task.wait(atMost: Self.patience)
    }

    private func submit(_ jobs: [SubmittedJob], path: String) async {
        let bodies = jobs.map(body)
        let text = path.hasSuffix("batch") ? #"{"jobs":[\#(bodies.joined(separator: ","))]}"# : bodies[0]
        let key = key(of: jobs)
        await request { await self.send(jobs, text, to: path, key: key) }
    }

    private func key(of jobs: [SubmittedJob]) -> [String: String] {
        guard jobs.count == 1, jobs[0].isIdempotent else { return [:] }
        return ["Idempotency-Key": "request-\(jobs[0].tag)"]
    }

    /// The job as JSON. A repeated request has the same text.
    private func body(of job: SubmittedJob) -> String {
        if let known = bodies[job.tag] { return known }
        var members = [#""kind":"\#(job.kind)","payload":\#(job.payload),"priority":\#(job.priority)"#]
        if let uniqueKey = job.uniqueKey { members.append(#""uniqueKey":"key-\#(uniqueKey)""#) }
        if let delay = job.delay { members.append(#""runAt":"\#(clock.text(inMilliseconds: delay))""#) }
        let body = "{\(members.joined(separator: ","))}"
        bodies[job.tag] = body
        return body
    }

    private func send(_ jobs: [SubmittedJob], _ body: String, to path: String, key: [String: String]) async {
        let user = jobs[0].user
        let index = begin(.submit(jobs), by: user)
        let response = try? await users[user - 1].post(path, body, headers: key)
        let answer = Self.answer(response) { response in
            path.hasSuffix("batch") ? try response.decode(Batch.self).jobs.map(\.id) : [try response.job.id]
        }
        end(index, answer)
        if case .accepted(let accepted) = answer { for (id, job) in zip(accepted, jobs) { ids[job.tag] = id } }
    }

    private struct Batch: Decodable { var jobs: [JobView] }

    private func burst(_ jobs: [SubmittedJob], kills: Bool) async {
        let answers = requestsAnswered
        for job in jobs {
            let (body, key) = (body(of: job), key(of: [job]))
            pending.append(Task { await self.send([job], body, to: "/v1/jobs", key: key) })
        }
        let wanted = answers + (kills ? 1 : jobs.count)
        let end = ContinuousClock.now.advanced(by: Self.patience)
        while requestsAnswered < wanted, processes[.gateway]?.process.isRunning == true, ContinuousClock.now < end {
            try? await Task.sleep(for: .milliseconds(kills ? 0 : 2))
        }
        if kills { try? await kill(.gateway) }
    }

    private var requestsAnswered: Int { record.requests.count { $0.answeredAt != Int.max } }

    private func again(_ tag: Int) async {
        for request in record.requests {
            guard case .submit(let jobs) = request.purpose, let job = jobs.first, job.tag == tag else { continue }
            return await submit([job], path: "/v1/jobs")
        }
    }

    /// Cancels or requeues a job whose id is known.
    private func steer(_ tag: Int, _ verb: String, _ purpose: (String) -> Record.Request.Purpose) async {
        guard let id = ids[tag], let user = owner(of: tag) else { return }
        let purpose = purpose(id)
        await request {
            let index = await self.begin(purpose, by: user)
            let response = try? await self.users[user - 1].post("/v1/jobs/\(id)/\(verb)")
            await self.end(index, Self.answer(response) { _ in [id] })
        }
    }

    /// The number of the user who submitted it.
    private func owner(of tag: Int) -> Int? {
        for request in record.requests {
            guard case .submit(let jobs) = request.purpose else { continue }
            if let job = jobs.first(where: { $0.tag == tag }) { return job.user }
        }
        return nil
    }

    private func begin(_ purpose: Record.Request.Purpose, by user: Int) -> Int {
        var request = Record.Request(purpose, sentAt: nextMoment())
        (request.userID, request.sentTime) = (userIDs[user - 1], Self.now())
        record.requests.append(request)
        return record.requests.count - 1
    }

    private func end(_ index: Int, _ answer: Record.Request.Answer) {
        record.requests[index].answer = answer
        record.requests[index].answeredAt = nextMoment()
        record.requests[index].answeredTime = Self.now()
    }

    private static func answer(
        _ response: APIResponse?, ids: (APIResponse) throws -> [String]
    ) -> Record.Request.Answer {
        guard let response else { return .none }
        if (200..<300).contains(response.status), let ids = try? ids(response) { return .accepted(ids) }
        return .refused(status: response.status, code: (try? response.problem.code) ?? "")
    }

    // MARK: Searches

    private func search(_ search: SubmittedSearch) async {
        await request { await self.send(search) }
    }

    private func searchAtOnce(_ searches: [SubmittedSearch]) async {
        let tasks = searches.map { search in Task { await self.send(search) } }
        pending += tasks
        await Task { for task in tasks { await task.value } }.wait(atMost: Self.patience)
    }

    private func send(_ search: SubmittedSearch) async {
        let names = search.artists.filter { $0 < artists.count }.map { artists[$0] }
        let body = JSON.object(["artists": .array(names.map { .string($0) })]).encoded
        let index = begin(.search, by: search.user)
        let response = try? await users[search.user - 1].post("/v1/concert-searches", body)
        let answer = Self.answer(response) { response in
            guard let id = try response.decode(JSON.self)["id"]?.text else { throw MissingID() }
            return [id]
        }
        end(index, answer)
        if case .accepted(let ids) = answer { accepted(search: search.number, id: ids[0], user: search.user) }
    }

    private struct MissingID: Error {}

    private func accepted(search number: Int, id: String, user: Int) {
        searchIDs[number] = id
        searchUsers[id] = user
        record.searches.append(.init(id: id, state: nil, open: 0))
    }

    private func cancelSearch(_ number: Int) async {
        guard let id = searchIDs[number], let user = searchUsers[id] else { return }
        let client = users[user - 1]
        await request { _ = try? await client.post("/v1/concert-searches/\(id)/cancel") }
    }
}
