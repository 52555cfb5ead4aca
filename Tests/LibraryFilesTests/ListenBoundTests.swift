import Foundation
import LibraryFiles
import Model
import Testing

@Suite("Limits on listens in files")
struct ListenBoundTests {
    private func listens(_ text: String) throws -> (listens: [FileListen], skips: [String]) {
        let file = try FileItems(text)
        let listens = file.items.compactMap { item -> FileListen? in
            if case .listen(let listen, _) = item { listen } else { nil }
        }
        return (listens, file.skips)
    }

    @Test("A listen more than a day in the future is skipped with the reason, and one of today is read")
    func listensInTheFuture() throws {
        let now = Timestamp.now()
        let times = [-60, 3_600, 2 * 86_400, 60 * 365 * 86_400].map { now.advanced(by: .seconds($0)).description }
        let rows = times.map { "\($0),X,Y\n" }.joined()
        let found = try listens("listened_at,title,artist\n" + rows)
        #expect(found.listens.map(\.time.description) == Array(times.prefix(2)))
        #expect(found.skips == [4, 5].map { "\($0): its time is more than a day in the future" })
    }

    @Test("Names of programs are truncated; overlong ids, and details beyond 64 KiB, are dropped")
    func lengthsOfTexts() throws {
        let long = String(repeating: "x", count: 70_000)
        let line = #"""
            {"listened_at":1635000000,"track_metadata":{"track_name":"X","artist_name":"Y","additional_info":\#
            {"submission_client":"\#(long)","isrc":"\#(long)","spotify_id":"\#(long)","note":"\#(long)"}}}
            """#
        let listen = try #require(try listens(line + "\n").listens.first)
        #expect(listen.client?.utf8.count == 100)
        #expect(listen.isrc == nil && listen.spotifyID == nil && listen.details == nil)
    }
}
