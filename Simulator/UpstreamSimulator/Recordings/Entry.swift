/// A recording on one release: the unit that services list and to which they give an id.
struct Entry: Sendable, Hashable {
    /// The recording's number times eight, plus the edition's.
    let number: UInt32

    init(recording: Int, edition: Edition) {
        number = UInt32(recording * 8 + edition.rawValue)
    }

    /// All entries of a recording.
    static func all(of recording: Int) -> [Entry] {
        Edition.holding(slot: recording % RecordingSlot.count).map { Entry(recording: recording, edition: $0) }
    }

    /// Returns `nil` for a number that does not belong to an entry.
    init?(number: UInt64) {
        guard number % 8 < Edition.allCases.count, let small = UInt32(exactly: number) else { return nil }
        self.number = small
        guard edition.slots.contains(slot) else { return nil }
    }

    /// Its number in the catalog.
    var recording: Int { Int(number) / 8 }
    var edition: Edition { Edition(rawValue: Int(number) % 8) ?? .album }
    var artist: Int { recording / RecordingSlot.count }
    var slot: Int { recording % RecordingSlot.count }
    var version: Version { RecordingSlot.version(of: slot, artist: artist) }
    var release: Release { Release(artist: artist, edition: edition) }
    /// The song's first recording: the same for all versions of a song, including those by others.
    var song: Int { RecordingSlot.song(of: slot, artist: artist) }
    /// The track as people see it: a remaster counts as the recording from which it was made.
    var track: Int {
        version == .remaster ? artist * RecordingSlot.count + RecordingSlot.first(of: slot) : recording
    }
    /// The track number, from 1.
    var trackNumber: Int { (edition.slots.firstIndex(of: slot) ?? 0) + 1 }
}
