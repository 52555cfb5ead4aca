import Messaging
import Storage
import Upstream

extension DoctorCheck {
    /// The versions of the C libraries that this program has loaded; the services beside it load the same.
    static let libraries = DoctorCheck("libraries") { _ in
        [
            libzmq(version: Messaging.libraryVersion), libcurl(version: HTTPTransport.curlVersion),
            sqlite(version: Database.libraryVersion),
        ]
    }

    static func libzmq(version: String) -> Finding {
        guard LibraryVersion(version) >= LibraryVersion(4, 3, 0) else {
            return .problem("libzmq is \(version).", "Install 4.3.0 or later (Debian 12 has 4.3.4).")
        }
        guard Messaging.libraryHasCurve else {
            return .warning(
                "libzmq \(version) was built without CURVE: only ipc:// and loopback endpoints can be used.",
                "Install a libzmq built with libsodium, such as Debian's.")
        }
        return .ok("libzmq \(version).")
    }

    static func libcurl(version: String) -> Finding {
        // The first with CURLOPT_PREREQFUNCTION, without which one permit could pay for two requests.
        guard LibraryVersion(version) >= LibraryVersion(7, 80, 0) else {
            return .problem("libcurl is \(version).", "Install 7.80.0 or later (Debian 12 has 7.88.1).")
        }
        return .ok("libcurl \(version).")
    }

    static func sqlite(version: String) -> Finding {
        guard LibraryVersion(version) >= LibraryVersion(3, 35, 0) else {
            return .problem("SQLite is \(version).", "Install 3.35.0 or later (Debian 12 has 3.40.1).")
        }
        guard hasWALResetBug(LibraryVersion(version)) else {
            return .ok("SQLite \(version), which has no WAL-reset bug.")
        }
        return .ok(
            "SQLite \(version), which by its number has the WAL-reset bug (sqlite.org/wal.html). Backline is not "
                + "affected: all writes and checkpoints of all processes take the lock file beside the database, and "
                + "only the gateway makes checkpoints. Other programs that write must take that lock too.")
    }

    /// True for 3.7.0 to 3.51.2, except for the releases that the fix was backported to (sqlite.org/wal.html).
    static func hasWALResetBug(_ version: LibraryVersion) -> Bool {
        guard version >= LibraryVersion(3, 7, 0), version <= LibraryVersion(3, 51, 2) else { return false }
        let hasBackport = version.minor == 44 && version.patch >= 6 || version.minor == 50 && version.patch >= 7
        return !hasBackport
    }
}

/// A version of three numbers.
struct LibraryVersion: Comparable {
    var major: Int
    var minor: Int
    var patch: Int

    init(_ major: Int, _ minor: Int, _ patch: Int) {
        (self.major, self.minor, self.patch) = (major, minor, patch)
    }

    /// Parts that are missing or not a number are 0.
    init(_ text: String) {
        let parts = text.split(separator: ".").map { Int($0.prefix { $0.isNumber }) ?? 0 } + [0, 0, 0]
        self.init(parts[0], parts[1], parts[2])
    }

    static func < (left: LibraryVersion, right: LibraryVersion) -> Bool {
        (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
    }
}
