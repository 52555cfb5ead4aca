import CSQLite
import Glibc

/// A VFS (sqlite.org/vfs.html) that passes everything to SQLite's own, with one change: the unused bytes of a page
/// (``BTreePage``) are written to a database file as zeros.
///
/// SQLite writes pages to the file only when it checkpoints the log or makes a new file (`VACUUM INTO`). So no copy of
/// a moved row gets into a file, and a deleted row is gone from the file after the next checkpoint. Unused bytes have
/// no meaning in SQLite's format: every reader, even one that reads the page meanwhile, finds the same rows.
enum ZeroingVFS {
    /// Makes this the VFS of all connections that this process opens from now on.
    ///
    /// - Parameter path: the path of the database to open, for the error.
    /// - Throws: ``StorageError/cannotOpen(path:reason:)``.
    static func use(path: String) throws {
        guard isUsed else {
            throw StorageError.cannotOpen(path: path, reason: "SQLite refuses the VFS that cleans its pages")
        }
    }

    private static let isUsed: Bool = {
        guard let original = sqlite3_vfs_find(originalName) else { return false }
        // Never freed: SQLite keeps both pointers.
        let own = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        own.initialize(to: original.pointee)
        own.pointee.zName = UnsafePointer(strdup("backline"))
        own.pointee.pNext = nil
        own.pointee.szOsFile = Int32(partOffset(of: original) + MemoryLayout<FilePart>.size)
        own.pointee.xOpen = openFile
        return sqlite3_vfs_register(own, 1) == SQLITE_OK
    }()

    /// The name of SQLite's own VFS on Linux.
    fileprivate static let originalName = "unix"

    /// The offset of ``FilePart`` in the memory of an open file, after the part of the original VFS.
    fileprivate static func partOffset(of original: UnsafeMutablePointer<sqlite3_vfs>) -> Int {
        (Int(original.pointee.szOsFile) + 15) / 16 * 16
    }

    fileprivate static func part(
        of file: UnsafeMutablePointer<sqlite3_file>, _ original: UnsafeMutablePointer<sqlite3_vfs>
    ) -> UnsafeMutablePointer<FilePart> {
        (UnsafeMutableRawPointer(file) + partOffset(of: original)).assumingMemoryBound(to: FilePart.self)
    }

    /// The state of an open database file, stored after the part of the original VFS.
    fileprivate struct FilePart {
        /// The first member, so that SQLite's pointer to the methods also points to this part.
        var methods: sqlite3_io_methods
        let original: UnsafePointer<sqlite3_io_methods>
    }

    /// An open database file. Only the thread of its connection may use it.
    struct File {
        fileprivate let file: UnsafeMutablePointer<sqlite3_file>
        fileprivate let original: sqlite3_io_methods

        /// - Returns: `nil` for a file that was opened before ``ZeroingVFS/use(path:)``.
        init?(of connection: OpaquePointer) {
            var found: UnsafeMutablePointer<sqlite3_file>?
            guard sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &found) == SQLITE_OK,
                let found, let methods = found.pointee.pMethods,
                let vfs = sqlite3_vfs_find(ZeroingVFS.originalName),
                UnsafeRawPointer(methods) == UnsafeRawPointer(ZeroingVFS.part(of: found, vfs)) as UnsafeRawPointer
            else { return nil }
            self.init(found)
        }

        fileprivate init(_ file: UnsafeMutablePointer<sqlite3_file>) {
            self.file = file
            original =
                UnsafeRawPointer(file.pointee.pMethods).assumingMemoryBound(to: FilePart.self)
                .pointee.original.pointee
        }

        /// The size in bytes.
        func size() throws -> Int64 {
            var size: Int64 = 0
            try check(original.xFileSize(file, &size))
            return size
        }

        func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws {
            try check(original.xRead(file, buffer.baseAddress, Int32(buffer.count), offset))
        }

        /// Writes bytes as they are.
        func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws {
            try check(original.xWrite(file, bytes.baseAddress, Int32(bytes.count), offset))
        }

        /// Makes all writes durable.
        func sync() throws {
            try check(original.xSync(file, SQLITE_SYNC_NORMAL))
        }

        /// Takes the lock of SQLite's checkpoints (sqlite.org/walformat.html, section 2.3.1). It excludes checkpoints
        /// of programs that do not take the write lock.
        ///
        /// - Returns: `false` if another process has it.
        func lockCheckpoints() throws -> Bool {
            let code = original.xShmLock(file, 1, 1, SQLITE_SHM_LOCK | SQLITE_SHM_EXCLUSIVE)
            if code == SQLITE_BUSY { return false }
            try check(code)
            return true
        }

        func unlockCheckpoints() {
            _ = original.xShmLock(file, 1, 1, SQLITE_SHM_UNLOCK | SQLITE_SHM_EXCLUSIVE)
        }

        /// The number of pages whose newest version has not been written to the file by a checkpoint, from the header
        /// of the log's index (sqlite.org/walformat.html, section 2.1). It changes while others hold the write lock.
        func pagesInLogAlone() throws -> Int {
            let (last, moved) = try logIndex()
            return last - moved
        }

        /// The number of pages of the log that checkpoints have written to the file.
        func pagesMovedFromLog() throws -> Int { try logIndex().moved }

        private func logIndex() throws -> (last: Int, moved: Int) {
            var index: UnsafeMutableRawPointer?
            try check(original.xShmMap(file, 0, Self.indexBlockSize, 0, &index))
            guard let index else { return (0, 0) }
            return (
                Int(index.load(fromByteOffset: 16, as: UInt32.self)),
                Int(index.load(fromByteOffset: 96, as: UInt32.self))
            )
        }

        /// The size of a block of the log's index, in bytes.
        private static let indexBlockSize: Int32 = 32_768

        private func check(_ code: Int32) throws {
            guard code == SQLITE_OK else {
                throw StorageError.failed(code: code, message: String(cString: sqlite3_errstr(code)))
            }
        }
    }
}

/// Opens a file as SQLite does. Replaces the write method if it is a database file.
private func openFile(
    _: UnsafeMutablePointer<sqlite3_vfs>?, name: UnsafePointer<CChar>?, file: UnsafeMutablePointer<sqlite3_file>?,
    flags: Int32, outFlags: UnsafeMutablePointer<Int32>?
) -> Int32 {
    guard let file, let original = sqlite3_vfs_find(ZeroingVFS.originalName) else { return SQLITE_CANTOPEN }
    let code = original.pointee.xOpen(original, name, file, flags, outFlags)
    guard code == SQLITE_OK, flags & SQLITE_OPEN_MAIN_DB != 0, let methods = file.pointee.pMethods else { return code }
    let part = ZeroingVFS.part(of: file, original)
    part.initialize(to: .init(methods: methods.pointee, original: methods))
    part.pointee.methods.xWrite = writePage
    file.pointee.pMethods = UnsafeRawPointer(part).assumingMemoryBound(to: sqlite3_io_methods.self)
    return code
}

/// Writes a page with zeros in its unused bytes. SQLite writes whole pages to a database file.
private func writePage(
    file: UnsafeMutablePointer<sqlite3_file>?, bytes: UnsafeRawPointer?, count: Int32, offset: Int64
) -> Int32 {
    guard let file, let bytes else { return SQLITE_IOERR }
    let open = ZeroingVFS.File(file)
    let page = UnsafeRawBufferPointer(start: bytes, count: Int(count))
    var size: Int64 = 0
    guard let tree = BTreePage(page, isFirst: offset == 0), tree.hasLeftovers,
        open.original.xFileSize(file, &size) == SQLITE_OK,
        max(size, offset) / Int64(count) < CleaningState.maximumPages
    else { return open.original.xWrite(file, bytes, count, offset) }
    return withUnsafeTemporaryAllocation(byteCount: page.count, alignment: 16) { clean in
        clean.copyMemory(from: page)
        tree.forEachLeftover { range in
            UnsafeMutableRawBufferPointer(rebasing: clean[range]).initializeMemory(as: UInt8.self, repeating: 0)
        }
        return open.original.xWrite(file, clean.baseAddress, count, offset)
    }
}
