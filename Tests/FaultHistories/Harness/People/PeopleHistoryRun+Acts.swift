import NIOHTTP1
import TestProcesses

/// Acts over HTTP, which are repeated until they have an answer.
extension PeopleHistoryRun {
    /// A request, which is repeated unchanged if its answer is lost.
    private struct Call: Sendable {
        var method: HTTPMethod
        var path: String
        var body: String?
        var client: APIClient
    }

    /// Does something, and waits a short time for the answer.
    ///
    /// - Parameter times: how often the same request is sent at once.
    func perform(_ act: PeopleAct, times: Int = 1) async throws {
        guard let task = try await send(act, times: times) else { return }
        await task.wait(atMost: Self.patience)
    }

    /// Sends acts at once.
    func burst(_ acts: [PeopleAct], kills: Bool) async throws {
        var tasks: [Task<Void, Never>] = []
        for act in acts {
            if let task = try await send(act, times: 1) { tasks.append(task) }
        }
        guard kills else {
            for task in tasks { await task.wait(atMost: Self.patience) }
            return
        }
        // Some are answered, some are written without an answer, and some are not written.
        if let first = tasks.first { await first.wait(atMost: Self.patience) }
        try await kill()
    }

    /// Sends acts while the gateway is stopped: their answers are late.
    func whileStopped(_ acts: [PeopleAct], _ duration: Duration) async throws {
        try await settle()
        gateway.process.pause()
        for act in acts { _ = try await send(act, times: 1, settles: false) }
        try await Task.sleep(for: duration)
        gateway.process.resume()
    }

    /// Sends an act, after those without an answer that concern the same people.
    ///
    /// - Parameter settles: waits for those; otherwise the act is left out.
    /// - Returns: ends with the answer; `nil` for an act that is left out.
    private func send(_ act: PeopleAct, times: Int, settles: Bool = true) async throws -> Task<Void, Never>? {
        if pending.contains(where: { !$0.people.isDisjoint(with: act.people) }) {
            guard settles else { return nil }
            try await settle()
        }
        let call = call(act)
        let expected = model.perform(act)
        if expected == .signedOut {
            guard refusedTokens < 3 else { return nil }
            refusedTokens += 1
        }
        note(act, expected)
        record.acts += 1
        // A second request of an erasure may find the token that is being deleted.
        var copies = times
        if case .erase = act { copies = 1 }
        let task = Task { [copies] in
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<copies { group.addTask { await self.carryOut(act, call, expected, isCopied: copies > 1) } }
            }
        }
        pending.append((act.people, task))
        return task
    }

    private func note(_ act: PeopleAct, _ expected: PeopleModel.Answer) {
        guard expected == .done else { return }
        switch act {
        case .erase: backup = nil
        case .suspend(let person): suspendedEver.insert(person)
        default: break
        }
    }

    private func call(_ act: PeopleAct) -> Call {
        func toward(_ own: Int, _ other: Int, _ method: HTTPMethod, _ path: (String) -> String) -> Call {
            Call(method: method, path: path(model.people[other].username), body: nil, client: people[own])
        }
        func change(_ own: Int, _ field: String, _ value: String) -> Call {
            let body = JSON.object([field: .string(value)]).encoded
            return Call(method: .PATCH, path: "/v1/me", body: body, client: people[own])
        }
        func suspension(_ own: Int, _ method: HTTPMethod) -> Call {
            let path = "/v1/admin/accounts/\(model.people[own].username)/suspension"
            return Call(method: method, path: path, body: nil, client: administrator)
        }
        return switch act {
        case .follow(let own, let other): toward(own, other, .PUT) { "/v1/users/\($0)/follow" }
        case .unfollow(let own, let other): toward(own, other, .DELETE) { "/v1/users/\($0)/follow" }
        case .removeFollower(let own, let other): toward(own, other, .DELETE) { "/v1/me/followers/\($0)" }
        case .accept(let own, let other): toward(own, other, .PUT) { "/v1/me/follow-requests/\($0)" }
        case .decline(let own, let other): toward(own, other, .DELETE) { "/v1/me/follow-requests/\($0)" }
        case .block(let own, let other): toward(own, other, .PUT) { "/v1/users/\($0)/block" }
        case .unblock(let own, let other): toward(own, other, .DELETE) { "/v1/users/\($0)/block" }
        case .show(let own, let audience): change(own, "profileVisibility", audience.rawValue)
        case .rename(let own, let number): change(own, "displayName", PeopleModel.displayName(number))
        case .takeUsername(let own): change(own, "username", model.otherUsername(of: own))
        case .suspend(let own): suspension(own, .PUT)
        case .reinstate(let own): suspension(own, .DELETE)
        case .erase(let own):
            Call(
                method: .DELETE, path: "/v1/me",
                body: JSON.object([
                    "username": .string(model.people[own].username), "token": .string(people[own].token ?? ""),
                ]).encoded, client: people[own])
        }
    }

    /// Sends a request until it has an answer, and compares it with the expected one.
    private nonisolated func carryOut(
        _ act: PeopleAct, _ call: Call, _ expected: PeopleModel.Answer, isCopied: Bool
    ) async {
        var isRepeated = isCopied
        let end = ContinuousClock.now.advanced(by: Self.limit)
        while ContinuousClock.now < end {
            let response = try? await call.client.send(call.method, call.path, body: call.body.map { Array($0.utf8) })
            if let response, response.status < 500, response.status != 429 {
                guard !Self.fits(response.status, expected, act, isRepeated: isRepeated) else { return }
                return await noteViolation(
                    .peopleAnswers, "\(act): \(response.status) \(response.text), expected was \(expected)")
            }
            if response == nil { await noteLostAnswer() }
            isRepeated = true
            try? await Task.sleep(for: .milliseconds(20))
        }
        await noteViolation(.acceptedEnds, "\(act): no answer")
    }

    private static func fits(
        _ status: Int, _ expected: PeopleModel.Answer, _ act: PeopleAct, isRepeated: Bool
    ) -> Bool {
        switch expected {
        case .done:
            if (200..<300).contains(status) { return true }
            // It was done by a request whose answer was lost, after which the two no longer know each other.
            guard isRepeated, act.endsAcquaintance else { return false }
            if case .erase = act { return status == 401 }
            return status == 404
        case .unknown: return status == 404
        case .signedOut: return status == 401
        }
    }
}
