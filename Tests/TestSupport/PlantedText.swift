import Foundation

/// A text that a test puts into a database and later searches for in the files.
package struct PlantedText: Sendable {
    package let text = "Planted-\(UInt64.random(in: 0...UInt64.max))"

    package init() {}

    /// The number of occurrences in each file of a database, by suffix. The `-shm` file is left out: it contains only
    /// page numbers, and closing it would drop the locks that SQLite has on it in this process.
    package func places(in path: String) -> [String: Int] {
        let wanted = Array(text.utf8)
        var found: [String: Int] = [:]
        for suffix in ["", "-wal"] {
            guard let data = FileManager.default.contents(atPath: path + suffix) else { continue }
            var count = 0
            data.withUnsafeBytes { bytes in
                var rest = bytes[...]
                while rest.count >= wanted.count, let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress,
                    let candidate = memchr(start, Int32(wanted[0]), rest.count - wanted.count + 1)
                {
                    let isMatch = memcmp(candidate, wanted, wanted.count) == 0
                    if isMatch { count += 1 }
                    rest = rest.dropFirst(UnsafeRawPointer(candidate) - start + (isMatch ? wanted.count : 1))
                }
            }
            if count > 0 { found[suffix] = count }
        }
        return found
    }

    /// Writes the text into the gaps of all b-tree pages with room for it, where releases without `ZeroingVFS` left
    /// copies of rows.
    ///
    /// - Returns: the number of pages.
    package func writeIntoGaps(ofFile path: String) throws -> Int {
        let url = URL(fileURLWithPath: path)
        var data = try Data(contentsOf: url)
        let size = Int(data[16]) << 8 | Int(data[17])
        let wanted = Array(text.utf8)
        var count = 0
        for page in stride(from: 0, to: data.count, by: size) {
            let header = page == 0 ? 100 : page
            guard let list = [2: 12, 5: 12, 10: 8, 13: 8][data[header]] else { continue }
            func number(at offset: Int) -> Int { Int(data[header + offset]) << 8 | Int(data[header + offset + 1]) }
            let begin = header + list + 2 * number(at: 3)
            guard page + number(at: 5) - begin > wanted.count else { continue }
            data.replaceSubrange(begin..<(begin + wanted.count), with: wanted)
            count += 1
        }
        // The file is written in place, because a new file would have another inode and therefore other locks.
        let file = try FileHandle(forWritingTo: url)
        try file.write(contentsOf: data)
        try file.close()
        return count
    }
}
