import Glibc

/// A page of a b-tree as it lies in the database file (sqlite.org/fileformat2.html, 1.6), for those of its bytes that
/// nothing uses.
///
/// `secure_delete` overwrites a row that is deleted. When SQLite splits, merges or fills pages anew it moves rows as
/// well, and the copies that it leaves behind stand between the list of cells and the cells, where neither deleting
/// the row nor freeing its new page reaches them.
struct BTreePage {
    /// From this number of pages on, a page that is none of a b-tree can be taken for one: it begins with the number
    /// of another page, whose highest byte is then 2 and more, as are the first bytes of b-trees.
    static let maximumPages: Int64 = 1 << 25
    /// SQLite's smallest, in bytes.
    private static let smallestPage = 512

    private let bytes: UnsafeRawBufferPointer
    /// Between the list of cells and the cells.
    private let gap: Range<Int>
    private let firstFreeBlock: Int

    /// - Parameters:
    ///   - bytes: all of the page.
    ///   - isFirst: whether it is the file's first page, which begins with the file's header.
    /// - Returns: `nil` where it is no page of a b-tree, or not a sound one, of which nobody knows what is unused.
    init?(_ bytes: UnsafeRawBufferPointer, isFirst: Bool) {
        let header = isFirst ? 100 : 0
        guard bytes.count >= Self.smallestPage else { return nil }
        func number(at offset: Int) -> Int { Int(bytes[offset]) << 8 | Int(bytes[offset + 1]) }
        let cells: Int
        switch bytes[header] {
        case 2, 5: cells = header + 12
        case 10, 13: cells = header + 8
        default: return nil
        }
        let contentNumber = number(at: header + 5)
        // Only 65,536 does not fit.
        let content = contentNumber == 0 ? 65_536 : contentNumber
        let end = cells + 2 * number(at: header + 3)
        guard end <= content, content <= bytes.count else { return nil }
        for cell in stride(from: cells, to: end, by: 2) {
            guard (content..<bytes.count).contains(number(at: cell)) else { return nil }
        }
        var block = number(at: header + 1)
        firstFreeBlock = block
        var free = content
        while block != 0 {
            // They come in order, within the cells.
            guard block >= free, block + 4 <= bytes.count else { return nil }
            free = block + number(at: block + 2)
            guard free >= block + 4, free <= bytes.count else { return nil }
            block = number(at: block)
        }
        self.bytes = bytes
        gap = end..<content
    }

    /// Calls `body` with each range of bytes that nothing uses and that are not all zero. Up to three bytes between
    /// two cells, which `secure_delete` has overwritten, are not among them.
    func forEachLeftover(_ body: (Range<Int>) throws -> Void) rethrows {
        if !isZero(gap) { try body(gap) }
        var block = firstFreeBlock
        while block != 0 {
            // Its first four bytes are the next one's place and its own length.
            let length = Int(bytes[block + 2]) << 8 | Int(bytes[block + 3])
            let rest = block + 4..<block + length
            if !isZero(rest) { try body(rest) }
            block = Int(bytes[block]) << 8 | Int(bytes[block + 1])
        }
    }

    /// Whether there is anything to overwrite.
    var hasLeftovers: Bool {
        var found = false
        forEachLeftover { _ in found = true }
        return found
    }

    private func isZero(_ range: Range<Int>) -> Bool {
        guard !range.isEmpty, let start = bytes.baseAddress else { return true }
        guard bytes[range.lowerBound] == 0 else { return false }
        return memcmp(start + range.lowerBound, start + range.lowerBound + 1, range.count - 1) == 0
    }
}
