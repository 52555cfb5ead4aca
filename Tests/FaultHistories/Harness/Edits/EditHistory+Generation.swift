import TestSupport

extension EditHistory {
    /// The history that a seed determines.
    package init(seed: UInt64) {
        var generator = EditHistoryGenerator(seed: seed)
        self = generator.history()
    }
}

/// Draws a history as scenes: an edit, together with what others do and what breaks at the same moment.
private struct EditHistoryGenerator: RandomDrawing {
    private let seed: UInt64
    var random: SeededRandom
    private var operations: [EditOperation] = []
    private var down: Set<Role> = []
    private var stopped: Set<Role> = []
    private var disconnected: Set<Service> = []
    private var lists = Service.allCases.flatMap { service in
        (0..<EditHistory.lists).map { ListName.given(service, $0) }
    }
    private var edits = 0
    private var hasBackup = false
    /// Whether this history restores a backup, which takes a second.
    private let restores: Bool
    /// Whether it stops workers for longer than a lease.
    private var losesLease: Bool
    /// Whether it sets the clock.
    private let setsClock: Bool

    init(seed: UInt64) {
        self.seed = seed
        random = SeededRandom(seed: seed ^ 0x6564_6974_73)
        restores = Int.random(in: 0..<8, using: &random) == 0
        losesLease = Int.random(in: 0..<6, using: &random) == 0
        setsClock = Int.random(in: 0..<6, using: &random) == 0
    }

    mutating func history() -> EditHistory {
        let setup = EditHistory.Setup(
            latency: number(1...20), concurrency: number(1...3), entries: chance(12) ? 110 : number(2...8),
            showsAfterCalls: chance(2) ? 0 : number(1...8), showsDatesAtOnce: chance(2))
        for _ in 0..<number(3...7) { addScene() }
        return EditHistory(seed: seed, setup: setup, operations: operations)
    }

    private mutating func addScene() {
        repair()
        if restores, !hasBackup, chance(2) {
            operations.append(.backUp)
            hasBackup = true
        }
        let edit = newEdit()
        let list = self.list(of: edit)
        let calls = calls(of: edit)
        if chance(2) { operations.append(.others(change(of: list, calls: calls, edit: edit))) }
        let isHeld = chance(4)
        if isHeld {
            operations.append(.hold(call: calls.random(&random)))
        } else if chance(2) {
            injectFault(calls.random(&random))
        }
        operations.append(.edit(edit))
        if isHeld { operations.append(.whileHeld(service: calls[0].service, disturbance: disturbance(edit.tag))) }
        if chance(3) { operations.append(.pause(milliseconds: [0, 20, 60, 150, 400].random(&random))) }
        if chance(3) { operations.append(.others(change(of: list, calls: nil, edit: edit))) }
        if !isHeld, chance(3) { operations.append(.disturb(disturbance(edit.tag))) }
        if setsClock, chance(3) {
            operations.append(.setClock(offsetSeconds: [-3_600, -30, 0, 30, 3_600, 40_000_000].random(&random)))
        }
        if chance(4) { operations.append(.sync) }
        if chance(2) { operations.append(.await(tag: edit.tag)) }
        if hasBackup, chance(3) {
            operations.append(.restore)
            hasBackup = false
            disconnected.insert(.spotify)
        }
    }

    // MARK: Edits

    private mutating func newEdit() -> AskedEdit {
        edits += 1
        let tag = edits
        switch number(0..<100) {
        case 0..<40: return AskedEdit(tag: tag, .add(lists.random(&random), songs: songs(most: 3)))
        case 40..<75:
            let own = lists.filter { $0.service == .spotify }
            return AskedEdit(
                tag: tag, .remove(own.random(&random), positions: (0..<number(1...2)).map { _ in number(0..<9) }))
        case 75..<87:
            let service = Service.allCases.random(&random)
            lists.append(.made(service, tag: tag))
            return AskedEdit(tag: tag, .create(service, songs: songs(most: 4)))
        case 87..<92: return AskedEdit(tag: tag, .rename(lists.filter { $0.service == .spotify }.random(&random)))
        default: return AskedEdit(tag: tag, .copy(lists.random(&random)))
        }
    }

    /// Songs from a small set, so that a list often has one twice.
    private mutating func songs(most: Int) -> [Int] {
        (0..<number(1...most)).map { _ in number(0..<EditHistory.songs) }
    }

    private func list(of edit: AskedEdit) -> ListName {
        switch edit.kind {
        case .add(let list, _), .remove(let list, _), .rename(let list): list
        case .create(let service, _): .made(service, tag: edit.tag)
        case .copy(let list): list
        }
    }

    /// The requests that an edit makes, with writes drawn more often.
    private func calls(of edit: AskedEdit) -> [ServiceCall] {
        switch edit.kind {
        case .add(let list, _):
            [ServiceCall(list.service, .add), ServiceCall(list.service, .add), ServiceCall(list.service, .read)]
        case .remove(let list, _):
            [
                ServiceCall(list.service, .remove), ServiceCall(list.service, .remove), ServiceCall(list.service, .add),
                ServiceCall(list.service, .add), ServiceCall(list.service, .read),
            ]
        case .create(let service, _):
            [ServiceCall(service, .create), ServiceCall(service, .add), ServiceCall(service, .lists)]
        case .rename(let list): [ServiceCall(list.service, .read)]
        case .copy(let list):
            [
                ServiceCall(list.service.other, .create), ServiceCall(list.service.other, .add),
                ServiceCall(list.service.other, .entries),
            ]
        }
    }

    // MARK: What happens meanwhile

    private mutating func change(of list: ListName, calls: [ServiceCall]?, edit: AskedEdit) -> OthersChange {
        let moment = calls.map {
            OthersChange.Moment($0.random(&random), request: chance(4) ? 2 : 1, isAfter: chance(2))
        }
        var kind: OthersChange.Kind
        switch number(0..<100) {
        case 0..<35: kind = .append(song: song(of: edit))
        case 35..<50: kind = .insert(song: song(of: edit), position: number(0..<7))
        case 50..<70: kind = .removeEntry(position: number(0..<9))
        case 70..<80: kind = .removeSong(song: song(of: edit))
        case 80..<95: kind = .move(from: number(0..<9), to: number(0..<9))
        default: kind = .delete
        }
        if case .create = edit.kind, chance(2) { kind = .createTwin }
        return OthersChange(kind, of: list, at: moment)
    }

    /// This is often a song of the edit.
    private mutating func song(of edit: AskedEdit) -> Int {
        switch edit.kind {
        case .add(_, let songs) where chance(3), .create(_, let songs) where chance(3): songs.random(&random)
        default: number(0..<EditHistory.songs)
        }
    }

    private mutating func injectFault(_ call: ServiceCall) {
        let fault = [
            "loseAnswer", "loseAnswer", "done500", "drop", "limit429", "limit429", "status500", "status503", "slow",
            "truncated",
        ].random(&random)
        let retryAfter = fault == "limit429" && chance(2) ? number(1...2) : nil
        operations.append(
            .injectFault(call: call, fault: fault, times: chance(4) ? number(2...5) : 1, retryAfter: retryAfter))
    }

    private mutating func disturbance(_ tag: Int) -> Disturbance {
        let roles = Role.allCases.filter { !down.contains($0) && !stopped.contains($0) }
        let role = (roles.isEmpty ? Role.allCases : roles).random(&random)
        switch number(0..<100) {
        case 0..<25:
            down.formUnion(Role.workers)
            return .killWorkers
        case 25..<40:
            down.insert(role)
            return .kill(role: role)
        case 40..<50:
            down.insert(role)
            return .drain(role: role)
        case 50..<60:
            stopped.insert(role)
            return .stop(role: role)
        case 60..<70 where losesLease:
            losesLease = false
            return .stopWorkers(milliseconds: 4_500)
        case 60..<85:
            let service = Service.allCases.random(&random)
            disconnected.insert(service)
            return .revoke(service: service)
        default: return .cancel(tag: tag)
        }
    }

    /// Most of what is broken is repaired before the next scene.
    private mutating func repair() {
        for role in stopped.sorted() where !chance(4) {
            operations.append(.resume(role: role))
            stopped.remove(role)
        }
        for role in down.sorted() where !chance(6) {
            operations.append(.start(role: role))
            down.remove(role)
        }
        for service in disconnected.sorted() where !chance(4) {
            let isWithheld = service == .spotify && chance(6)
            operations.append(.reconnect(service: service, isWithheld: isWithheld))
            if !isWithheld { disconnected.remove(service) }
        }
    }
}
