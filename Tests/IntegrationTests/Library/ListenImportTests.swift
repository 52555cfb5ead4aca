import Foundation
import NIOHTTP1
import TestProcesses
import TestSupport
import Testing

@Suite("Importing and exporting listens", .timeLimit(.minutes(30)))
struct ListenImportTests {
    private struct Page: Decodable {
        struct Item: Decodable, Equatable {
            var listenedAt: String
            var title: String
            var artist: String
            var album: String?
            var durationPlayedMs: Int?
        }

        var items: [Item]
        var total: Int
        var nextCursor: String?
    }

    private func begin(_ bytes: [UInt8], by client: APIClient, query: String = "") async throws -> ImportAnswer {
        let answer = try await client.send(.POST, "/v1/library/imports?filename=history\(query)", body: bytes)
        #expect(answer.status == 202, "\(answer.text)")
        return try answer.decode()
    }

    private func listens(of client: APIClient) async throws -> [Page.Item] {
        var (items, cursor) = ([Page.Item](), String?.none)
        repeat {
            let place = cursor.map { "&cursor=\($0)" } ?? ""
            let page: Page = try await client.get("/v1/listening/listens?limit=200\(place)").decode()
            items += page.items
            cursor = page.nextCursor
        } while cursor != nil
        return items
    }

    private static func history(rows: Int) -> [UInt8] {
        let rows = (0..<rows).map { number -> String in
            let minute = number * 4
            let day = String(format: "%02d", minute / 1_440 % 28 + 1)
            let month = String(format: "%02d", minute / 1_440 / 28 + 1)
            let time = String(format: "%02d:%02d:07", minute / 60 % 24, minute % 60)
            let isPrivate = number % 50 == 0
            let played = number % 10 == 1 ? 1_500 : 180_123
            return """
                {"ts":"2024-\(month)-\(day)T\(time)Z","ms_played":\(played),"ip_addr":"192.0.2.77","conn_country":"XK",
                "master_metadata_track_name":"Song, number \(number % 300)","master_metadata_album_artist_name":
                "Artist \(number % 40)","master_metadata_album_album_name":"Album","spotify_track_uri":
                "spotify:track:id\(number % 300)","incognito_mode":\(isPrivate)}
                """
        }
        return Array(("[" + rows.joined(separator: ",\n") + "]").utf8)
    }

    @Test(
        "A history is read once although its worker is killed, adds nothing twice, is undone, and exports without loss")
    func importByKilledWorkers() async throws {
        try await LibraryInstallation.run { library in
            let ada = try await library.base.addUser()
            let bob = try await library.base.addUser("bob")
            let file = Self.history(rows: 6_000)
            let made = try await begin(file, by: ada)
            for rows in [250, 2_000, 4_000] {
                try await eventually("\(rows) rows") {
                    let one = try await ada.importAnswer(made.id)
                    return one.counts.read >= rows || one.state == "complete"
                }
                try await library.killWorker()
            }
            let one = try await ada.endedImport(made.id)
            // A tenth of the plays are short, and a fiftieth are private.
            #expect(one.state == "complete" && one.kind == "spotifyHistory", "\(one)")
            #expect(one.counts == .init(read: 6_000, new: 5_280, joined: 0, skipped: 720))
            #expect(one.message == nil)
            let all = try await listens(of: ada)
            #expect(all.count == 5_280 && Set(all.map(\.listenedAt)).count == 5_280)
            #expect(all.last?.title == "Song, number 2" && all.last?.durationPlayedMs == 180_123)
            #expect(try await listens(of: bob) == [])

            let again = try await ada.endedImport(try await begin(file, by: ada).id)
            #expect(again.counts == .init(read: 6_000, new: 0, joined: 5_280, skipped: 720))
            #expect(again.message == "Everything in the file was already known or was skipped. Nothing was added.")
            let whole = try await ada.endedImport(try await begin(file, by: ada, query: "&private=true").id)
            #expect(whole.counts == .init(read: 6_000, new: 120, joined: 5_280, skipped: 600))
            let complete = try await listens(of: ada)

            for format in ["jsonl", "csv"] {
                let exported = try await ada.get("/v1/listening/export?format=\(format)")
                #expect(exported.status == 200)
                for secret in ["192.0.2.77", "\"XK\"", "user_name"] {
                    #expect(!exported.text.contains(secret), "\(format)")
                }
                let copied = try await bob.endedImport(try await begin(Array(exported.body), by: bob).id)
                #expect(copied.counts.new == complete.count && copied.counts.skipped == 0, "\(format): \(copied)")
                #expect(try await listens(of: bob) == complete, "\(format)")
                let twice = try await ada.endedImport(try await begin(Array(exported.body), by: ada).id)
                #expect(twice.counts.new == 0, "\(format): \(twice)")
                for id in [copied.id] {
                    #expect(try await bob.send(.DELETE, "/v1/library/imports/\(id)").status == 202)
                    #expect(try await bob.endedImport(id).state == "undone")
                }
                #expect(try await listens(of: bob) == [])
            }
        }
    }
}
