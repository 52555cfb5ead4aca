import Foundation
import Storage

/// A text that is put into a database, and is to be in none of its files afterwards.
struct PlantedText {
    let text = "Planted-\(UInt64.random(in: 0...UInt64.max))"

    /// In which files of a database, and how often.
    func places(in path: String) -> [String: Int] {
        let wanted = Array(text.utf8)
        var found: [String: Int] = [:]
        for suffix in ["", "-wal", "-shm"] {
            guard let data = FileManager.default.contents(atPath: path + suffix) else { continue }
            var count = 0
            data.withUnsafeBytes { bytes in
                var index = 0
                while index + wanted.count <= bytes.count {
                    if bytes[index] == wanted[0],
                        bytes[index..<(index + wanted.count)].elementsEqual(wanted)
                    {
                        count += 1
                    }
                    index += 1
                }
            }
            if count > 0 { found[suffix] = count }
        }
        return found
    }

    /// Writes it into the gaps of all pages of b-trees that have room, as releases left rows there that wrote pages as
    /// they were.
    ///
    /// - Returns: into how many.
    func writeIntoGaps(ofFile path: String) throws -> Int {
        let url = URL(fileURLWithPath: path)
        var data = try Data(contentsOf: url)
        let size = Int(data[16]) << 8 | Int(data[17])
        let wanted = Data(text.utf8)
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
        // In place: another file would have another name for the locks.
        let file = try FileHandle(forWritingTo: url)
        try file.write(contentsOf: data)
        try file.close()
        return count
    }
}
