import LibraryFiles
import Testing

@Suite("What follows the end of a JSON document, and damage within one line")
struct JSONEndTests {
    private static func listen(_ number: Int, title: String = "One") -> String {
        let time = 1_711_958_400 + 300 * number
        return #"{"listened_at":\#(time),"track_metadata":{"artist_name":"Ada","track_name":"\#(title) \#(number)"}}"#
    }

    private static func stream(_ hour: Int) -> String {
        #"{"endTime":"2024-04-01 0\#(hour):00","artistName":"Ada","trackName":"One","msPlayed":200000}"#
    }

    @Test(
        "Documents that were put one after another are read to the end",
        arguments: [
            "[\(stream(1)),\(stream(2))]\n[\(stream(3)),\(stream(4))]",
            "[\(stream(1)),\(stream(2))][\(stream(3)),\(stream(4))]\n",
            "[\n  \(stream(1)),\n  \(stream(2))\n]\n[\n  \(stream(3)),\n  \(stream(4))\n]\n",
            "[]\n\(listen(1))\n\(listen(2))\n\(listen(3))\n\(listen(4))\n",
            "[\(listen(1))]\n[]\n[\(listen(2)),\(listen(3))]\n\(listen(4))",
        ])
    func lists(text: String) throws {
        let file = try FileItems(text)
        #expect(file.listens.count == 4 && file.skips == [] && file.failure == nil, "\(file.items)")
    }

    @Test("Objects with lists follow one another, too, and other text after the end is listed")
    func objects() throws {
        let row = #"{"time":1711958400,"track":{"artists":["Ada"],"title":"One"}}"#
        let other = row.replacing("8400", with: "9400")
        let twice = try FileItems(#"{"scrobbles":[\#(row)],"x":{}}{"y":[1],"scrobbles":[\#(other)]}"#)
        #expect(twice.listens.count == 2 && twice.skips == [])
        for end in ["}", " nonsense", ",", "\n\n{\"scrobbles\":"] {
            let file = try FileItems(#"{"scrobbles":[\#(row)]}\#(end)"#)
            #expect(file.listens.count == 1 && file.failure == nil)
            #expect(file.skips == ["2: the text after the end of the JSON document was not read"], "\(end)")
        }
        let lists = ["P", "Q"].map { #"{"playlist":{"title":"\#($0)","track":[{"title":"A","creator":"B"}]}}"# }
        #expect(try FileItems(lists.joined(separator: "\n")).playlists.map(\.name) == ["P", "Q"])
        for text in [
            lists[0] + "x", #"{"backline":1,"tracks":[{"title":"A","artist":"B"}]}{"tracks":[]}"#,
            #"{"tracks":[{"artist":"B","album":"C","track":"A","uri":"x"}],"albums":[]}]"#,
            #"{"playlists":[{"name":"P","items":[{"track":{"trackName":"A","artistName":"B"}}]}]}{}"#,
        ] {
            let file = try FileItems(text)
            #expect(file.tracks.count == 1 && file.failure == nil)
            #expect(file.skips.count == 1 && file.skips[0].contains("after the end of the JSON document"), "\(text)")
        }
    }

    @Test(
        "Damage in a list on one line costs only its row",
        arguments: [
            listen(3) + "}", "}", String(listen(3).dropLast(2)), String(listen(3).prefix(60)), "nonsense", "{",
            "\u{0}\u{1}\u{2} garbage", listen(3, title: String(repeating: "x", count: 5_000_000)),
            listen(3).replacing("Ada", with: "Ad\\"),
        ])
    func oneLine(damaged: String) throws {
        let rows = [1, 2].map { Self.listen($0) } + [damaged] + (4...6).map { Self.listen($0) }
        let file = try FileItems("[" + rows.joined(separator: ",") + "]")
        let titles = Set(file.listens.map(\.title))
        #expect(titles.isSuperset(of: [1, 2, 4, 5, 6].map { "One \($0)" }), "\(file.skips)")
        #expect(file.skips.count >= 1 && file.failure == nil)
    }

    @Test("Zeros in a file of JSON cost only their lines")
    func zeros() throws {
        let file = try FileItems("\(Self.listen(1))\n\u{0}\u{0}garbage\n\(Self.listen(2))\n")
        #expect(file.listens.count == 2 && file.skips.count == 1)
    }

    @Test("One listen instead of a list, and no details in any form, are read")
    func oneInsteadOfAList() throws {
        #expect(try FileItems(#"{"payload":{"listens":\#(Self.listen(1))}}"#).listens.count == 1)
        let koito =
            #"{"version":"1","listens":{"listened_at":"2024-04-01T08:00:00Z","track":{"aliases":[{"alias":"One"}]},"#
            + #""artists":[{"aliases":[{"alias":"Ada"}]}]}}"#
        #expect(try FileItems(koito).listens.map(\.title) == ["One"])
        for details in [#""""#, "false", "null", "[]", "{}"] {
            let row = Self.listen(1).replacing("{\"artist_name", with: "{\"additional_info\":\(details),\"artist_name")
            #expect(try FileItems(row + "\n").listens.count == 1, "\(details)")
        }
    }
}
