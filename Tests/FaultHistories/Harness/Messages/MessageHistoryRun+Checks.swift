import Foundation
import TestProcesses
import TestSupport

/// The devices, and the comparison of what they and the pages show with what was sent.
extension MessageHistoryRun {
    // MARK: Devices

    /// Applies what has arrived at the open devices, and opens their streams again where they ended, as an app does.
    func tendDevices() async throws {
        for person in people.indices {
            try applyEvents(of: person)
            guard isUp else { continue }
            if online[person].stream?.hasEnded ?? true { try await openStream(of: person) }
            if online[person].needsPages, let pages = try? await pages(of: person) {
                online[person].device.replace(by: pages)
                online[person].needsPages = false
            }
        }
    }

    private func openStream(of person: Int) async throws {
        try applyEvents(of: person)
        // The gateway may have been killed.
        guard let stream = try? await EventStream.open(people[person], lastEventID: online[person].position) else {
            return
        }
        (online[person].stream, online[person].applied) = (stream, 0)
        if let position = online[person].position, position.hasSuffix("."),
            let number = Int(position.split(separator: "-").last?.dropLast() ?? "")
        {
            online[person].device.resume(within: number)
        }
    }

    private func applyEvents(of person: Int) throws {
        guard let stream = online[person].stream else { return }
        let events = stream.events
        for event in events.dropFirst(online[person].applied) {
            if event.name == "reset" {
                online[person].device.reset()
                online[person].needsPages = true
            } else {
                try online[person].device.apply(event)
            }
        }
        online[person].applied = events.count
        online[person].position = stream.position ?? online[person].position
    }

    /// Makes an offline device read what has changed, if the gateway runs.
    ///
    /// - Returns: whether it knows everything.
    @discardableResult
    func wake(_ person: Int) async throws -> Bool {
        guard isUp else { return false }
        let query = offline[person].since.map { "&since=\($0)" } ?? ""
        guard let response = try? await people[person].get("/v1/changes?kinds=message,thread" + query),
            response.status == 200, let read = try offline[person].device.read(response.body)
        else { return false }
        offline[person].since = read.since
        guard read.mustReset else { return true }
        offline[person].device.reset()
        guard let pages = try? await pages(of: person) else {
            offline[person].since = nil
            return false
        }
        offline[person].device.replace(by: pages)
        return true
    }

    private struct Page: Decodable {
        var items: [MessageDevice.Message]
        var nextCursor: String?
    }

    /// The messages of a thread, the newest first.
    private func messages(of thread: String, seenBy person: Int) async throws -> [MessageDevice.Message] {
        var (messages, cursor): ([MessageDevice.Message], String?) = ([], nil)
        repeat {
            let query = cursor.map { "&cursor=\($0)" } ?? ""
            let response = try await people[person].get("/v1/threads/\(thread)/messages?limit=3\(query)")
            let page = try response.decode(Page.self)
            messages += page.items
            cursor = page.nextCursor
        } while cursor != nil && messages.count < 10_000
        return messages
    }

    private func pages(of person: Int) async throws -> [MessageDevice.Message] {
        var all: [MessageDevice.Message] = []
        for (pair, thread) in threads where pair.contains(person) {
            all += try await messages(of: thread, seenBy: person)
        }
        return all
    }

    // MARK: Comparing

    func check() async throws {
        try await settle()
        try await tendDevices()
        record.checks += 1
        for (pair, thread) in threads {
            let expected = sent[pair] ?? []
            for person in pair.sorted() {
                let found = try await messages(of: thread, seenBy: person)
                compareOrder(Array(found.reversed()), expected, seenBy: person)
            }
        }
        for person in people.indices {
            await compareOpenDevice(of: person)
            if try await wake(person) {
                compare(offline[person].device, of: person)
            } else {
                note(.devices, "the changes of \(person) could not be read")
            }
        }
    }

    private func text(_ number: Int) -> String { deleted.contains(number) ? "deleted" : "Text \(number)" }

    /// Texts, and `deleted` for messages without one.
    private static func shown(_ message: MessageDevice.Message) -> String { message.text ?? message.state }

    private func compareOrder(_ found: [MessageDevice.Message], _ expected: [SentText], seenBy person: Int) {
        let wanted = expected.map { text($0.number) }
        let seen = found.map { Self.shown($0) }
        let report = "\(person) sees \(seen), sent were \(wanted) (comparison \(record.checks))"
        if let rule = Self.brokenRule(seen: seen, numbers: found.map(\.number), sent: wanted) { note(rule, report) }
    }

    /// The rule that a page of messages breaks.
    ///
    /// - Parameters:
    ///   - seen: what the page shows, the oldest first.
    ///   - numbers: those of the messages that it shows.
    ///   - sent: what it should show, in the order in which it was sent.
    static func brokenRule(seen: [String], numbers: [Int], sent: [String]) -> Violation.Rule? {
        if seen.sorted() != sent.sorted() { return .messagesOnce }
        return seen == sent && numbers == numbers.sorted() ? nil : .messageOrder
    }

    /// Waits until the device with the stream knows everything.
    private func compareOpenDevice(of person: Int) async {
        do {
            try await eventually("the open device of \(person)", within: .seconds(30)) { @Sendable in
                try await self.isOpenDeviceCurrent(of: person)
            }
        } catch {
            compare(online[person].device, of: person)
        }
        for complaint in online[person].device.complaints { note(.changesOnce, complaint) }
    }

    private func isOpenDeviceCurrent(of person: Int) async throws -> Bool {
        try await tendDevices()
        return !online[person].needsPages && differences(online[person].device, of: person) == nil
    }

    private func compare(_ device: MessageDevice, of person: Int) {
        if let difference = differences(device, of: person) { note(.devices, difference) }
        for complaint in device.complaints { note(.changesOnce, complaint) }
    }

    /// In what a device differs from what was sent; `nil` if in nothing.
    private func differences(_ device: MessageDevice, of person: Int) -> String? {
        for (pair, thread) in threads where pair.contains(person) {
            let found = device.messages.values.filter { $0.threadId == thread }.sorted { $0.number < $1.number }
            let wanted = (sent[pair] ?? []).map { text($0.number) }
            let seen = found.map { Self.shown($0) }
            if seen != wanted { return "\(device.name) shows \(seen), sent were \(wanted)" }
        }
        return nil
    }
}
