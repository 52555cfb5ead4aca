import CZip
import Foundation

/// A zip archive whose entries are read one after another. Archives that would exhaust the machine's memory or time are
/// refused.
final class ZipArchive {
    /// The most entries of an archive.
    static let mostEntries = 1_000
    /// The most uncompressed bytes of all entries together.
    static let mostBytes: UInt64 = 4 << 30
    /// The largest factor by which an entry may grow when it is unpacked. Text grows by a factor of about ten.
    static let largestRatio: UInt64 = 200
    /// In bytes. Smaller entries may grow by any factor.
    private static let smallEntry: UInt64 = 1 << 20

    struct Entry {
        let index: UInt64
        let name: String
        /// The size according to the archive's directory. No more than this is read.
        let bytes: UInt64
        let isReadable: Bool
        let isEncrypted: Bool
    }

    private let archive: OpaquePointer
    /// The entries in the order of the archive, without folders and the files that operating systems add.
    let entries: [Entry]

    init(path: String) throws(LibraryFileError) {
        try ZipDirectory.check(path)
        var code: Int32 = 0
        guard let archive = zip_open(path, ZIP_RDONLY, &code) else { throw ZipDirectory.damaged }
        let count = zip_get_num_entries(archive, 0)
        guard count <= Self.mostEntries else {
            zip_discard(archive)
            throw ZipDirectory.tooManyEntries(UInt64(count))
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
            let isBomb = facts.size > Self.smallEntry && facts.size / max(1, facts.comp_size) > Self.largestRatio
            guard !isBomb, let sum = total.adding(facts.size, atMost: Self.mostBytes) else {
                refusal = Self.tooLarge(name)
                break
            }
            total = sum
            // Other methods can unpack a few bytes into any number of them, or need gigabytes of memory.
            let isReadable = [UInt16(ZIP_CM_STORE), UInt16(ZIP_CM_DEFLATE)].contains(facts.comp_method)
            entries.append(
                Entry(
                    index: index, name: name, bytes: facts.size, isReadable: isReadable,
                    isEncrypted: facts.encryption_method != 0))
        }
        self.entries = entries
        if let refusal { throw refusal }
    }

    deinit { zip_discard(archive) }

    func bytes(of entry: Entry) throws(LibraryFileError) -> any ByteSource {
        guard !entry.isEncrypted else {
            throw LibraryFileError("The file is encrypted. Unpack the archive, and zip the files without a password.")
        }
        guard entry.isReadable else {
            throw LibraryFileError(
                "The file is compressed with a method that is not supported. Zip it with Deflate, as most programs do.")
        }
        guard let file = zip_fopen_index(archive, entry.index, 0) else {
            throw Self.damaged(entry.name)
        }
        return ZipEntryBytes(file, entry)
    }

    private static func tooLarge(_ name: String) -> LibraryFileError {
        LibraryFileError(
            "“\(name)” in the zip archive becomes too large when it is unpacked. Unpack the archive, and send the file "
                + "that you want to import.")
    }

    fileprivate static func damaged(_ name: String) -> LibraryFileError {
        var error = LibraryFileError(
            "“\(FileValues.name(name))” in the zip archive is damaged. Download the archive again, and send the whole file."
        )
        error.isOfDamagedArchive = true
        return error
    }
}

/// The bytes of an entry. The archive must outlive it.
private final class ZipEntryBytes: ByteSource {
    private let file: OpaquePointer
    private let entry: ZipArchive.Entry
    private var total: UInt64 = 0

    init(_ file: OpaquePointer, _ entry: ZipArchive.Entry) {
        (self.file, self.entry) = (file, entry)
    }

    deinit { zip_fclose(file) }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(LibraryFileError) -> Int {
        let result = zip_fread(file, buffer.baseAddress, UInt64(buffer.count))
        guard let count = Int(result, in: 0...buffer.count) else {
            throw ZipArchive.damaged(entry.name)
        }
        // The archive's directory lies about the size, or the compressed bytes have changed.
        guard let sum = total.adding(UInt64(count), atMost: entry.bytes) else {
            throw ZipArchive.damaged(entry.name)
        }
        total = sum
        return count
    }
}
