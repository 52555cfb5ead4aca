import LibraryFiles
import Model
import Testing

@Suite("What the times of a table are")
struct TimeColumnTests {
    private func file(_ heads: String, _ row: String) throws -> FileItems { try FileItems("\(heads)\n\(row)\n") }

    private func refusal(_ heads: String, _ row: String) -> String? {
        do {
            _ = try file(heads, row)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test(
        "A time when a song was saved, bought or added is not that of a play, in any language",
        arguments: [
            "Date Saved", "Liked At", "Date Favorited", "Library Add Date", "created_at", "Favorited on", "Purchased",
            "Downloaded", "Synced At", "In library since", "Fecha de adición", "Data di aggiunta", "Gespeichert",
            "Dodano", "Добавлено", "お気に入り登録日", "Saved At", "Hinzugefügt am", "追加日時", "Ajouté le", "Acheté le",
            "Adicionado em", "Toegevoegd op", "Tilføjet", "Eklenme Tarihi", "Προστέθηκε στις", "收藏时间", "추가한 날짜",
            "Date added to playlist", "Gekauft am", "Date Created",
        ])
    func timesOfAdding(head: String) throws {
        for time in ["2024-04-01T08:00:00Z", "2024-04-01 08:00", "1711958400"] {
            let file = try file("Title,Artist,\(head)", "One,Ada,\(time)")
            #expect(file.kind == .csv && file.listens == [] && file.skips == [], "\(time)")
            #expect(file.tracks.map(\.track.title) == ["One"])
            #expect(file.tracks.first?.track.addedAt?.description == "2024-04-01T08:00:00.000000Z", "\(time)")
        }
    }

    @Test("Rows that name their playlist are its entries, whatever their times are called")
    func entriesOfPlaylists() throws {
        for head in ["Date Created", "Date", "Timestamp", "When", "Something"] {
            let file = try FileItems(
                """
                Playlist name,Title,Artist,\(head)
                Mix,One,Ada,2024-04-01 08:00
                Mix,Two,Ada,2024-04-01 09:00

                """)
            #expect(file.kind == .csv && file.listens == [] && file.tracks.map(\.isSaved) == [false, false], "\(head)")
            #expect(file.playlists.map(\.name) == ["Mix"] && file.playlists.first?.entries.count == 2, "\(head)")
        }
        let error = try #require(refusal("Playlist,Title,Artist,Played At", "Mix,One,Ada,2024-04-01 08:00"))
        #expect(error.contains("“Playlist”") && error.contains("“Played At”") && error.contains("Remove"))
    }

    @Test("Songs with codes of their recordings are not plays because of a date, but those with played times are")
    func codesOfRecordings() throws {
        for head in ["Date Liked", "Date", "Something"] {
            let file = try file("Title,Artist,ISRC,\(head)", "One,Ada,USABC1234567,2024-04-01 08:00")
            #expect(file.kind == .csv && file.listens == [], "\(head)")
            #expect(file.tracks.map(\.track.isrc) == ["USABC1234567"])
        }
        let deezer = try FileItems(
            """
            Song Title,Artist,ISRC,Album Title,IP Address,Listening Time,Platform Name,Platform Model,Date
            One,Ada,USABC1234567,LP,192.0.2.7,180,web,,2024-04-01 08:00:00
            Two,Ada,USABC1234568,LP,192.0.2.7,3,web,,2024-04-01 08:05:00

            """)
        #expect(deezer.kind == .listenTable && deezer.tracks == [])
        #expect(deezer.listens.map(\.playedMs) == [180_000] && deezer.skips == ["3: it was played for only 3 s"])
    }

    @Test(
        "A heading with a word for playing makes a history, in any language",
        arguments: [
            "Played At", "Listened on", "Scrobble time", "Streamed", "Heard", "Abgespielt am", "Gehört am", "Écouté le",
            "Escuchado el", "Ascoltato il", "Ouvido em", "Afgespeeld op", "Odtworzono", "Прослушано", "再生日時", "播放时间",
            "재생 일시", "Date", "Timestamp (UTC)", "Date and time", "Datum/Uhrzeit", "Fecha y hora", "Дата", "日時", "時間",
        ])
    func headingsOfPlays(head: String) throws {
        let file = try file("Title,Artist,\(head)", "One,Ada,2024-04-01 08:00")
        #expect(file.kind == .listenTable && file.tracks == [] && file.skips == [])
        #expect(file.listens.map(\.time.description) == ["2024-04-01T08:00:00.000000Z"])
    }

    @Test("Other times of a history do not replace those of its plays")
    func otherTimes() throws {
        let file = try file(
            "Title,Artist,Synced At,Something,Played At", "One,Ada,1711970000,2024-05-01 08:00:30,2024-04-01 08:00")
        #expect(file.listens.map(\.time.description) == ["2024-04-01T08:00:00.000000Z"])
    }

    @Test("When a song was last played belongs to a library")
    func lastPlayed() throws {
        for head in ["Zuletzt gespielt", "Dernière écoute", "Última reproducción", "Last listen", "最終再生日"] {
            let file = try file("Title,Artist,\(head)", "One,Ada,2024-04-01 08:00")
            #expect(file.kind == .csv && file.listens == [])
            #expect(
                file.tracks.map { $0.track.lastPlayedAt?.description } == ["2024-04-01T08:00:00.000000Z"], "\(head)")
        }
    }

    @Test("A flag or a count under such a heading is not a time")
    func flagsAndCounts() throws {
        for flag in ["1", "true", "12", ""] {
            let file = try file("Title,Artist,Liked,Timestamp", "One,Ada,\(flag),2024-04-01 08:00")
            #expect(file.kind == .listenTable && file.listens.count == 1, "\(flag)")
        }
    }

    @Test(
        "Times whose heading says nothing are refused with the column and what to do",
        arguments: ["Something", "Col 3", "Zeitraum", "A"])
    func unnamedTimes(head: String) throws {
        let error = try #require(refusal("Title,Artist,\(head)", "One,Ada,2024-04-01 08:00"))
        #expect(error.contains("The column “\(head)” has times"))
        #expect(error.contains("“Played at”") && error.contains("“Added at”") && error.contains("remove the column"))
        #expect(try file("Title,Artist,Played at", "One,Ada,2024-04-01 08:00").listens.count == 1)
        #expect(try file("Title,Artist,Added at", "One,Ada,2024-04-01 08:00").tracks.count == 1)
    }
}
