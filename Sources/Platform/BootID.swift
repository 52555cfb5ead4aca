import Foundation

/// The identity of this boot of the machine (`/proc/sys/kernel/random/boot_id`).
package enum BootID {
    /// The id is read once, because it cannot change while a process lives.
    package static let current: String =
        (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8))?
        .trimmingCharacters(in: .whitespacesAndNewlines) ?? "unknown-boot"
}
