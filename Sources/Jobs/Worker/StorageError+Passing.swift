import Storage

extension StorageError {
    /// Whether the same write may succeed later.
    var mayPass: Bool {
        switch self {
        case .busy, .diskFull, .readOnly: true
        // Of SQLite's result codes: no memory, interrupted, input or output, cannot open, lock protocol.
        case .failed(let code, _): [7, 9, 10, 14, 15].contains(code & 0xff)
        case .cannotOpen, .corrupt, .constraint, .schemaTooNew, .schemaTooOld, .column, .transactionLost, .closed: false
        }
    }
}
