import Glibc

/// Metrics of this process from the kernel (proc(5)).
package enum ProcessMetrics {
    package static func collect(into snapshot: inout MetricSnapshot) {
        var time = timespec()
        if clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 {
            snapshot.set(.processCPU, to: time.tv_sec * 1_000_000 + time.tv_nsec / 1_000)
        }
        if let pages = residentPages { snapshot.set(.processMemory, to: pages * sysconf(Int32(_SC_PAGESIZE))) }
        if let files = openFiles { snapshot.set(.processFiles, to: files) }
        if let startTime { snapshot.set(.processStart, to: startTime) }
    }

    /// The second number of `statm`.
    private static var residentPages: Int? {
        text(ofFile: "/proc/self/statm")?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }

    private static var openFiles: Int? {
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        var count = 0
        while let entry = readdir(folder) {
            // Skips "." and "..".
            if entry.pointee.d_name.0 != UInt8(ascii: ".") { count += 1 }
        }
        // The descriptor of the folder itself does not count.
        return count - 1
    }

    /// The process's start in microseconds since 1970; computed once.
    private static let startTime: Int? = {
        // The second field, the program's name, may contain anything; it ends with the last parenthesis.
        guard let stat = text(ofFile: "/proc/self/stat"), let end = stat.lastIndex(of: ")"),
            let ticks = stat[stat.index(after: end)...].split(separator: " ").dropFirst(19).first.flatMap({ Int($0) })
        else { return nil }
        var (wall, boot) = (timespec(), timespec())
        clock_gettime(CLOCK_REALTIME, &wall)
        clock_gettime(CLOCK_BOOTTIME, &boot)
        let bootedAt = (wall.tv_sec - boot.tv_sec) * 1_000_000 + (wall.tv_nsec - boot.tv_nsec) / 1_000
        return bootedAt + ticks * 1_000_000 / sysconf(Int32(_SC_CLK_TCK))
    }()

    /// The text of a small file in /proc.
    private static func text(ofFile path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 2_048)
        let count = read(descriptor, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
}
