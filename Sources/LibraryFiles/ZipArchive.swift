import CZip
import Foundation

/// A zip archive, whose entries are read one after the other. What would fill the machine's memory or time is refused.
final class ZipArchive {
    /// The most entries of an archive.
    static let mostEntries = 1_000
    /// The most bytes of all entries together.
    static let mostBytes = 4 << 30
    /// An entry may grow by this factor. Text grows by about ten.
    static let largestRatio: UInt64 = 200
    /// Smaller entries may grow by any factor.
    private static let smallEntry: UInt64 = 1 << 20

    struct Entry {
        let index: UInt64
        let name: String
    }

    private let archive: OpaquePointer
    /// In the order of the archive, without folders and what systems add.
    let entries: [Entry]

    init(path: String) throws(LibraryFileError) {
        var code: Int32 = 0
        guard let archive = zip_open(path, ZIP_RDONLY, &code) else {
            throw LibraryFileError(
                "The zip archive is damaged or incomplete. Download it again, and send the whole file.")
        }
        let count = zip_get_num_entries(archive, 0)
        guard count <= Self.mostEntries else {
            zip_discard(archive)
            throw LibraryFileError(
                "The zip archive has \(count) entries. At most \(Self.mostEntries) are read: send a smaller one.")
        }
        self.archive = archive
        var (entries, total) = ([Entry](), UInt64(0))
        var refusal: LibraryFileError?
        for index in 0..<UInt64(max(0, count)) {
            var facts = zip_stat_t()
            guard zip_stat_index(archive, index, 0, &facts) == 0, let text = facts.name else { continue }
            let name = String(cString: text)
            let isOfSystem = name.hasPrefix("__MACOSX/") || name.split(separator: "/").last?.hasPrefix(".") == true
            guard !name.hasSuffix("/"), !isOfSystem else { continue }
            total += facts.size
            let isBomb = facts.size > Self.smallEntry && facts.size / max(1, facts.comp_size) > Self.largestRatio
            if isBomb || total > Self.mostBytes {
                refusal = LibraryFileError(
                    "“\(name)” in the zip archive becomes too large when it is unpacked. Unpack it, and send the file "
                        + "that you mean.")
                break
            }
            entries.append(Entry(index: index, name: name))
        }
        self.entries = entries
        if let refusal { throw refusal }
    }

    deinit { zip_discard(archive) }

    func bytes(of entry: Entry) throws(LibraryFileError) -> any ByteSource {
        guard let file = zip_fopen_index(archive, entry.index, 0) else {
            throw LibraryFileError("“\(entry.name)” in the zip archive is encrypted or damaged.")
        }
        return ZipEntryBytes(file, name: entry.name)
    }
}

/// The bytes of an entry. The archive has to live as long.
private final class ZipEntryBytes: ByteSource {
    private let file: OpaquePointer
    private let name: String
    private var total = 0

    init(_ file: OpaquePointer, name: String) {
        (self.file, self.name) = (file, name)
    }

    deinit { zip_fclose(file) }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(LibraryFileError) -> Int {
        let count = zip_fread(file, buffer.baseAddress, UInt64(buffer.count))
        guard count >= 0 else { throw LibraryFileError("“\(name)” in the zip archive is damaged.") }
        total += Int(count)
        // The archive's table may lie about sizes.
        guard total <= ZipArchive.mostBytes else {
            throw LibraryFileError("“\(name)” in the zip archive becomes too large when it is unpacked.")
        }
        return Int(count)
    }
}
