import LibraryFiles
import Testing

@Suite("Histories whose first row is damaged")
struct DamagedStartTests {
    private static let listenBrainz = (1...3).map {
        #"{"listened_at":171195840\#($0),"track_metadata":{"track_name":"\#($0)","artist_name":"Ada"}}"#
    }
    private static let spotify = (1...3).map {
        #"{"ts":"2025-04-28T21:0\#($0):35Z","ms_played":90000,"master_metadata_track_name":"\#($0)","#
            + #""master_metadata_album_artist_name":"Ada","incognito_mode":false}"#
    }
    private static let accountData = (1...3).map {
        "  {\n    \"endTime\" : \"2024-10-10 07:5\($0)\",\n    \"artistName\" : \"Ada\",\n    \"trackName\" : \"\($0)\",\n"
            + "    \"msPlayed\" : 90000\n  }"
    }

    private func expectRest(_ text: String, _ kind: LibraryFileKind, skips: Int = 1) throws {
        let file = try FileItems(text)
        #expect(file.kind == kind && file.failure == nil, "\(file.failure ?? "")")
        #expect(file.listens.map(\.title) == ["1", "2", "3"], "\(text.prefix(80))")
        #expect(file.tracks == [])
        #expect(file.skips.count == skips && file.skips.first?.hasPrefix("1: ") == true, "\(file.skips)")
    }

    @Test(
        "A first line that breaks off, or is the end of a row of another file, costs only itself",
        arguments: [
            #"{"listened_at":17119584,"track_meta"#, #"{"listened_at":17119584,"#, #"{"listened_at":"#, "{",
            #"d_metadata":{"track_name":"0","artist_name":"Ada"}}"#, "oops", #"{"a":{"b":[{"c":1"#,
            #"Ada"},"title":"x","artist":"y"}"#, #", "artist_name":"Ada"}}"#,
        ])
    func damagedFirstLine(damage: String) throws {
        try expectRest(([damage] + Self.listenBrainz).joined(separator: "\n"), .listenBrainz)
        try expectRest(([damage] + Self.spotify).joined(separator: "\r\n") + "\r\n", .spotifyHistory)
    }

    @Test(
        "A damaged first element of a list costs only itself, whether each element has its line or not",
        arguments: [
            #"{"ts":"2025-04-28T20:00:00Z","ms_pl"#, #"{"ts":"2025-04-28T20:00:00Z","ms_played":90000,"x":"y"#,
            #"{"ts":"2025-04-28T20:00:00Z","ms_played":90000,"#, #"{"ts":2025-04-28T20:00:00Z}"#, "{'a':1}",
            #"{"ts":"2025-04-28T20:00:00Z,"ms_played":90000}"#,
        ])
    func damagedFirstElement(damage: String) throws {
        let rows = Self.spotify.joined(separator: ",\n")
        try expectRest("[\n\(damage)\n\(rows)\n]", .spotifyHistory)
        let comma = damage.hasSuffix(",") ? "" : ","
        try expectRest("[\(damage)\(comma)\(Self.spotify.joined(separator: ","))]", .spotifyHistory)
    }

    @Test("A damaged element whose values have a line each costs only itself")
    func damagedElementsOfSeveralLines() throws {
        let rows = Self.accountData.joined(separator: ",\n")
        for damage in ["  {\n    \"endTime\" : \"2024-10-10 07:5", "  {\n    \"endTime\" : ", "  {\n    \"endT"] {
            try expectRest("[\n\(damage)\n\(rows)\n]", .spotifyAccountData)
        }
    }

    @Test("The lists in the objects of other programs are read past their first element, too")
    func listsInObjects() throws {
        let maloja = (1...3).map { #"{"time":171195840\#($0),"track":{"artists":["Ada"],"title":"\#($0)"}}"# }
        try expectRest("{\"scrobbles\":[\n{\"time\":17119,\"tra\n\(maloja.joined(separator: ",\n"))\n]}", .maloja)
        let oneLine = maloja.joined(separator: ",")
        try expectRest("{\"status\":\"ok\",\"list\":[{\"time\":17119,\"tra},\(oneLine)]}", .maloja)
        let stats = (1...3).map { #"{"track":"\#($0)","artist":"Ada","album":"LP","date":171195840\#($0)000}"# }
        try expectRest("{\"scrobbles\":[\n{\"tra\n\(stats.joined(separator: ",\n"))\n]}", .lastfm)
    }

    @Test("Texts that look like the ends of elements do not divide them")
    func textsThatLookLikeEnds() throws {
        let row = #"{"listened_at":1711958400,"track_metadata":{"track_name":"a},{ b","artist_name":"}, {"}}"#
        let file = try FileItems("[\(row),\(row)]")
        #expect(file.listens.map(\.title) == ["a},{ b", "a},{ b"] && file.skips == [])
    }

    @Test("A file without rows of a known form is refused as before")
    func filesWithoutKnownRows() {
        for text in ["{\"a\":\n{\"b\":1}\n{\"b\":2}", "oops\n{\"b\":1}\n", "{\"a\":\"b\n[1,2]\n"] {
            #expect(throws: LibraryFileError.self) { try FileItems(text) }
        }
    }

    @Test("Only the beginning of a damaged file is searched for rows")
    func boundOfTheSearch() throws {
        let rows = Self.listenBrainz.joined(separator: "\n")
        let late = "{\"a\n" + String(repeating: "{\"b\":1}\n", count: 40_000) + rows
        #expect(throws: LibraryFileError.self) { try FileItems(late) }
    }
}
