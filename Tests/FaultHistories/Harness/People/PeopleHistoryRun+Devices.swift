import Foundation
import TestProcesses
import TestSupport

/// The devices: what they read, and when.
extension PeopleHistoryRun {
    /// Applies what has arrived at the open devices, and opens their streams again where they ended, as an app does.
    func tendDevices() async throws {
        for person in people.indices {
            try applyEvents(of: person)
            guard isUp, model.isActive(person), !hasPendingAct(of: person) else { continue }
            if online[person].stream?.hasEnded ?? true { try await openStream(of: person) }
            if online[person].needsLists, let pages = try? await Self.lists(people[person]) {
                online[person].device.apply(pages, resets: online[person].device.resets)
                online[person].needsLists = false
            }
        }
    }

    private func hasPendingAct(of person: Int) -> Bool { pending.contains { $0.people.contains(person) } }

    private func openStream(of person: Int) async throws {
        // What arrived before the end is applied.
        try applyEvents(of: person)
        // The gateway may have been killed, or may not know the token at this moment.
        guard let stream = try? await EventStream.open(people[person], lastEventID: online[person].position) else {
            return
        }
        (online[person].stream, online[person].applied) = (stream, 0)
        if let position = online[person].position, position.hasSuffix("."),
            let number = Int(position.split(separator: "-").last?.dropLast() ?? "")
        {
            online[person].device.resume(within: number)
        }
        try applyEvents(of: person)
    }

    func applyEvents(of person: Int) throws {
        guard let stream = online[person].stream else { return }
        // Those that come in between are applied the next time.
        let events = stream.events
        for event in events.dropFirst(online[person].applied) {
            if event.name == "reset" {
                online[person].device.reset()
                online[person].needsLists = true
            } else if let change = try PersonDevice.Change(event) {
                online[person].device.apply(change)
            }
        }
        online[person].applied = events.count
        online[person].position = stream.position ?? online[person].position
    }

    // MARK: Lists

    /// Begins to read the lists of an open device. They are applied when they arrive, between whatever events.
    func beginReading(_ person: Int) {
        guard isUp, model.isActive(person) else { return }
        let (client, resets) = (people[person], online[person].device.resets)
        reads.append(
            Task {
                guard let pages = try? await Self.lists(client) else { return }
                self.arrived(pages, at: person, resets: resets)
            })
    }

    private func arrived(_ pages: [PersonDevice.Page], at person: Int, resets: Int) {
        // Who is suspended meanwhile gets an empty list or none, and is signed out.
        guard model.isActive(person), !suspendedEver.contains(person) else { return }
        online[person].device.apply(pages, resets: resets)
    }

    /// The lists of those whom a person follows and who follow the person.
    static func lists(_ client: APIClient) async throws -> [PersonDevice.Page] {
        try await pages("/v1/me/following", client) + pages("/v1/me/followers", client)
    }

    /// All pages of a list, which are short, so that acts come between them.
    static func pages(_ path: String, _ client: APIClient) async throws -> [PersonDevice.Page] {
        var pages: [PersonDevice.Page] = []
        var cursor: String?
        repeat {
            let allowed = CharacterSet.alphanumerics
            let next = cursor?.addingPercentEncoding(withAllowedCharacters: allowed).map { "&cursor=\($0)" } ?? ""
            let response = try await client.get("\(path)?limit=2\(next)")
            guard response.status == 200 else {
                throw UnexpectedAnswer(description: "\(path): \(response.status) \(response.text)")
            }
            let page = try response.decode(PersonDevice.Page.self)
            pages.append(page)
            cursor = page.nextCursor
        } while cursor != nil && pages.count < 100
        return pages
    }

    // MARK: Changes since a position

    /// Makes an offline device read what has changed, if the gateway runs.
    ///
    /// - Returns: whether it knows everything.
    @discardableResult
    func wake(_ person: Int) async throws -> Bool {
        guard isUp, model.isActive(person) else { return false }
        let since = offline[person].since
        // Every second one asks for all kinds.
        var query = person % 2 == 0 ? ["kinds=person"] : []
        if let since { query.append("since=\(since)") }
        let suffix = query.isEmpty ? "" : "?" + query.joined(separator: "&")
        guard let response = try? await people[person].get("/v1/changes" + suffix), response.status == 200 else {
            return false
        }
        guard let read = try offline[person].device.read(response.body, since: since) else { return false }
        offline[person].since = read.since
        if read.mustReset {
            offline[person].device.reset()
            offline[person].needsLists = true
        }
        if offline[person].needsLists {
            guard let pages = try? await Self.lists(people[person]) else { return false }
            offline[person].device.apply(pages, resets: offline[person].device.resets)
            offline[person].needsLists = false
        }
        return true
    }
}
