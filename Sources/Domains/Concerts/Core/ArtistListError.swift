/// Why a change to a list of artists is refused.
package enum ArtistListError: Error, Hashable, Sendable {
    case listFull(limit: Int)
    /// An artist with this name or id is already in the list, at this rank.
    case duplicateArtist(name: String, existing: String, rank: Int)
    case unknownArtist(id: String)
    /// `count` is the length of the list; positions start at 1.
    case invalidPosition(Int, count: Int)
    case nameEmpty
    case nameTooLong(length: Int, limit: Int)
    case nameHasControlCharacter(codePoint: UInt32)
}

extension ArtistListError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .listFull(let limit):
            "A list can have at most \(limit) artists. Remove one first."
        case .duplicateArtist(let name, let existing, let rank) where name == existing:
            "\"\(name)\" is already in the list, at rank \(rank)."
        case .duplicateArtist(let name, let existing, let rank):
            "\"\(name)\" is already in the list, as \"\(existing)\" at rank \(rank)."
        case .unknownArtist:
            "This artist is not in the list. Read the list again: it may have changed in the meantime."
        case .invalidPosition(let position, 0):
            "There is no position \(position): the list is empty."
        case .invalidPosition(let position, let count):
            "There is no position \(position). Positions go from 1 to \(count)."
        case .nameEmpty:
            "An artist needs a name."
        case .nameTooLong(let length, let limit):
            "An artist's name can have at most \(limit) characters; this one has \(length)."
        case .nameHasControlCharacter(let codePoint):
            "An artist's name may not contain control characters (here U+\(hexadecimal(codePoint)))."
        }
    }

    private func hexadecimal(_ codePoint: UInt32) -> String {
        let digits = String(codePoint, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
