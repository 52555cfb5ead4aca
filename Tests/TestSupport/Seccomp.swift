import Foundation

/// Whether the kernel has what picture-helper confines itself with: it reads nothing without.
package enum Seccomp {
    package static let isMissing: Bool = {
        let probe = try? SpawnedProcess(
            Executable.product("sandbox-probe"), ["nothing"], hasInput: false, environment: [:], folder: "/")
        guard let probe else { return false }
        probe.waitForEnd()
        close(probe.output)
        close(probe.errors)
        return probe.reap() == .exited(7)
    }()

    package static let whyNot = "this kernel lacks seccomp filters, without which picture-helper reads nothing"
}
