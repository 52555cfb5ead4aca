/// Bounds the bytes of payloads in one write of assignments. The sizes are known only when the rows are read.
extension DispatchState {
    /// Begins a write of claims; there is one at a time. Meanwhile submissions do not get the room that it may take on
    /// a worker.
    ///
    /// - Returns: the number of payload bytes at which the write ends: the room of the fullest of its workers. All
    ///   payloads are in memory at once, and other processes' writes wait while they are read. Thousands of typical
    ///   jobs stay far below the limit.
    mutating func beginWrite(of claims: [DispatchAction.Claim]) -> Int {
        var room = ConnectedWorker.maximumBytes
        var last: String?
        // Consecutive claims nearly always go to the same worker.
        for claim in claims where claim.worker != last {
            last = claim.worker
            if let worker = workers[claim.worker] { room = min(room, worker.roomForPayloads) }
        }
        bytesBeingClaimed = [:]
        for claim in claims {
            // Payloads in memory are short and their length is known, so such jobs leave room for submissions.
            let bytes = claim.job.insertedRow.map(\.payload.utf8.count) ?? room
            bytesBeingClaimed[claim.worker] = min(room, bytesBeingClaimed[claim.worker, default: 0] + bytes)
        }
        return room
    }

    /// Ends the write, whether it succeeded or failed.
    mutating func endWrite() {
        bytesBeingClaimed = [:]
    }

    /// The bytes of payloads that a submission can give to a worker now. The last payload may exceed them.
    func payloadRoomForSubmission(_ worker: ConnectedWorker, instance: String) -> Int {
        max(0, worker.roomForPayloads - bytesBeingClaimed[instance, default: 0])
    }
}
