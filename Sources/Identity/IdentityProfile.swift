import Model

/// A record with everything that comparisons need, parsed and folded once.
package struct IdentityProfile: Sendable {
    package let record: IdentityRecord
    /// In its compact form; `nil` where the record has none.
    package let isrc: String?
    /// What a database indexes to find candidates: records that the rules may join without an equal ISRC share at least
    /// one. One for each main artist, at most ``maximumKeys``, without repetition; never empty.
    ///
    /// They follow from the title and the artist alone, and are the same in every process. A version of the rules that
    /// changes them has another ``keyVersion``.
    package let keys: [Int64]

    package static let maximumKeys = 4
    /// Stored keys of another version have to be computed again.
    package static let keyVersion = 1

    package init(_ record: IdentityRecord) {
        self.record = record
        isrc = record.isrc.flatMap(ISRC.normalized)
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for scalar in FoldedText.scalars(of: record.title + "\u{1}" + record.artist) {
            hash = (hash ^ UInt64(scalar.value)) &* 0x0000_0100_0000_01b3
        }
        keys = [Int64(bitPattern: hash)]
    }
}
