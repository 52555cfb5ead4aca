import JobStorage
import PermitStorage
import Storage

extension [RestoreMark] {
    /// What a restore changes besides the engine's own tables.
    package static let all: Self = [.jobs, .permits]
}
