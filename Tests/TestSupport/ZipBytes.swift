import Foundation

/// Zip archives built byte by byte, in ways in which no program writes them (APPNOTE.TXT of PKWARE). Their entries are
/// stored.
package enum ZipBytes {
    package struct Entry {
        package var name: String
        package var content: Data
        /// The size in the directory, if it differs from the true one.
        package var size: UInt64?
        /// The compression method: 0 means stored.
        package var method: UInt64 = 0

        package init(name: String, content: Data, size: UInt64? = nil, method: UInt64 = 0) {
            (self.name, self.content, self.size, self.method) = (name, content, size, method)
        }
    }

    /// - Parameter sizes: the number of entries and of the directory's bytes in the end-of-directory record.
    package static func archive(
        of entries: [Entry], count: UInt64? = nil, size: UInt64? = nil, ends: Int = 1, hasEnd64: Bool = false
    ) -> [UInt8] {
        var (bytes, directory) = ([UInt8](), [UInt8]())
        for entry in entries {
            let (name, place) = (Array(entry.name.utf8), bytes.count)
            let (crc, length) = (crc32(entry.content), UInt64(entry.content.count))
            bytes +=
                number(0x0403_4B50, 4) + number(20, 2) + number(0, 2) + number(entry.method, 2) + number(0x5821_0000, 4)
            bytes +=
                number(crc, 4) + number(length, 4) + number(length, 4) + number(UInt64(name.count), 2) + number(0, 2)
            bytes += name + entry.content
            // A 64-bit size is in a field of its own.
            let extra = entry.size.map { number(1, 2) + number(8, 2) + number($0, 8) } ?? []
            directory += number(0x0201_4B50, 4) + number(45, 2) + number(45, 2) + number(0, 2) + number(entry.method, 2)
            directory += number(0x5821_0000, 4) + number(crc, 4) + number(length, 4)
            directory += number(entry.size == nil ? length : 0xFFFF_FFFF, 4) + number(UInt64(name.count), 2)
            directory += number(UInt64(extra.count), 2) + number(0, 2) + number(0, 2) + number(0, 2) + number(0, 4)
            directory += number(UInt64(place), 4) + name + extra
        }
        let start = UInt64(bytes.count)
        let (count, size) = (count ?? UInt64(entries.count), size ?? UInt64(directory.count))
        bytes += directory
        if hasEnd64 {
            let end = UInt64(bytes.count)
            bytes +=
                number(0x0606_4B50, 4) + number(44, 8) + number(45, 2) + number(45, 2) + number(0, 4) + number(0, 4)
            bytes += number(count, 8) + number(count, 8) + number(size, 8) + number(start, 8)
            bytes += number(0x0706_4B50, 4) + number(0, 4) + number(end, 8) + number(1, 4)
        }
        for _ in 0..<ends {
            bytes += number(0x0605_4B50, 4) + number(0, 2) + number(0, 2)
            bytes += number(hasEnd64 ? 0xFFFF : count, 2) + number(hasEnd64 ? 0xFFFF : count, 2)
            bytes += number(hasEnd64 ? 0xFFFF_FFFF : size, 4) + number(start, 4) + number(0, 2)
        }
        return bytes
    }

    package static func archive(_ entries: [(name: String, content: Data)]) -> [UInt8] {
        archive(of: entries.map { Entry(name: $0.name, content: $0.content) })
    }

    private static func number(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func crc32(_ data: Data) -> UInt64 {
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in data {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return UInt64(~crc)
    }
}
