import Foundation

/// The folder of an ipc socket. Its mode keeps other users from sending jobs.
///
/// A missing folder is created silently, and the mode of one that contains only sockets is tightened silently. Any
/// other folder is refused and left unchanged, because another mode could lock its users out.
struct SocketFolder {
    let path: String
    private let socketName: String

    init(ofSocket socketPath: String) {
        let slash = socketPath.lastIndex(of: "/")
        let parent = slash.map { String(socketPath[..<$0]) } ?? "."
        path = parent.isEmpty ? "/" : parent
        socketName = String(slash.map { socketPath[socketPath.index(after: $0)...] } ?? socketPath[...])
    }

    /// Makes sure that the folder exists, has mode 0700 and belongs to this process's user.
    ///
    /// - Throws: ``MessagingError/folderNotPrivate(path:found:remedy:)`` or
    ///   ``MessagingError/callFailed(operation:code:)``.
    func makePrivate() throws(MessagingError) {
        try Self.create(path)
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .lastCall("Opening the socket folder \(path)") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .lastCall("Reading the modes of \(path)") }

        let modes = "mode " + String(status.st_mode & 0o7777, radix: 8)
        guard status.st_uid == geteuid() else {
            throw notPrivate("owned by user \(status.st_uid) with \(modes)", remedy: ownFolderAdvice)
        }
        guard status.st_mode & 0o077 != 0 else { return }
        guard status.st_mode & S_ISVTX == 0, !isSystemFolder else {
            throw notPrivate("a folder of the system or a home, with \(modes)", remedy: ownFolderAdvice)
        }
        guard holdsOnlySockets else {
            throw notPrivate(
                "of \(modes) and contains other files",
                remedy: "If nobody else needs them, run: chmod 700 '\(path)'. Otherwise: \(ownFolderAdvice)")
        }
        guard fchmod(descriptor, 0o700) == 0 else { throw .lastCall("Tightening the modes of \(path)") }
    }

    private func notPrivate(_ found: String, remedy: String) -> MessagingError {
        .folderNotPrivate(path: path, found: found, remedy: remedy)
    }

    private static func create(_ folder: String) throws(MessagingError) {
        if mkdir(folder, 0o700) == 0 { return }
        if errno == ENOENT {
            let parent = SocketFolder(ofSocket: folder).path
            // A relative path has no parent above "."; "/" always exists.
            if parent != folder, parent != "." {
                try create(parent)
                if mkdir(folder, 0o700) == 0 { return }
            }
        }
        guard errno == EEXIST else { throw .lastCall("Creating the socket folder \(folder)") }
    }

    private var ownFolderAdvice: String {
        guard access(path, W_OK) == 0 else {
            return "Choose a folder that user \(geteuid()) owns for the messaging endpoint."
        }
        let base = path == "/" ? "" : path
        return "Give the socket a folder of its own, for example ipc://\(base)/backline-\(geteuid())/\(socketName)."
    }

    /// Whether the folder belongs to the system or is a home, whose mode must not change even if it is empty.
    private var isSystemFolder: Bool {
        guard let resolved = realpath(path, nil) else { return true }
        defer { free(resolved) }
        let absolute = String(cString: resolved)
        let parts = absolute.split(separator: "/")
        return parts.count <= 1
            || parts.count == 2 && ["dev", "etc", "usr", "var"].contains(parts[0])
            || absolute == FileManager.default.homeDirectoryForCurrentUser.path
    }

    private var holdsOnlySockets: Bool {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return false }
        return names.allSatisfy { name in
            var status = stat()
            guard lstat("\(path)/\(name)", &status) == 0 else { return false }
            return status.st_mode & S_IFMT == S_IFSOCK
                || status.st_mode & S_IFMT == S_IFREG && name.hasSuffix(EndpointLock.suffix)
        }
    }
}
