/// How many bytes of payloads a write of hand-outs may bring to workers: what they are is known when they are read.
extension DispatchState {
    /// A write of these claims begins; there is one at a time. What it may bring to a worker is not given to
    /// submissions meanwhile.
    ///
    /// - Returns: the bytes of payloads with which it takes no more: what the fullest of their workers has room for.
    ///   They are in memory at once, and all other processes wait while they are read; thousands of usual jobs stay far
    ///   below.
    mutating func beginWrite(of claims: [DispatchAction.Claim]) -> Int {
        var room = ConnectedWorker.maximumBytes
        var last: String?
        // Neighbours go to the same worker nearly always.
        for claim in claims where claim.worker != last {
            last = claim.worker
            if let worker = workers[claim.worker] { room = min(room, worker.roomForPayloads) }
        }
        bytesBeingClaimed = [:]
        for claim in claims {
            // A payload that is in memory is short, and its length known: such jobs keep no submission out.
            let bytes = claim.job.parcel.map(\.payload.utf8.count) ?? room
            bytesBeingClaimed[claim.worker] = min(room, bytesBeingClaimed[claim.worker, default: 0] + bytes)
        }
        return room
    }

    /// The write has ended, whatever became of it.
    mutating func endWrite() {
        bytesBeingClaimed = [:]
    }

    /// The bytes of payloads that a worker can be given by a submission now, the last of which may go beyond.
    func roomForSubmission(_ worker: ConnectedWorker, epoch: String) -> Int {
        max(0, worker.roomForPayloads - bytesBeingClaimed[epoch, default: 0])
    }
}
