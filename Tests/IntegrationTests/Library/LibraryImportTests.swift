import Foundation
import Model
import NIOHTTP1
import TestProcesses
import TestSupport
import Testing

@Suite("Importing and exporting libraries", .timeLimit(.minutes(30)))
struct LibraryImportTests {
    private func send(
        _ text: String, _ name: String, by client: APIClient, headers: [String: String] = [:]
    ) async throws -> ImportAnswer {
        let answer = try await client.send(
            .POST, "/v1/library/imports?filename=\(name)", body: Array(text.utf8), headers: headers)
        #expect(answer.status == 202, "\(answer.text)")
        let made: ImportAnswer = try answer.decode()
        #expect(answer.header("Location") == "/v1/library/imports/\(made.id)")
        return made
    }

    private struct Playlists: Decodable {
        struct Playlist: Decodable {
            var id: String
            var name: String
            var trackCount: Int
        }

        var items: [Playlist]
    }

    private func playlists(of client: APIClient) async throws -> [Playlists.Playlist] {
        try await client.get("/v1/library/playlists").decode(Playlists.self).items
    }

    private static func xml(songs: Int) -> String {
        let dicts = (1...songs).map { number in
            """
            <key>\(number)</key><dict><key>Track ID</key><integer>\(number)</integer><key>Name</key>
            <string>\(number % 100 == 0 ? "" : "Song number \(number)")</string><key>Artist</key>
            <string>Artist \(number % 50)</string><key>Persistent ID</key><string>\(String(number, radix: 16))</string></dict>
            """
        }
        let items = (1...songs).map { "<dict><key>Track ID</key><integer>\($0)</integer></dict>" }.joined()
        return """
            <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>Tracks</key><dict>\(dicts.joined())</dict>
            <key>Playlists</key><array><dict><key>Name</key><string>All of it</string>
            <key>Playlist Persistent ID</key><string>AB</string><key>Playlist Items</key><array>\(items)</array></dict>
            </array></dict></plist>
            """
    }

    @Test(
        "A file is read once although its worker is killed repeatedly, is hidden from others, and is undone completely")
    func importByKilledWorkers() async throws {
        try await LibraryInstallation.run { library in
            let ada = try await library.base.addUser()
            let bob = try await library.base.addUser("bob")
            let text = Self.xml(songs: 2_000)
            let made = try await send(text, "Library.xml", by: ada)
            let second = try await ada.send(
                .POST, "/v1/library/imports?filename=a.csv", body: Array("Title,Artist\nA,Ann\n".utf8))
            #expect(try second.status == 409 && second.problem.code == "importRunning")
            #expect(try await bob.get("/v1/library/imports/\(made.id)").status == 404)
            for rows in [100, 700, 1_300] {
                try await eventually("\(rows) rows") {
                    let one = try await ada.importAnswer(made.id)
                    return one.counts.read >= rows || one.hasEnded
                }
                try await library.killWorker()
            }
            let one = try await ada.endedImport(made.id)
            #expect(one.state == "complete" && one.kind == "appleMusicLibrary" && one.error == nil)
            #expect(one.counts == .init(read: 2_000, new: 1_980, joined: 0, skipped: 20))
            #expect(one.skipped.count == 20 && one.skipped.allSatisfy { $0.reason == "the song has no title" })
            let summary = try await ada.librarySummary()
            #expect(summary.tracks.all == 1_980 && summary.tracks.appleMusic == 1_980 && summary.playlists == 1)
            let folder = library.base.folder + "/imports"
            try await eventually("the file's end") {
                try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty
            }

            let again = try await ada.endedImport(try await send(text, "Library.xml", by: ada).id)
            #expect(again.counts == .init(read: 2_000, new: 0, joined: 1_980, skipped: 20))
            for id in [made.id, again.id] {
                #expect(try await ada.send(.DELETE, "/v1/library/imports/\(id)").status == 202)
                #expect(try await ada.endedImport(id).state == "undone")
            }
            #expect(try await ada.send(.DELETE, "/v1/library/imports/\(made.id)").status == 204)
            let left = try await ada.librarySummary()
            #expect(left.tracks.all == 0 && left.playlists == 0)
        }
    }

    @Test("The file of a waiting import is gone when the command has removed its person, and another's stays")
    func removedPerson() async throws {
        try await LibraryInstallation.run { library in
            let ada = try await library.base.addUser()
            let bob = try await library.base.addUser("bob")
            for worker in library.base.running("sync-worker") {
                worker.kill()
                try await worker.waitForEnd()
            }
            _ = try await send("Title,Artist\nGlow,Nora Vale\n", "ada.csv", by: ada)
            let kept = try await send("Title,Artist\nHarbor,Nora Vale\n", "bob.csv", by: bob)
            let folder = library.base.folder + "/imports"
            let before = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(before.count == 2)
            // The gateway's sweep of files that nobody needs cannot be what removes it.
            for gateway in library.base.running("api-gateway") {
                gateway.kill()
                try await gateway.waitForEnd()
            }
            #expect(try await library.base.command("user", "remove", "ada", "--yes").end == .exited(0))
            let after = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(after.count == 1)
            try await library.base.startGateway()
            _ = try await library.base.startWorker(.sync)
            #expect(try await bob.endedImport(kept.id).counts == .init(read: 1, new: 1, joined: 0, skipped: 0))
        }
    }

    @Test("What one person exports, another imports without loss, both as a body and as a form")
    func roundTrip() async throws {
        try await LibraryInstallation.run { library in
            try await library.fill(library.upstreams.spotify, tracks: 150, playlists: 3)
            try await library.fill(library.upstreams.appleMusic, tracks: 150, first: 60, playlists: 3)
            let ada = try await library.base.addUser()
            let bob = try await library.base.addUser("bob")
            try await library.connectAppleMusic(ada)
            try await library.connectSpotify(ada)
            try await ada.syncsEnded()
            let exported = try await ada.get("/v1/library/export?format=json")
            #expect(exported.header("Content-Disposition")?.hasPrefix("attachment;") == true)
            let text = String(decoding: exported.body, as: UTF8.self)
            let one = try await bob.endedImport(try await send(text, "library.json", by: bob).id)
            #expect(one.state == "complete" && one.kind == "backline" && one.counts.skipped == 0, "\(one)")
            for format in ["json", "csv"] {
                let (own, others) = (
                    try await ada.get("/v1/library/export?format=\(format)"),
                    try await bob.get("/v1/library/export?format=\(format)")
                )
                let (lines, otherLines) = (Self.lines(own), Self.lines(others))
                #expect(lines.count > 150 && lines == otherLines, "\(format)")
            }

            let carol = try await library.base.addUser("carol")
            let list = try #require(try await playlists(of: ada).first { $0.trackCount > 5 })
            let jspf = try await ada.get("/v1/library/playlists/\(list.id)/export?format=jspf")
            let form =
                "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.jspf\"\r\n\r\n"
                + String(decoding: jspf.body, as: UTF8.self) + "\r\n--x--\r\n"
            let sent = try await send(
                form, "a.jspf", by: carol, headers: ["Content-Type": "multipart/form-data; boundary=x"])
            let playlist = try await carol.endedImport(sent.id)
            #expect(playlist.state == "complete" && playlist.kind == "jspf", "\(playlist)")
            let copied = try #require(try await playlists(of: carol).first)
            #expect(copied.name == list.name)
            let again = try await carol.get("/v1/library/playlists/\(copied.id)/export?format=jspf")
            #expect(Self.lines(again) == Self.lines(jspf))
        }
    }

    /// The lines of a file, sorted: files are ordered by the keys of rows, which differ between libraries.
    private static func lines(_ answer: APIResponse) -> [String] {
        String(decoding: answer.body, as: UTF8.self).split(whereSeparator: \.isNewline)
            .map { $0.hasSuffix(",") ? String($0.dropLast()) : String($0) }.sorted()
    }
}
