import Foundation
import Model

/// Checks what the end of a zip archive says about its directory (PKWARE's APPNOTE.TXT, 4.3.14 to 4.3.16). libzip reads
/// the whole directory into memory before its entries can be counted, so this check comes first.
enum ZipDirectory {
    /// The most bytes of a directory: a kilobyte for each entry.
    private static let mostBytes: UInt64 = 1 << 20
    /// The end record is followed by a comment, whose content may look like another end record. libzip tries each of
    /// them.
    private static let mostEnds = 4

    private static let longestComment = 65_535
    private static let endSize = 22
    private static let locatorSize = 20
    private static let end64Size = 56

    static let damaged = LibraryFileError(
        "The zip archive is damaged or incomplete. Download it again, and send the whole file.")

    private static let severalArchives = LibraryFileError(
        "The file contains several zip archives. Send them one by one.")

    static func tooManyEntries(_ count: UInt64) -> LibraryFileError {
        LibraryFileError(
            "The zip archive has \(count) entries. At most \(ZipArchive.mostEntries) are read: send a smaller one.")
    }

    /// Refuses an archive whose directory is too large.
    static func check(_ path: String) throws(LibraryFileError) {
        guard let file = FileHandle(forReadingAtPath: path), let size = try? file.seekToEnd() else { throw damaged }
        defer { try? file.close() }
        let length = min(size, UInt64(longestComment + endSize + locatorSize))
        guard let bytes = read(file, at: size - length, Int(length)), bytes.count >= endSize else { throw damaged }
        var ends = 0
        for offset in 0...(bytes.count - endSize) where signature(bytes, at: offset) == 0x0605_4B50 {
            ends += 1
            guard ends <= mostEnds else { throw severalArchives }
            let (count, size) = (number(bytes, at: offset + 10, 2), number(bytes, at: offset + 12, 4))
            // These values mean that the actual number is in the ZIP64 end record.
            try check(count: count == 0xFFFF ? 0 : count, size: size == 0xFFFF_FFFF ? 0 : size)
            // Archives with larger numbers have a ZIP64 end record, and its position precedes this one.
            guard offset >= locatorSize, signature(bytes, at: offset - locatorSize) == 0x0706_4B50,
                let end64 = read(file, at: number(bytes, at: offset - locatorSize + 8, 8), end64Size),
                end64.count == end64Size
            else { continue }
            try check(count: number(end64, at: 32, 8), size: number(end64, at: 40, 8))
        }
        guard ends > 0 else { throw damaged }
    }

    private static func check(count: UInt64, size: UInt64) throws(LibraryFileError) {
        guard count <= ZipArchive.mostEntries else { throw tooManyEntries(count) }
        guard size <= mostBytes else {
            throw LibraryFileError(
                "The directory of the zip archive is larger than \(mostBytes >> 20) MiB. Send a smaller archive.")
        }
    }

    private static func read(_ file: FileHandle, at offset: UInt64, _ count: Int) -> [UInt8]? {
        // FileHandle's offsets are signed.
        guard offset <= UInt64(Int64.max), (try? file.seek(toOffset: offset)) != nil else { return nil }
        return (try? file.read(upToCount: count)).map { Array($0) }
    }

    private static func signature(_ bytes: [UInt8], at offset: Int) -> UInt64 { number(bytes, at: offset, 4) }

    /// A little-endian number. Its bytes must exist.
    private static func number(_ bytes: [UInt8], at offset: Int, _ count: Int) -> UInt64 {
        bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
