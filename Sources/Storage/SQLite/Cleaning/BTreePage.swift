import Glibc

/// Finds the unused bytes of a b-tree page of the database file (sqlite.org/fileformat2.html, section 1.6).
///
/// `secure_delete` overwrites deleted rows. But when SQLite splits, merges or repacks pages it also moves rows, and the
/// copies that it leaves behind stay in the gap between the list of cells and the cells. Neither deleting the row nor
/// freeing its new page overwrites them.
struct BTreePage {
    /// From this number of pages on, an overflow page can be mistaken for a b-tree page: it begins with the number of
    /// another page, whose highest byte can then be 2 or more, like the first byte of a b-tree page.
    static let maximumPages: Int64 = 1 << 25
    /// The smallest page size of SQLite, in bytes.
    private static let smallestPage = 512

    private let bytes: UnsafeRawBufferPointer
    /// The bytes between the list of cells and the cells.
    private let gap: Range<Int>
    private let firstFreeBlock: Int

    /// - Parameters:
    ///   - bytes: the whole page.
    ///   - isFirst: whether it is the first page of the file, which begins with the file's header.
    /// - Returns: `nil` for a page that does not belong to a b-tree, and for an inconsistent one, whose unused bytes
    ///   are unknown.
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
        // 0 stands for 65,536, which does not fit into two bytes.
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
            // Free blocks are in ascending order, among the cells.
            guard block >= free, block + 4 <= bytes.count else { return nil }
            free = block + number(at: block + 2)
            guard free >= block + 4, free <= bytes.count else { return nil }
            block = number(at: block)
        }
        self.bytes = bytes
        gap = end..<content
    }

    /// Calls `body` with each range of unused bytes that are not all zero. Fragments of up to three bytes between two
    /// cells are left out: `secure_delete` has overwritten them.
    func forEachLeftover(_ body: (Range<Int>) throws -> Void) rethrows {
        if !isZero(gap) { try body(gap) }
        var block = firstFreeBlock
        while block != 0 {
            // Its first four bytes are the offset of the next free block and its own length.
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
