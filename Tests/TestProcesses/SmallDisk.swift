import Foundation
import TestSupport

/// A tmpfs of a few megabytes that a test can fill and make read-only.
package final class SmallDisk: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        init(_ what: String) { description = "\(what): \(String(cString: strerror(errno)))" }
    }

    /// Whether this account may mount a file system. Tests that need it are skipped otherwise.
    package static let isPossible: Bool = {
        guard let folder = try? TemporaryFolder(), let disk = try? SmallDisk(at: folder.file("disk"), megabytes: 1)
        else { return false }
        disk.unmount()
        return true
    }()

    package let path: String

    /// Creates a folder and mounts the disk there.
    package init(at path: String, megabytes: Int) throws {
        self.path = path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(megabytes)m,mode=0700") == 0 else {
            throw Failure("No tmpfs can be mounted")
        }
    }

    private var ballast: String { path + "/ballast" }

    /// Uses all free space.
    package func fill() throws {
        let descriptor = open(ballast, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure("No ballast") }
        defer { close(descriptor) }
        // Writes a page at a time, so that not even one page is left.
        let page = [UInt8](repeating: 0xbb, count: 4_096)
        while write(descriptor, page, page.count) > 0 {}
        guard errno == ENOSPC else { throw Failure("The disk was not filled") }
    }

    /// Frees the space that ``fill()`` used.
    package func makeRoom() throws {
        guard unlink(ballast) == 0 else { throw Failure("The ballast cannot be removed") }
    }

    /// Fails while a process has a file on the disk open for writing.
    package func setReadOnly(_ isReadOnly: Bool) throws {
        let flags = UInt(MS_REMOUNT) | (isReadOnly ? UInt(MS_RDONLY) : 0)
        guard mount(nil, path, nil, flags, nil) == 0 else { throw Failure("The disk cannot be remounted") }
    }

    package func unmount() {
        // The disk is removed once no process has an open file on it.
        umount2(path, Int32(MNT_DETACH))
    }
}
