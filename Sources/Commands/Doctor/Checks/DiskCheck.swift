import CommandSupport
import Foundation

extension DoctorCheck {
    /// Free space for the database, and whether its file system is local and writable.
    static let disk = DoctorCheck("disk") { context in
        let folder = existingFolder(of: context.processes.databaseFolder)
        var space = statvfs()
        guard statvfs(folder, &space) == 0 else {
            return [
                .problem(
                    "\(folder) cannot be checked: \(String(cString: strerror(errno))).", "Set another database.path."
                )
            ]
        }
        let free = Int64(space.f_bavail) * Int64(space.f_frsize)
        let total = Int64(space.f_blocks) * Int64(space.f_frsize)
        return [
            space.f_flag & UInt(ST_RDONLY) == 0
                ? nil
                : .problem(
                    "The disk of \(folder) is mounted read-only: no job is accepted.",
                    "If the kernel did that, its log (dmesg) says why. Then: mount -o remount,rw"),
            spaceFinding(free: free, total: total, folder: folder),
            fileSystemFinding(folder),
            space.f_files > 0 && space.f_favail < 1_000
                ? .problem("The disk has room for only \(space.f_favail) more files.", "Delete files.")
                : nil,
        ].compactMap { $0 }
    }

    static func spaceFinding(free: Int64, total: Int64, folder: String) -> Finding {
        let text = "\(HumanTime.bytes(free)) of \(HumanTime.bytes(total)) are free on the disk of \(folder)."
        if free < 128 << 20 {
            return .problem(text, "Free some space now: without any, no job is accepted.")
        }
        if free < 1 << 30 || free < total / 50 {
            return .warning(text, "Free some space. Finished jobs are deleted after jobs.retentionHours.")
        }
        return .ok(text)
    }

    /// SQLite's shared memory and the write lock need a local disk (sqlite.org/wal.html, section 1).
    private static func fileSystemFinding(_ folder: String) -> Finding? {
        guard let table = FileHandle(forReadingAtPath: "/proc/self/mountinfo")?.readDataToEndOfFile(),
            let type = fileSystem(
                of: URL(fileURLWithPath: folder).resolvingSymlinksInPath().path,
                mounts: String(decoding: table, as: UTF8.self))
        else { return nil }
        return networkFinding(type: type, folder: folder)
    }

    static func networkFinding(type: String, folder: String) -> Finding? {
        let networks = [
            "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "lustre", "afs", "ceph", "glusterfs", "fuse.sshfs",
        ]
        guard networks.contains(type) else { return nil }
        return .problem(
            "\(folder) is on a network file system (\(type)), where processes do not see each other's locks.",
            "Move the database to a local disk: stop everything, then use 'backline backup' and 'backline restore'.")
    }

    /// The type of the mount that a path is on (proc(5), mountinfo).
    static func fileSystem(of path: String, mounts: String) -> String? {
        var best: (length: Int, type: String)?
        for line in mounts.split(separator: "\n") {
            // "36 35 98:0 /root /mount/point rw,noatime master:1 - ext3 /dev/root rw": the type follows the hyphen.
            let fields = line.split(separator: " ")
            guard let hyphen = fields.firstIndex(of: "-"), fields.count > hyphen + 1, fields.count > 4 else { continue }
            let point = fields[4].replacing("\\040", with: " ")
            guard path == point || path.hasPrefix(point.hasSuffix("/") ? point : point + "/") else { continue }
            // If a point has several mounts, the last one is visible.
            if point.count >= best?.length ?? 0 { best = (point.count, String(fields[hyphen + 1])) }
        }
        return best?.type
    }

    private static func existingFolder(of path: String) -> String {
        var url = URL(fileURLWithPath: path)
        while !FileManager.default.fileExists(atPath: url.path), url.path != "/" { url.deleteLastPathComponent() }
        return url.path
    }
}
