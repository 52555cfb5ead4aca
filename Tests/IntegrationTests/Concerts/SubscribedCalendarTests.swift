import Foundation
import Model
import TestProcesses
import TestSupport
import Testing

/// From a change at Ticketmaster to the calendars of people's programs.
@Suite("Calendars to which programs subscribe", .timeLimit(.minutes(20)))
struct SubscribedCalendarTests {
    private struct Address: Decodable, Sendable {
        var url: String

        /// The path, and the secret in it.
        var parts: (path: String, secret: String) {
            get throws {
                let prefix = try #require(url.firstRange(of: "/v1/calendar/"))
                return (String(url[prefix.lowerBound...]), String(url[prefix.upperBound...].dropLast(4)))
            }
        }
    }

    /// The lines of a show's entry; empty without one.
    private static func entry(_ show: String, _ path: String, _ reader: APIClient) async throws -> [String] {
        let response = try await reader.get(path)
        #expect(response.status == 200 && response.header("Content-Type") == "text/calendar; charset=utf-8")
        let text = String(decoding: response.body, as: UTF8.self).replacing("\r\n ", with: "")
        return text.components(separatedBy: "BEGIN:VEVENT").first { $0.contains("UID:ticketmaster-\(show)@") }?
            .components(separatedBy: "\r\n") ?? []
    }

    /// Makes everything that is watched due again, with answers that are no longer fresh.
    private static func refresh(_ concerts: ConcertInstallation) async throws {
        try await concerts.age(byHours: 25)
        try await concerts.base.withDatabase { database in
            try await database.write { try $0.run("UPDATE concert_refreshes SET next_at = 0") }
        }
    }

    @Test("A show that is found, moves and is cancelled is one entry, also after a crash, and no log has the secret")
    func lifeOfAnEntry() async throws {
        try await ConcertInstallation.run { concerts in
            let ada = try await concerts.addUser("ada")
            try await ada.rank(["Coldplay"])
            let show = try await concerts.upstream.announce("Coldplay", in: "Kathmandu", inDays: 40)
            let (path, secret) = try await ada.post("/v1/me/calendar", #"{"places":"anywhere"}"#)
                .decode(Address.self).parts
            let program = ada.visitor
            // Nobody has opened a feed: the address alone has the artist looked up.
            let first = try await eventually("the show in the calendar") {
                let entry = try await Self.entry(show.id, path, program)
                return entry.isEmpty ? nil : entry
            }
            #expect(first.contains("SEQUENCE:0") && first.contains("STATUS:CONFIRMED"))
            #expect(first.contains { $0.hasPrefix("DTSTART;TZID=Asia/Kathmandu:") && $0.hasSuffix("T200000") })

            func changed(to status: String, sequence: Int) async throws -> [String] {
                try await Self.refresh(concerts)
                return try await eventually("\(status) in the calendar") {
                    let entry = try await Self.entry(show.id, path, program)
                    return entry.contains("SEQUENCE:\(sequence)") && entry.contains("STATUS:\(status)") ? entry : nil
                }
            }
            try await concerts.upstream.move(show.id, inDays: 60)
            let moved = try await changed(to: "CONFIRMED", sequence: 1)
            #expect(moved.first { $0.hasPrefix("DTSTART") } != first.first { $0.hasPrefix("DTSTART") })
            for gateway in concerts.base.running("api-gateway") {
                gateway.kill()
                try await gateway.waitForEnd()
            }
            try await concerts.base.startGateway()
            try await concerts.base.connected(workers: 1)
            #expect(try await Self.entry(show.id, path, program) == moved)
            try await concerts.upstream.cancel(show.id)
            _ = try await changed(to: "CANCELLED", sequence: 2)

            let head = try await program.send(.HEAD, path)
            #expect(head.status == 200 && head.body.isEmpty && head.header("ETag") != nil)
            #expect(try await program.send(.POST, path).status == 405)
            #expect(try await program.get("/v1/calendar/\(secret)").status == 404)
            #expect(try await ada.send(.DELETE, "/v1/me/calendar").status == 204)
            #expect(try await program.get(path).status == 404)
            for process in concerts.base.running("api-gateway") + concerts.base.running("concert-worker") {
                #expect(!(process.output.lines + process.errors.lines).contains { $0.contains(secret) })
            }
        }
    }
}
