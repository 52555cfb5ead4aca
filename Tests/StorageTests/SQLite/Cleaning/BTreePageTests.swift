import Testing

@testable import Storage

@Suite("Unused bytes of a page")
struct BTreePageTests {
    /// A leaf of a table with ten-byte cells at its end, and with its gap filled with a byte.
    private static func leaf(
        cells: Int, gap: UInt8, type: UInt8 = 13, header: Int = 0, size: Int = 1_024
    ) -> [UInt8] {
        var page = [UInt8](repeating: 0, count: size)
        let content = size - 10 * cells
        page[header] = type
        put(cells, at: header + 3, in: &page)
        put(content, at: header + 5, in: &page)
        let list = header + (type == 2 || type == 5 ? 12 : 8)
        for cell in 0..<cells {
            put(content + 10 * cell, at: list + 2 * cell, in: &page)
            for byte in 0..<10 { page[content + 10 * cell + byte] = 0xcc }
        }
        for index in (list + 2 * cells)..<content { page[index] = gap }
        return page
    }

    private static func put(_ number: Int, at offset: Int, in page: inout [UInt8]) {
        page[offset] = UInt8(number >> 8 & 0xff)
        page[offset + 1] = UInt8(number & 0xff)
    }

    /// Returns `nil` for a page that is not recognized as a b-tree page.
    private func leftovers(_ page: [UInt8], isFirst: Bool = false) -> [Range<Int>]? {
        page.withUnsafeBytes { bytes in
            BTreePage(bytes, isFirst: isFirst).map { tree in
                var found: [Range<Int>] = []
                tree.forEachLeftover { found.append($0) }
                #expect(tree.hasLeftovers == !found.isEmpty)
                return found
            }
        }
    }

    @Test(
        "Unused bytes are in the gap between the list of cells and the cells, in each type of page",
        arguments: [2, 5, 10, 13] as [UInt8])
    func gapOfAPage(type: UInt8) {
        let list = type == 2 || type == 5 ? 12 : 8
        #expect(leftovers(Self.leaf(cells: 3, gap: 7, type: type)) == [(list + 6)..<994])
        #expect(leftovers(Self.leaf(cells: 3, gap: 0, type: type)) == [])
        #expect(leftovers(Self.leaf(cells: 0, gap: 7, type: type)) == [list..<1_024])
        var last = Self.leaf(cells: 3, gap: 0, type: type)
        last[993] = 1
        #expect(leftovers(last) == [(list + 6)..<994])
    }

    @Test("Unused bytes begin after the file's header in the first page")
    func firstPage() {
        let page = Self.leaf(cells: 2, gap: 7, header: 100)
        #expect(leftovers(page, isFirst: true) == [112..<1_004])
        #expect(leftovers(page) == nil)
    }

    @Test("Unused bytes are in free blocks, except for their first four bytes")
    func freeBlocks() {
        var page = Self.leaf(cells: 3, gap: 0)
        // The second of three cells is free, and the block after the last.
        Self.put(2, at: 3, in: &page)
        Self.put(1_014, at: 10, in: &page)
        Self.put(0, at: 12, in: &page)
        Self.put(1_004, at: 1, in: &page)
        Self.put(0, at: 1_004, in: &page)
        Self.put(10, at: 1_006, in: &page)
        #expect(leftovers(page) == [1_008..<1_014])
        for index in 1_008..<1_014 { page[index] = 0 }
        #expect(leftovers(page) == [])
    }

    @Test("Unused bytes are unknown in an inconsistent page, and in one that does not belong to a b-tree")
    func inconsistentPages() {
        #expect(leftovers([UInt8](repeating: 0, count: 1_024)) == nil)
        #expect(leftovers([UInt8](repeating: 0xff, count: 1_024)) == nil)
        #expect(leftovers([]) == nil)
        // An overflow page: the number of the next one, then text.
        #expect(leftovers([0, 0, 13, 13] + [UInt8](repeating: 0x41, count: 1_020)) == nil)
        // A cell in the gap, cells that begin within their list, and cells beyond the page.
        for (offset, number) in [(8, 100), (5, 10), (5, 2_000), (3, 600)] {
            var page = Self.leaf(cells: 3, gap: 7)
            Self.put(number, at: offset, in: &page)
            #expect(leftovers(page) == nil, "\(number) at \(offset)")
        }
        // Free blocks that point backwards, into the gap, or beyond the page.
        for (next, length) in [(1_004, 10), (500, 10), (0, 1_000), (0, 2)] {
            var page = Self.leaf(cells: 3, gap: 7)
            Self.put(1_004, at: 1, in: &page)
            Self.put(next, at: 1_004, in: &page)
            Self.put(length, at: 1_006, in: &page)
            #expect(leftovers(page) == nil, "next \(next), length \(length)")
        }
    }

    @Test("Unused bytes never extend beyond the page, whatever its content")
    func randomPages() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            var page = (0..<512).map { _ in UInt8.random(in: 0...255, using: &random) }
            page[0] = [2, 5, 10, 13].randomElement() ?? 13
            // There are few cells, so that some pages are intact.
            Self.put(Int.random(in: 0...2), at: 3, in: &page)
            Self.put(Int.random(in: 100...512), at: 5, in: &page)
            if Bool.random() { Self.put(0, at: 1, in: &page) }
            for range in leftovers(page) ?? [] { #expect(range.lowerBound >= 8 && range.upperBound <= 512) }
        }
    }
}
