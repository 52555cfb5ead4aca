/// The time range of a top list. A person's taste is derived from what they have saved: for the last weeks from the
/// newest tracks, for a year from many more.
enum SpotifyTopRange: String {
    case short = "short_term"
    case medium = "medium_term"
    case long = "long_term"

    /// The longest list.
    private static let most = 200

    /// How many of the newest tracks are considered.
    private var depth: Int {
        switch self {
        case .short: 300
        case .medium: 1_500
        case .long: 5_000
        }
    }

    private func entries(of library: PersonalLibrary) -> [Entry] {
        var known: Set<Entry> = []
        return library.saved.prefix(depth).filter(\.isReadable).map(\.entry).filter { known.insert($0).inserted }
    }

    /// A number that orders equal items, depending on this range and person.
    private func weight(_ number: Int, _ library: PersonalLibrary) -> UInt64 {
        Mix.of(Mix.of(rawValue + library.person), UInt64(number))
    }

    /// The top tracks, the best first.
    func tracks(of library: PersonalLibrary) -> [Entry] {
        let weighted = entries(of: library).map { (entry: $0, weight: weight(Int($0.number), library)) }
        return weighted.sorted { $0.weight > $1.weight }.prefix(Self.most).map(\.entry)
    }

    /// The top artists, those with the most tracks first.
    func artists(of library: PersonalLibrary) -> [Int] {
        var counts: [Int: UInt64] = [:]
        for entry in entries(of: library) { counts[entry.artist, default: 0] += 1 }
        let weighted = counts.map { (artist: $0.key, count: $0.value, weight: weight($0.key, library)) }
        return weighted.sorted { ($0.count, $0.weight) > ($1.count, $1.weight) }.prefix(Self.most).map(\.artist)
    }
}
