/// A writing system of names and titles.
enum Script: Sendable {
    case latin, cyrillic, greek, japanese, korean, arabic, hebrew
}
