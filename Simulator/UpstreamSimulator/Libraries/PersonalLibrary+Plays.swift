extension PersonalLibrary {
    /// The most plays that a service reports.
    static let mostPlays = 50

    /// Adds what was played before a library's start: its tracks, some of them twice, with an hour's gap after every
    /// tenth.
    mutating func fillPlays() {
        guard saved.contains(where: \.isReadable) else { return }
        var endedAt = Int64(Self.newest) * 1_000 + 497
        for index in 0..<Self.mostPlays {
            let draw = Mix.of(plan.seed ^ 0x91a7, UInt64(index))
            let track = readable(from: Int(draw % UInt64(saved.count)))
            plays.append(Play(track: track, endedAt: endedAt))
            endedAt -= length(of: track) + (index % 10 == 9 ? 3_600_000 : 0)
        }
    }

    /// Plays tracks of the library, one after the other.
    mutating func play(_ count: Int) {
        for _ in 0..<count {
            let track = readable(from: random(below: saved.count))
            let last = plays.first?.endedAt ?? Int64(Self.newest) * 1_000
            plays.insert(Play(track: track, endedAt: last + length(of: track)), at: 0)
        }
        plays.removeLast(max(0, plays.count - Self.mostPlays))
    }

    /// The first readable track from a position on; there must be one.
    private func readable(from position: Int) -> SavedTrack {
        var index = position
        while !saved[index].isReadable { index = (index + 1) % saved.count }
        return saved[index]
    }

    private func length(of track: SavedTrack) -> Int64 { Int64(catalog.duration(of: track.entry, on: service)) }
}
