import Storage

extension RestoreMark {
    /// As after a restart of the machine, each slot is busy for one window from when it is first looked at.
    package static let permits = RestoreMark("UPDATE permit_slots SET boot = ''")
}
