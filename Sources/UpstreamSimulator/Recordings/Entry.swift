/// A recording on one release: what services list, and give an id.
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

    /// `nil` for a number that is none of an entry.
    init?(number: UInt64) {
        guard number % 8 < Edition.allCases.count, let small = UInt32(exactly: number) else { return nil }
        self.number = small
        guard edition.slots.contains(slot) else { return nil }
    }

    /// Its number in the catalogue.
    var recording: Int { Int(number) / 8 }
    var edition: Edition { Edition(rawValue: Int(number) % 8) ?? .album }
    var artist: Int { recording / RecordingSlot.count }
    var slot: Int { recording % RecordingSlot.count }
    var version: Version { RecordingSlot.version(of: slot, artist: artist) }
    var release: Release { Release(artist: artist, edition: edition) }
    /// The recording that the song's first one is: the same for all versions of a song, also by others.
    var song: Int { RecordingSlot.song(of: slot, artist: artist) }
    /// What people take for one track: a remaster is the recording that it was made from.
    var track: Int {
        version == .remaster ? artist * RecordingSlot.count + RecordingSlot.first(of: slot) : recording
    }
    /// Counts from 1.
    var trackNumber: Int { (edition.slots.firstIndex(of: slot) ?? 0) + 1 }
}
