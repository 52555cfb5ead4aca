import Foundation

/// Finds the processes that hold a lock on a file.
package enum FileLock {
    /// The processes with a lock of any kind on the file at `path`, from `/proc/locks`. Processes in other containers
    /// are missing; ``isHeld(_:)`` also detects those.
    package static func holders(of path: String) -> [Int32] {
        var found: [Int32] = []
        for entry in entries(of: path, where: { _ in true }) {
            let process = entry.kind == descriptionLock ? holder(ofDescriptionLock: path) : entry.process
            if let process, !found.contains(process) { found.append(process) }
        }
        return found
    }

    /// How `/proc` names locks of open file descriptions (fcntl(2), "Open file description locks").
    private static let descriptionLock = "OFDLCK"

    /// The process with a lock of an open file description on the file at `path`; `nil` when no process has one, or
    /// when it cannot be seen.
    ///
    /// `/proc/locks` shows no process for such locks. The file descriptors of the process do.
    package static func holder(ofDescriptionLock path: String) -> Int32? {
        var wanted = stat()
        guard stat(path, &wanted) == 0, !entries(of: path, where: { $0 == descriptionLock }).isEmpty else { return nil }
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        for process in processes.compactMap({ Int32($0) }) {
            let folder = "/proc/\(process)"
            // The list is empty for processes of other accounts.
            for descriptor in (try? FileManager.default.contentsOfDirectory(atPath: folder + "/fd")) ?? [] {
                var open = stat()
                guard stat("\(folder)/fd/\(descriptor)", &open) == 0, open.st_ino == wanted.st_ino,
                    open.st_dev == wanted.st_dev,
                    let info = FileHandle(forReadingAtPath: "\(folder)/fdinfo/\(descriptor)")?.readDataToEndOfFile()
                else { continue }
                // "lock:\t1: OFDLCK ADVISORY  WRITE -1 fe:01:131090 0 0"
                let hasLock = String(decoding: info, as: UTF8.self).split(separator: "\n").contains {
                    $0.hasPrefix("lock:") && $0.contains(" \(descriptionLock) ")
                }
                if hasLock { return process }
            }
        }
        return nil
    }

    /// Whether a process has an exclusive `flock` on the file at `path`; `false` for a missing file. Takes a shared
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
        entries(of: path) { $0 == "FLOCK" }.first?.process
    }

    /// The locks of certain kinds on the file at `path`, from `/proc/locks`.
    private static func entries(
        of path: String, where isWanted: (_ kind: Substring) -> Bool
    ) -> [(kind: Substring, process: Int32)] {
        // The list may change while it is read page by page, so that an entry can be missed. Three misses in a row are
        // unlikely.
        for _ in 0..<3 {
            let entries = table(of: path).filter { isWanted($0.kind) }
            if !entries.isEmpty { return entries }
        }
        return []
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
