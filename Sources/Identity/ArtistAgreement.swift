/// To what degree the artists of two records agree.
enum ArtistAgreement: Sendable {
    case equal
    /// One list has all artists of the other, and its first artist is among them.
    case amongOthers
    /// One names the leader and the other the leader with an ensemble, or the words of a name are in a different order.
    case alike
    /// One list has all artists of the other, but they may be only part of a name, or do not include its first artist:
    /// `Fire` and `Earth, Wind & Fire`, or `B` and `A, B`.
    case part
    /// They have artists in common, but each has one whom the other lacks.
    case overlap
    /// The names are in different scripts and cannot be compared.
    case otherScripts(soundAlike: Bool)
    case none

    /// Whether this suffices, without confirmation that the artists are the same.
    var isEnough: Bool {
        switch self {
        case .equal, .amongOthers: true
        default: false
        }
    }
}

extension ArtistAgreement {
    /// Compares two records, both of which must have artists.
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

    private var main: some Sequence<ArtistNameCandidate> { list.candidates.lazy.filter(\.isMain) }

    func sharesMain(with other: Credits) -> Bool {
        main.contains { candidate in other.list.contains(candidate.name) { $0.isMain } }
    }

    private func contains(_ name: CompactName, upTo edge: NameBoundary) -> Bool {
        list.contains(name) { $0.edge <= edge } || features.contains { list in list.contains(name) { $0.edge <= edge } }
    }

    /// Whether, in some reading, the other credits name all main artists.
    ///
    /// - Parameter edge: the least likely boundary at which one of the other's names may begin or end.
    func isCovered(by other: Credits, upTo edge: NameBoundary = .inner) -> Bool {
        // Whether the parts before each index are names that the other has.
        var isCovered = [true] + Array(repeating: false, count: list.length)
        let byStart = main.sorted { $0.parts.lowerBound < $1.parts.lowerBound }
        for candidate in byStart where isCovered[candidate.parts.lowerBound] && !isCovered[candidate.parts.upperBound] {
            isCovered[candidate.parts.upperBound] = other.contains(candidate.name, upTo: edge)
        }
        return isCovered[list.length]
    }

    /// The agreement if the other list has all these artists, and more.
    func agreementAsPart(of other: Credits) -> ArtistAgreement {
        let hasFirst = main.contains { candidate in other.list.contains(candidate.name) { $0.isMain && $0.isFirst } }
        if isCovered(by: other, upTo: .usual), hasFirst { return .amongOthers }
        // `Berliner Philharmoniker, Nora Vale` and `Nora Vale`
        let others = other.usual(other.list).filter { !list.contains($0.name) { $0.isMain } }
        if !others.isEmpty, others.allSatisfy(\.isEnsemble) { return .alike }
        if isCovered(by: other, upTo: .usual) { return .part }
        return isCovered(by: other, upTo: .ensemble) ? .alike : .part
    }

    /// Whether every main artist is similar to one of the other's.
    func isAlike(_ other: Credits) -> Bool {
        let others = other.usual
        guard list.main.count <= Self.mostAlike, others.count <= Self.mostAlike + 1 else { return false }
        return usual(list).allSatisfy { candidate in
            others.contains { $0.name.isNear(candidate.name) || $0.isAlike(candidate) }
        }
    }

    /// Longer lists are not compared word by word.
    private static let mostAlike = 8

    private func usual(_ list: ArtistList) -> [ArtistNameCandidate] {
        main.filter { candidate in list.main.contains(candidate.name) }
    }

    /// The main artists, and also all of them as a single name: `Vale, Nora`.
    private var usual: [ArtistNameCandidate] { usual(list) + (list.whole.map { [$0] } ?? []) }
}
