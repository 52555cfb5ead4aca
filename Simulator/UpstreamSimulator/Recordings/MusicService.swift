/// A service that lists recordings.
enum MusicService: String, Sendable, Codable {
    case spotify
    case apple
}
