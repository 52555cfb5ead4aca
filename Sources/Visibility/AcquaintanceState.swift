import Storage

/// Whether an acquaintance of two people may end: `relation_changes.state`.
enum AcquaintanceState: Sendable {
    /// There was something between the two when the row was last looked at.
    case present
    /// The row is looked at when every device that can resume has read its change.
    case changed
    /// Something was between the two whose end is not recorded, such as a reaction: the row stays.
    case lasting

    /// Its number, as part of a statement: a bound value would hide from the database which index has the rows.
    var sql: SQL {
        switch self {
        case .present: "0"
        case .changed: "1"
        case .lasting: "2"
        }
    }
}
