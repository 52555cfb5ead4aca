import Foundation
import Glibc

/// The path of a database, and the files beside it.
package enum DatabasePath {
    /// The path of the file itself, with links resolved, even if the file does not exist yet. SQLite puts its log
    /// beside that file, and processes their locks: through two paths of one database they would use different ones.
    package static func resolved(_ path: String) -> String {
        var path = path
        for _ in 0..<maximumLinks {
            if let found = real(path) { return found }
            // The path may be a link to a file that does not exist yet.
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { break }
            path = target.hasPrefix("/") ? target : folder(of: path) + "/" + target
        }
        guard let folder = real(folder(of: path)) else { return path }
        return (folder == "/" ? "" : folder) + "/" + URL(fileURLWithPath: path).lastPathComponent
    }

    /// Opens a file of the database for reading and writing. A missing file is created with access for its owner only.
    /// If root runs a command for a service with another account, the owner becomes that of the first existing file
    /// among `others`.
    ///
    /// - Returns: the descriptor; negative for an error, with `errno` set.
    static func open(_ path: String, ownedAs others: [String]) -> Int32 {
        while true {
            // An exclusive open follows no link, so that no other file changes its owner.
            let made = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            if made >= 0 {
                give(made, toOwnerOfFirstOf: others)
                return made
            }
            guard errno == EEXIST else { return made }
            let known = Glibc.open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
            // It may have been deleted meanwhile.
            if known >= 0 || errno != ENOENT { return known }
        }
    }

    static func folder(of path: String) -> String {
        URL(fileURLWithPath: path).deletingLastPathComponent().path
    }

    private static let maximumLinks = 40

    private static func real(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }

    private static func give(_ descriptor: Int32, toOwnerOfFirstOf others: [String]) {
        guard geteuid() == 0 else { return }
        var status = stat()
        guard others.contains(where: { stat($0, &status) == 0 }), status.st_uid != 0 else { return }
        // If that is not allowed, as in a container without the capability, root remains the owner.
        _ = fchown(descriptor, status.st_uid, status.st_gid)
    }
}
