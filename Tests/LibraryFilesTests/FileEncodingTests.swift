import Foundation
import LibraryFiles
import Testing

@Suite("Encodings of files")
struct FileEncodingTests {
    private static let texts = [
        "title,artist\nÄ one,Ann\nB,Bob 🎵\n", #"[{"title":"Ä one","artist":"Ann"},{"title":"B","artist":"Bob 🎵"}]"#,
        #"{"playlist":{"title":"P","track":[{"title":"Ä one","creator":"Ann"},{"title":"B","creator":"Bob 🎵"}]}}"#,
        #"{"playlists":[{"name":"P","items":[{"track":{"trackName":"Ä one","artistName":"Ann"}},"#
            + #"{"track":{"trackName":"B","artistName":"Bob 🎵"}}]}]}"#,
    ]

    @Test("Tables and JSON are read in UTF-8 and UTF-16, with a byte order mark or without", arguments: texts)
    func encodingsOfUnicode(text: String) throws {
        let (little, big) = (
            try #require(text.data(using: .utf16LittleEndian)), try #require(text.data(using: .utf16BigEndian))
        )
        for data in [
            Data(text.utf8), Data([0xEF, 0xBB, 0xBF]) + Data(text.utf8), Data([0xFF, 0xFE]) + little,
            Data([0xFE, 0xFF]) + big, little, big,
        ] {
            let file = try FileItems(data)
            #expect(file.failure == nil && file.skips == [])
            #expect(file.tracks.map(\.track.title) == ["Ä one", "B"], "\(data.prefix(4).map { $0 })")
            #expect(file.tracks.map(\.track.artist) == ["Ann", "Bob 🎵"])
        }
    }

    @Test("Text in UTF-32 is refused by its name, and other zeros mean that the file is not a text")
    func refusedEncodings() throws {
        for encoding in [String.Encoding.utf32, .utf32LittleEndian, .utf32BigEndian] {
            let data = try #require("title,artist\nOne,Ann\n".data(using: encoding))
            let error = #expect(throws: LibraryFileError.self) { try FileItems(data) }
            #expect(error?.description.contains("UTF-32") == true, "\(error?.description ?? "")")
        }
        for bytes: [UInt8] in [[0x49, 0x44, 0x33, 3, 0, 0, 0], [0, 0, 0, 0], [0x41, 0, 0xE9, 0, 0x42, 0]] {
            let error = #expect(throws: LibraryFileError.self) { try FileItems(Data(bytes)) }
            #expect(error?.description.hasPrefix("This is not a file of songs or listens.") == true)
        }
    }
}
