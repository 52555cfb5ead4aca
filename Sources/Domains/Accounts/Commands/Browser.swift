import CommandSupport
import Foundation

/// The desktop's browser.
enum Browser {
    /// Whether there is a desktop to open a browser on, and the command runs in a terminal.
    static var isAvailable: Bool {
        let environment = ProcessInfo.processInfo.environment
        let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0, default: ""].isEmpty == false }
        return hasDisplay && isatty(STDOUT_FILENO) == 1
    }

    /// Opens an address that contains a secret.
    ///
    /// The browser gets a private file that redirects there, since every account on the machine can read the arguments
    /// of programs.
    static func open(_ address: String) throws {
        let folder =
            ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"].flatMap { $0.isEmpty ? nil : $0 }
            ?? FileManager.default.temporaryDirectory.path
        let path = "\(folder)/backline-sign-in-\(getpid()).html"
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CommandFailure(
                description: "The browser cannot be opened, because \(path) cannot be created: "
                    + "\(String(cString: strerror(errno))).")
        }
        let page =
            "<!doctype html><meta charset=utf-8><title>Backline</title>"
            + "<meta http-equiv=refresh content=\"0;url=\(address)\">"
        try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: Data(page.utf8))
        defer { unlink(path) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["xdg-open", path]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw CommandFailure(description: "xdg-open did not find a browser. Open the link above yourself.")
        }
        // A browser that was just started may read the file only after xdg-open has ended.
        sleep(5)
    }
}
