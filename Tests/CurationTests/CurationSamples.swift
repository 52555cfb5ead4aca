import Curation
import Model

/// Sample songs and requests for tests.
enum CurationSamples {
    static func song(
        _ number: Int, artist: String? = nil, title: String? = nil, minutes: Double? = nil, genre: String? = nil,
        year: Int? = nil, plays: Int = 0
    ) -> CandidateSong {
        var song = CandidateSong(
            reference: "song-\(number)", title: title ?? "Song \(words[number % words.count]) \(number)",
            artist: artist ?? "Artist \(words[number % words.count]) \(number)", album: "Album \(number)",
            origin: .library)
        song.durationMs = minutes.map { Int($0 * 60_000) } ?? 200_000 + number * 3_000
        song.genres = genre.map { [$0] } ?? []
        (song.year, song.plays) = (year, plays)
        return song
    }

    private static let words = ["Amber", "Birch", "Cedar", "Dune", "Elder", "Fjord", "Grove", "Heron", "Iris", "Jade"]

    static func request(
        _ prompt: String = "", size: Int = 10, source: CurationRequest.Source = .library, seed: Int = 1
    ) -> CurationRequest {
        CurationRequest(kind: .playlist, prompt: prompt, size: size, source: source, seed: seed)
    }
}
