import LibraryFiles
import Testing

@Suite("Times of plays in two columns, and in other forms")
struct DividedTimeTests {
    @Test(
        "A day and a time of day in two columns are the time of a play",
        arguments: [
            "Date,Time", "Datum,Uhrzeit", "Fecha,Hora", "Play Date,Play Time", "date_played,time_played",
            "Дата,Время", "Data,Ora",
        ])
    func twoColumns(heads: String) throws {
        for (day, time) in [("2024-04-01", "08:00"), ("01.04.2024", "08:00:00"), ("1 Apr 2024", "8:00 AM")] {
            let file = try FileItems("\(heads),Artist,Track\n\(day),\(time),Ada,One\n\(day),21:05,Ada,Two\n")
            #expect(file.kind == .listenTable && file.skips == [], "\(day) \(time)")
            #expect(file.listens.map(\.title) == ["One", "Two"] && file.listens.allSatisfy { $0.durationMs == nil })
            #expect(file.listens.first?.time.description == "2024-04-01T08:00:00.000000Z", "\(day) \(time)")
        }
        #expect(throws: LibraryFileError.self) {
            try FileItems("\(heads),Artist,Track\n04/01/2024,08:00,Ada,One\n")
        }
    }

    @Test("The length of a song is not a time of day")
    func lengths() throws {
        let file = try FileItems("Date,Time,Artist,Title\n2024-04-01,3:45,Ada,One\n2024-04-02,4:05,Ada,Two\n")
        #expect(file.tracks.map(\.track.durationMs) == [225_000, 245_000])
        let library = try FileItems("Title,Artist,Time,Date Added\nOne,Ada,03:45,2024-04-01\n")
        #expect(library.kind == .csv && library.tracks.first?.track.durationMs == 225_000)
    }

    @Test(
        "Zones in every notation, and ISO 8601 without signs, are read",
        arguments: [
            "2024-04-01T10:00:00+0200", "2024-04-01T10:00:00+02", "2024-04-01 10:00:00 +02:00",
            "2024-04-01 10:00 +0200", "20240401T080000Z", "20240401T100000+0200", "20240401T0800Z",
            "2024-04-01T08:00:00.000 +00:00", "2024-04-01T03:00:00-0500",
        ])
    func notations(time: String) throws {
        let file = try FileItems("Date,Artist,Track\n\(time),Ada,One\n")
        #expect(file.listens.map(\.time.description) == ["2024-04-01T08:00:00.000000Z"])
    }

    @Test("A time of ISO 8601 that cannot be read is refused, and does not make plays into songs")
    func unreadable() {
        for time in ["2024-04-01T08:00:00 Mars", "20240401T99"] {
            let error = #expect(throws: LibraryFileError.self) {
                try FileItems("Date,Artist,Track\n\(time),Ada,One\n")
            }
            #expect(error?.description.contains("which cannot be read") == true, "\(time)")
        }
    }

    @Test("Days that are written with midnight as their time are days")
    func midnight() throws {
        let rows = ["2024-04-01 00:00:00,Ada,One", "2024-04-02T00:00:00Z,Ada,Two"].joined(separator: "\n")
        #expect(try FileItems("Date,Artist,Track\n\(rows)\n").kind == .csv)
        #expect(try FileItems("Date,Artist,Track\n\(rows)\n2024-04-02 09:00,Ada,Six\n").listens.count == 3)
        #expect(try FileItems("Played at,Artist,Track\n2024-04-01 00:00:00,Ada,One\n").listens.count == 1)
    }
}
