import Foundation
import LibraryFiles
import Model
import Testing

@Suite("Keys of playlists in files")
struct PlaylistKeyTests {
    private func key(_ text: String) throws -> String { try #require(try FileItems(text).playlists.first?.key) }

    @Test("A list without a key gets the same key from the same file, and another one from a file with the same title")
    func keyFromTheContent() throws {
        let texts = [
            #"{"playlist":{"title":"P","track":[{"title":"A","creator":"Ann"}]}}"#,
            #"{"playlist":{"title":"P","track":[{"title":"B","creator":"Ann"}]}}"#,
            "Title,Artist,Playlist\nC,Cid,P\n", "Title,Artist,Playlist\nC,Cid,P\nC,Cid,P\n",
            #"{"backline":1,"tracks":[{"title":"D"}],"playlists":[{"name":"P","entries":[]}]}"#,
        ]
        let keys = try texts.map(key)
        #expect(Set(keys).count == texts.count)
        #expect(try texts.map(key) == keys)
    }

    @Test("Exports name their list, so two lists with one title stay separate, and the same list is recognized again")
    func keysInExports() throws {
        var song = SourceTrack(sourceID: "", title: "A", artist: "Ann", album: "")
        song.sourceID = LibraryFileWriter.key(of: song, uri: nil)
        for key in ["spotify:playlist:37i9dQZF1DX0XUsuxWHRQd", "list:00ff"] {
            let list = FilePlaylist(key: key, name: "P")
            let jspf = try FileItems(
                LibraryFileWriter.jspfBeginning(list) + LibraryFileWriter.jspf(song, addedAt: nil)
                    + LibraryFileWriter.jspfEnd)
            let csv = try FileItems(
                LibraryFileWriter.playlistCSVHead + LibraryFileWriter.csv(song, of: list, addedAt: nil))
            for file in [jspf, csv] {
                #expect(file.playlists.map(\.key) == [key] && file.playlists.map(\.name) == ["P"])
                #expect(file.tracks.map(\.track) == [song])
            }
        }
        // An index does not accept keys of any length.
        let long = String(repeating: "x", count: 5_000)
        #expect(try key("{\"playlist\":{\"title\":\"P\",\"identifier\":\"\(long)\",\"track\":[]}}").utf8.count < 100)
    }
}
