/// How the artists of two records agree.
enum ArtistAgreement: Sendable {
    case equal
    /// One list has all artists of the other, among them its first one.
    case amongOthers
    /// One names the leader, and the other the leader with an ensemble; or the words of a name are in another order.
    case alike
    /// One list has all artists of the other, but they may be a part of a name only, or are not its first: `Fire` and
    /// `Earth, Wind & Fire`, or `B` and `A, B`.
    case part
    /// Each has an artist whom the other lacks.
    case overlap
    /// They cannot be compared.
    case otherScripts(soundAlike: Bool)
    case none

    /// Whether nothing else has to confirm that the artists are the same.
    var isEnough: Bool {
        switch self {
        case .equal, .amongOthers: true
        default: false
        }
    }
}

extension ArtistAgreement {
    /// - Parameters: records that both have artists.
    init(_ one: IdentityProfile, _ other: IdentityProfile) {
        guard one.artistHash != other.artistHash else {
            self = .equal
            return
        }
        let (left, right) = (Credits(one), Credits(other))
        if let mine = left.whole, let others = right.whole, mine.isNear(others) {
            self = .equal
        } else if left.sharesMain(with: right) {
            self = Self.ofSharing(left, right)
        } else if left.isAlike(right) || right.isAlike(left) {
            self = .alike
        } else if !one.artists.allSatisfy({ name in other.artists.allSatisfy { $0.isComparable(with: name) } }) {
            self = .otherScripts(
                soundAlike: one.artists.contains { name in
                    other.artists.contains { $0.skeleton == name.skeleton }
                })
        } else {
            self = .none
        }
    }

    private static func ofSharing(_ left: Credits, _ right: Credits) -> ArtistAgreement {
        switch (left.isCovered(by: right), right.isCovered(by: left)) {
        case (true, true): .equal
        case (true, false): left.agreementAsPart(of: right)
        case (false, true): right.agreementAsPart(of: left)
        case (false, false): left.isAlike(right) || right.isAlike(left) ? .alike : .overlap
        }
    }
}

/// The artists of a record, and the guests that its title names.
private struct Credits {
    let list: ArtistList
    let features: [ArtistList]

    init(_ profile: IdentityProfile) {
        list = profile.artistList
        features = profile.title.features
    }

    /// All main artists as one name.
    var whole: CompactName? { list.whole?.name ?? list.main.first }

    private var main: some Sequence<ArtistReading> { list.readings.lazy.filter(\.isMain) }

    func sharesMain(with other: Credits) -> Bool {
        main.contains { reading in other.list.contains(reading.name) { $0.isMain } }
    }

    private func contains(_ name: CompactName, upTo edge: NameBoundary) -> Bool {
        list.contains(name) { $0.edge <= edge } || features.contains { list in list.contains(name) { $0.edge <= edge } }
    }

    /// Whether there is a reading in which the other names all main artists.
    ///
    /// - Parameter edge: the least likely boundary at which a name of the other may begin or end.
    func isCovered(by other: Credits, upTo edge: NameBoundary = .inner) -> Bool {
        // Whether the parts before each place are names of the other's.
        var isCovered = [true] + Array(repeating: false, count: list.length)
        let byStart = main.sorted { $0.parts.lowerBound < $1.parts.lowerBound }
        for reading in byStart where isCovered[reading.parts.lowerBound] && !isCovered[reading.parts.upperBound] {
            isCovered[reading.parts.upperBound] = other.contains(reading.name, upTo: edge)
        }
        return isCovered[list.length]
    }

    /// What it means that the other list has all these artists, and more.
    func agreementAsPart(of other: Credits) -> ArtistAgreement {
        let hasFirst = main.contains { reading in other.list.contains(reading.name) { $0.isMain && $0.isFirst } }
        if isCovered(by: other, upTo: .usual) { return hasFirst ? .amongOthers : .part }
        return isCovered(by: other, upTo: .ensemble) ? .alike : .part
    }

    /// Whether each main artist is like one of the other's.
    func isAlike(_ other: Credits) -> Bool {
        let others = other.usual
        guard list.main.count <= Self.mostAlike, others.count <= Self.mostAlike + 1 else { return false }
        return usual(list).allSatisfy { reading in
            others.contains { $0.name.isNear(reading.name) || $0.isAlike(reading) }
        }
    }

    /// Longer lists are not compared word by word.
    private static let mostAlike = 8

    private func usual(_ list: ArtistList) -> [ArtistReading] {
        main.filter { reading in list.main.contains(reading.name) }
    }

    /// The main artists, and all of them as one name: `Vale, Nora`.
    private var usual: [ArtistReading] { usual(list) + (list.whole.map { [$0] } ?? []) }
}
