/// The parameter `fields` of a playlist and of its items: which members of the answer are kept.
///
/// `total,items(added_at,item(name,album.name))`: both dots and parentheses name what is inside a member, and a list on
/// the way stands for each of its elements. Names that begin with an exclamation mark are removed, and the rest of
/// their object is kept: `items.item.album(!external_urls,images)` removes both. A caller that omits `next` and `total`
/// cannot follow the pages.
struct SpotifyFields: Sendable, Equatable {
    static let everything = SpotifyFields(isExclusion: true)

    /// Whether the names are removed rather than kept.
    private var isExclusion: Bool
    /// Names of members without anything inside.
    private var whole: Set<String> = []
    /// Names of members, with what is named inside them.
    private var parts: [String: SpotifyFields] = [:]

    private init(isExclusion: Bool) {
        self.isExclusion = isExclusion
    }

    /// - Throws: a 400 for a text that is not a list of fields; the wording of the error is an assumption.
    init(_ text: String) throws(SpotifyRefusal) {
        var rest = Substring(text)
        self = try Self.group(&rest, isExclusion: false)
        guard rest.isEmpty else { throw Self.invalid }
    }

    var isEverything: Bool { self == .everything }

    /// What is kept of a member; `nil` if it is removed.
    subscript(name: String) -> SpotifyFields? {
        if whole.contains(name) { return isExclusion ? nil : Self.everything }
        if let part = parts[name] { return part }
        return isExclusion ? Self.everything : nil
    }

    // MARK: Reading the parameter

    private static var invalid: SpotifyRefusal { .badRequest("Invalid fields") }

    /// Reads names up to the end or to a closing parenthesis.
    private static func group(_ rest: inout Substring, isExclusion: Bool) throws(SpotifyRefusal) -> SpotifyFields {
        var group = SpotifyFields(isExclusion: isExclusion)
        repeat { try group.add(&rest) } while consume(",", &rest)
        return group
    }

    /// Reads one name with what is inside it.
    private mutating func add(_ rest: inout Substring) throws(SpotifyRefusal) {
        let isMarked = Self.consume("!", &rest)
        if isMarked, whole.isEmpty, parts.isEmpty { isExclusion = true }
        let text = rest.prefix { !",.()!".contains($0) }
        rest = rest.dropFirst(text.count)
        let name = String(text.filter { !$0.isWhitespace })
        guard !name.isEmpty else { throw Self.invalid }
        var inside: SpotifyFields?
        if Self.consume(".", &rest) {
            var part = SpotifyFields(isExclusion: isExclusion)
            try part.add(&rest)
            inside = part
        } else if Self.consume("(", &rest) {
            inside = try Self.group(&rest, isExclusion: isExclusion)
            guard Self.consume(")", &rest) else { throw Self.invalid }
        }
        // Among names to keep, one with an exclamation mark is ignored.
        guard !isMarked || isExclusion else { return }
        if let inside {
            parts[name] = parts[name]?.joined(with: inside) ?? inside
        } else {
            whole.insert(name)
        }
    }

    /// Removes a character from the beginning if it is there, and returns whether it was.
    private static func consume(_ character: Character, _ rest: inout Substring) -> Bool {
        guard rest.first == character else { return false }
        rest.removeFirst()
        return true
    }

    private func joined(with other: SpotifyFields) -> SpotifyFields {
        guard isExclusion == other.isExclusion else { return other }
        var both = self
        both.whole.formUnion(other.whole)
        for (name, part) in other.parts { both.parts[name] = both.parts[name]?.joined(with: part) ?? part }
        return both
    }
}
