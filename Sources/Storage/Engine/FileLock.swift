import Foundation

/// Finds the processes that hold a lock on a file.
package enum FileLock {
    /// The processes with a lock of any kind on the file at `path`, from `/proc/locks`. Processes of other containers
    /// are missing; ``isHeld(_:)`` finds those too.
    package static func holders(of path: String) -> [Int32] {
        var found: [Int32] = []
        for entry in table(of: path) where !found.contains(entry.process) { found.append(entry.process) }
        return found
    }

    /// Whether a process has an exclusive `flock` on the file at `path`; `false` for a missing file. It takes a shared
    /// lock for a moment.
    package static func isHeld(_ path: String) -> Bool {
        if holder(ofFlock: path) != nil { return true }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    /// The process with a `flock` on the file at `path`; `nil` when no process has one, or when it cannot be seen.
    package static func holder(ofFlock path: String) -> Int32? {
        // The list may change while it is read page by page, so that an entry can be missed. Three misses in a row are
        // unlikely.
        for _ in 0..<3 {
            if let entry = table(of: path).first(where: { $0.kind == "FLOCK" }) { return entry.process }
        }
        return nil
    }

    private static func table(of path: String) -> [(kind: Substring, process: Int32)] {
        var status = stat()
        guard stat(path, &status) == 0,
            // `String(contentsOfFile:)` reads only the first page of a file in /proc.
            let table = FileHandle(forReadingAtPath: "/proc/locks")?.readDataToEndOfFile()
        else { return [] }
        return String(decoding: table, as: UTF8.self).split(separator: "\n").compactMap { line in
            // "3: FLOCK  ADVISORY  WRITE 4711 fe:01:131090 0 EOF"; a waiting entry has "->" after the number.
            let fields = line.split(separator: " ")
            guard fields.count >= 6, fields[1] != "->", fields[5].hasSuffix(":\(status.st_ino)"),
                let process = Int32(fields[4])
            else { return nil }
            return (fields[1], process)
        }
    }
}
