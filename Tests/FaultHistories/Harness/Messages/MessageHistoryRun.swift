import Accounts
import Foundation
import TestProcesses
import TestSupport

/// Plays a history of messages on a real gateway.
actor MessageHistoryRun {
    /// How long a step waits for an answer before the next one begins without it.
    static let patience = Duration.milliseconds(400)
    /// The time in which everything must end. Nothing takes nearly as long.
    static let limit = Duration.seconds(120)

    let history: MessageHistory
    let installation: Installation
    let people: [APIClient]
    /// The ids of the threads, by their two people.
    var threads: [Set<Int>: String] = [:]
    private let port: PortReservation
    private var gateway: ChildProcess
    private var isKilled = false
    private var clock: WallClock
    var record = MessageRecord()
    /// What was sent in each thread, in order.
    private(set) var sent: [Set<Int>: [SentText]] = [:]
    /// The messages as their senders' answers had them, by the numbers of the texts.
    private(set) var answers: [Int: MessageDevice.Message] = [:]
    private(set) var deleted: Set<Int> = []
    /// The requests without an answer so far.
    private var pending: [(pair: Set<Int>, task: Task<Void, Never>)] = []
    var online: [OnlineDevice]
    var offline: [(device: MessageDevice, since: String?)]

    /// A device with an event stream.
    struct OnlineDevice {
        var device: MessageDevice
        var stream: EventStream?
        /// The number of events of the stream that have been applied.
        var applied = 0
        /// For `Last-Event-ID`.
        var position: String?
        var needsPages = true
    }

    /// Plays a history until everything in it has ended.
    ///
    /// - Throws: an error of the harness itself, such as a process that does not start.
    static func record(_ history: MessageHistory) async throws -> MessageRecord {
        let installation = try Installation(environment: ["BACKLINE_LOG_FORMAT": "json"])
        return try await InstallationsUnderWay.with(installation) {
            try await MessageHistoryRun(history, on: installation).play()
        }
    }

    private init(_ history: MessageHistory, on installation: Installation) async throws {
        self.history = history
        self.installation = installation
        clock = try WallClock(path: "\(installation.folder)/clock")
        installation.configure(["BACKLINE_TEST_CLOCK_OFFSET_FILE": clock.path])
        let tokens = try await installation.withDatabase { database in
            try await database.migrate()
            let accounts = Accounts(database: database)
            var tokens: [APIToken] = []
            for person in 0..<MessageHistory.people {
                tokens.append(try await accounts.addUser(name: "person_\(person)"))
            }
            return tokens
        }
        port = try PortReservation()
        gateway = try await installation.startGateway(environment: ["BACKLINE_HTTP_PORT": "\(port.port)"])
        people = tokens.map { token in
            var client = installation.visitor
            client.token = token.secret.reveal()
            return client
        }
        online = people.indices.map { OnlineDevice(device: MessageDevice(name: "the open device of \($0)")) }
        offline = people.indices.map { (MessageDevice(name: "the offline device of \($0)"), nil) }
    }

    private func play() async throws -> MessageRecord {
        try await befriend()
        try await tendDevices()
        for operation in history.operations {
            try await perform(operation)
            try await tendDevices()
        }
        try await check()
        for device in online { device.stream?.close() }
        record.changes += (online.map(\.device) + offline.map(\.device)).map(\.changes).reduce(0, +)
        try await kill()
        return record
    }

    private func befriend() async throws {
        for own in people.indices {
            for other in people.indices where other != own {
                let follow = try await people[own].send(.PUT, "/v1/users/person_\(other)/follow")
                guard follow.status == 200 else { throw UnexpectedAnswer(description: "a follow: \(follow.status)") }
            }
        }
        for own in people.indices {
            for other in people.indices where other > own {
                let opened = try await people[own].send(.PUT, "/v1/users/person_\(other)/thread")
                threads[[own, other]] = try opened.decode(JSON.self)["id"]?.text
            }
        }
    }

    // MARK: The gateway

    var isUp: Bool { gateway.isRunning && !isKilled }

    private func kill() async throws {
        guard gateway.isRunning else { return }
        isKilled = true
        gateway.kill()
        try await gateway.waitForEnd()
    }

    func start() async throws {
        if isUp { return }
        let end = try await gateway.waitForEnd()
        if !isKilled {
            record.note(.processesLive, "the gateway ended (\(end)): \(gateway.errors.lines.suffix(3))")
        }
        isKilled = false
        gateway = try await installation.startGateway(environment: ["BACKLINE_HTTP_PORT": "\(port.port)"])
    }

    // MARK: Steps

    private func perform(_ operation: MessageOperation) async throws {
        switch operation {
        case .send(let text): await (try await send(text)).wait(atMost: Self.patience)
        case .sendOnBothDevices(let text): await (try await send(text, times: 2)).wait(atMost: Self.patience)
        case .burst(let texts, let kills):
            var tasks: [Task<Void, Never>] = []
            for text in texts { tasks.append(try await send(text)) }
            guard kills else {
                for task in tasks { await task.wait(atMost: Self.patience) }
                return
            }
            // Some are answered, some are written without an answer, and some are not written.
            if let first = tasks.first { await first.wait(atMost: Self.patience) }
            try await kill()
        case .delete(let number): try await delete(number)
        case .wake(let person): try await wake(person)
        case .disconnect(let person): online[person].stream?.close()
        case .kill: try await kill()
        case .start: try await start()
        case .setClock(let days): try clock.set(offsetSeconds: days * 86_400)
        case .check: try await check()
        case .pause(let milliseconds): try await Task.sleep(for: .milliseconds(milliseconds))
        }
    }

    /// Waits until every request has its answer, with a gateway that runs.
    func settle() async throws {
        try await start()
        for one in pending { await one.task.value }
        pending = []
    }

    /// Sends a message, after those of its thread without an answer.
    ///
    /// - Parameter times: how often the same request is sent at once.
    private func send(_ text: SentText, times: Int = 1) async throws -> Task<Void, Never> {
        if pending.contains(where: { $0.pair == text.pair }) { try await settle() }
        record.sent += 1
        sent[text.pair, default: []].append(text)
        let (client, thread) = (people[text.from], threads[text.pair] ?? "")
        let task = Task {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<times { group.addTask { await self.deliver(text, in: thread, by: client) } }
            }
        }
        pending.append((text.pair, task))
        return task
    }

    /// Sends a request until it has an answer.
    private nonisolated func deliver(_ text: SentText, in thread: String, by client: APIClient) async {
        let path = "/v1/threads/\(thread)/messages/\(text.clientID)"
        let body = Array(#"{"text":"\#(text.text)"}"#.utf8)
        let end = ContinuousClock.now.advanced(by: Self.limit)
        while ContinuousClock.now < end {
            let response = try? await client.send(.PUT, path, body: body)
            if let response, [200, 201].contains(response.status),
                let message = try? response.decode(MessageDevice.Message.self)
            {
                return await arrived(message, of: text)
            }
            if let response, response.status < 500, response.status != 429 {
                return await note(.messagesOnce, "\(text.number) is answered with \(response.status) \(response.text)")
            }
            if response == nil { await noteLostAnswer() }
            try? await Task.sleep(for: .milliseconds(20))
        }
        await note(.acceptedEnds, "\(text.number) has no answer")
    }

    private func arrived(_ message: MessageDevice.Message, of text: SentText) {
        if let known = answers[text.number], known.id != message.id {
            note(.messagesOnce, "\(text.number) was answered with \(known.id) and \(message.id)")
        }
        answers[text.number] = message
    }

    private func delete(_ number: Int) async throws {
        try await settle()
        guard let message = answers[number], let text = sent.values.joined().first(where: { $0.number == number })
        else { return }
        deleted.insert(number)
        let path = "/v1/threads/\(message.threadId)/messages/\(message.id)"
        let response = try await people[text.from].send(.DELETE, path)
        if response.status != 204 { note(.messagesOnce, "deleting \(number) is answered with \(response.status)") }
    }

    func note(_ rule: Violation.Rule, _ text: String) { record.note(rule, text) }

    private func noteLostAnswer() { record.lostAnswers += 1 }
}
