import Model

/// The name of a venue without its place: sellers append the city, an abbreviation of it, its state or country, after a
/// dash or comma or in brackets (`Lyric Theatre - SF`, `Arena (Denver, CO)`), and the city also without punctuation
/// (`Arena Denver`).
struct VenueName {
    /// The name of the hall alone.
    let hall: String

    /// More additions than any name has.
    private static let maximumAdditions = 4
    /// The most words of a city's name.
    private static let maximumCityWords = 5

    /// - Parameter cityKey: the key of the venue's city among `names`.
    init(_ name: String, of venue: ConcertVenue, cityKey: String?, names: CityNames) {
        var hall = name[...]
        let place = Place(venue, cityKey: cityKey, names: names)
        for _ in 0..<Self.maximumAdditions {
            let splits = [Self.split(hall), Self.splitAtHyphen(hall)].compactMap { $0 }
            guard let (rest, _) = splits.first(where: { place.isNamed(by: $0.addition) }) else { break }
            hall = rest
        }
        self.hall = Self.withoutCity(hall, place) ?? String(hall)
    }

    /// The name before its last separator, and the text after it.
    private static func split(_ name: Substring) -> (rest: Substring, addition: Substring)? {
        let name = trimmed(name)
        if let last = name.last, let opening = brackets[last] {
            guard let open = name.lastIndex(of: opening) else { return nil }
            let inner = name[name.index(after: open)...].dropLast()
            return open == name.startIndex ? nil : (trimmed(name[..<open]), inner)
        }
        let separator = name.indices.last { index in
            switch name[index] {
            case ",", "|", "–", "—", "/", "·", "•", "@": return true
            case "-":
                return index > name.startIndex && name[name.index(before: index)].isWhitespace
            default: return false
            }
        }
        guard let separator, separator > name.startIndex else { return nil }
        return (trimmed(name[..<separator]), name[name.index(after: separator)...])
    }

    private static let brackets: [Character: Character] = [")": "(", "]": "[", "）": "（", "】": "【"]

    /// The name before its last hyphen without spaces: `Theatre-SF`.
    private static func splitAtHyphen(_ name: Substring) -> (rest: Substring, addition: Substring)? {
        guard let hyphen = name.lastIndex(of: "-"), hyphen > name.startIndex else { return nil }
        return (trimmed(name[..<hyphen]), name[name.index(after: hyphen)...])
    }

    /// Words between a hall's name and its city: `Zénith de Paris`.
    private static let prepositions: Set = ["de", "di", "in", "of", "von", "du", "da", "do", "w", "v", "te", "a", "i"]

    /// The name without the city at its end; `nil` when it does not end with the city, or consists only of it.
    private static func withoutCity(_ hall: Substring, _ place: Place) -> String? {
        let words = hall.split(whereSeparator: \.isWhitespace)
        guard words.count > 1 else { return nil }
        let count = (1...min(maximumCityWords, words.count - 1)).first { count in
            place.isCity(words: words.suffix(count))
        }
        var hall = words[...]
        if let count {
            hall = hall.dropLast(count)
            if hall.count > 1, let last = hall.last, prepositions.contains(last.lowercased()) { hall = hall.dropLast() }
        } else if let last = words.last, place.isStateCode(last) {
            hall = hall.dropLast()
        }
        return hall.count < words.count ? hall.joined(separator: " ") : nil
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let isEdge = { (character: Character) in character.isWhitespace || ",|–—-/·•@".contains(character) }
        var text = text.drop(while: isEdge)
        while let last = text.last, isEdge(last) { text.removeLast() }
        return text
    }
}

/// The city of a venue, with its state and country.
private struct Place {
    private let venue: ConcertVenue
    private let cityKey: String?
    private let names: CityNames
    /// The folded words of the city, joined.
    private let letters: String
    /// The first letters of the city's words.
    private let initials: String

    init(_ venue: ConcertVenue, cityKey: String?, names: CityNames) {
        self.venue = venue
        self.cityKey = cityKey
        self.names = names
        let words = venue.city.map { FoldedText.words(of: $0) } ?? []
        letters = words.joined()
        initials = String(words.compactMap(\.first))
    }

    /// Whether a text names the place, and nothing else: `Denver`, `SF`, `San Francisco, CA`, `CA`, `Denver CO`.
    func isNamed(by text: Substring) -> Bool {
        let parts = text.split { ",/|".contains($0) }.map { part in
            // "D.C."
            part.filter { $0 != "." }.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        return !parts.isEmpty && parts.allSatisfy(isNamed(byPart:))
    }

    /// Whether words name the city, perhaps with its state or country, and nothing else: not `Berlin (Upstairs)`.
    func isCity(words: ArraySlice<Substring>) -> Bool {
        guard words.allSatisfy({ word in word.contains(where: \.isLetter) && !word.contains { ",([|".contains($0) } })
        else { return false }
        if isCity(words.joined(separator: " ")) { return true }
        guard let last = words.last, words.count > 1, isRegion(String(last)) else { return false }
        return isCity(words.dropLast().joined(separator: " "))
    }

    /// Whether a word is the code of the venue's state, in capitals: `Lyric Theatre CA`.
    func isStateCode(_ word: Substring) -> Bool {
        word.count >= 2 && venue.stateCode.map { $0 == word && $0 == $0.uppercased() } ?? false
    }

    private func isCity(_ text: String) -> Bool { cityKey != nil && names.key(for: text) == cityKey }

    private func isNamed(byPart part: String) -> Bool {
        if isCity(part) || areLetters(of: part) || isRegion(part) { return true }
        // "Denver CO": the state after the city, without a comma.
        guard let space = part.lastIndex(of: " ") else { return false }
        let city = String(part[..<space])
        return isRegion(String(part[part.index(after: space)...])) && (isCity(city) || areLetters(of: city))
    }

    /// Whether capitals abbreviate the city: its initials (`SF`, `NYC`), or letters of its name in order, beginning
    /// with the first (`CHI`, `PHL`).
    private func areLetters(of text: String) -> Bool {
        guard (2...4).contains(text.count), text.allSatisfy({ $0.isLetter && $0.isUppercase }),
            let first = letters.first
        else { return false }
        let folded = FoldedText.words(of: text).joined()
        if !initials.isEmpty, folded == initials || folded == initials + "c" { return initials.count > 1 }
        guard folded.first == first else { return false }
        var rest = letters[...]
        for letter in folded {
            guard let index = rest.firstIndex(of: letter) else { return false }
            rest = rest[rest.index(after: index)...]
        }
        return true
    }

    /// Whether a text is the venue's state or country. Without a known state, any state of its country counts.
    private func isRegion(_ text: String) -> Bool {
        let folded = FoldedText.words(of: text).joined(separator: " ")
        guard !folded.isEmpty else { return false }
        let own = [venue.state, venue.stateCode, venue.country, venue.countryCode].compactMap { name in
            name.map { FoldedText.words(of: $0).joined(separator: " ") }
        }
        if own.contains(folded) { return true }
        let code = text.uppercased()
        if let country = venue.countryCode,
            RegionNames.countries.contains(where: {
                $0.code == country
                    && ($0.names.contains(folded) || $0.code == code || RegionNames.longCodes[$0.code] == code)
            })
        {
            return true
        }
        let ownState = [
            venue.stateCode?.uppercased(), venue.state.map { FoldedText.words(of: $0).joined(separator: " ") },
        ]
        return RegionNames.states.contains { state in
            guard state.code == code && text == code || state.name == folded else { return false }
            guard venue.countryCode == nil || venue.countryCode == state.country else { return false }
            return ownState.allSatisfy { $0 == nil } || ownState.contains(state.code) || ownState.contains(state.name)
        }
    }
}
