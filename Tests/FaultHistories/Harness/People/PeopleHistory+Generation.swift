import TestSupport

extension PeopleHistory {
    /// The history that a seed determines.
    package init(seed: UInt64) {
        var generator = PeopleHistoryGenerator(seed: seed)
        self = generator.history()
    }
}

/// Draws a history as scenes: acts of which many are toward the same few people, and what breaks meanwhile.
private struct PeopleHistoryGenerator: RandomDrawing {
    private let seed: UInt64
    var random: SeededRandom
    private var operations: [PeopleOperation] = []
    private var names = 0
    private var isDown = false
    private var hasBackup = false
    /// Whether this history restores a backup, which takes a second.
    private let restores: Bool

    init(seed: UInt64) {
        self.seed = seed
        random = SeededRandom(seed: seed ^ 0x7065_6f70_6c65)
        restores = Int.random(in: 0..<4, using: &random) == 0
    }

    mutating func history() -> PeopleHistory {
        // Most people know each other from the beginning.
        for own in 0..<PeopleHistory.people {
            for _ in 0..<2 { operations.append(.act(.follow(own, another(than: own)))) }
        }
        let scenes = number(4...7)
        for scene in 0..<scenes {
            addScene()
            if scene == scenes / 2 || chance(4) { operations.append(.check) }
        }
        return PeopleHistory(seed: seed, operations: operations)
    }

    private mutating func addScene() {
        if isDown, !chance(5) {
            operations.append(.start)
            isDown = false
        }
        if restores, !hasBackup, chance(2) {
            operations.append(.backUp)
            hasBackup = true
        }
        for _ in 0..<number(4...9) { addStep() }
        switch number(0..<10) {
        case 0..<3:
            operations.append(.kill)
            isDown = true
        case 3:
            operations.append(.drain)
            isDown = true
        default: break
        }
        if hasBackup, chance(2) {
            operations.append(.restore)
            (hasBackup, isDown) = (false, false)
        }
    }

    private mutating func addStep() {
        switch number(0..<100) {
        case 0..<50: operations.append(.act(act()))
        case 50..<58: operations.append(.onBothDevices(act()))
        case 58..<70:
            let kills = chance(2)
            operations.append(.burst(actsOfDifferentPeople(), kills: kills))
            isDown = isDown || kills
        case 70..<78:
            operations.append(
                .whileStopped(actsOfDifferentPeople(), milliseconds: [50, 200, 600].random(&random)))
        case 78..<84: operations.append(.wake(person()))
        case 84..<90: operations.append(.disconnect(person()))
        case 90..<97: operations.append(.read(person()))
        default: operations.append(.pause(milliseconds: [5, 30, 120].random(&random)))
        }
    }

    private mutating func actsOfDifferentPeople() -> [PeopleAct] {
        var acts: [PeopleAct] = []
        var taken: Set<Int> = []
        for _ in 0..<12 where acts.count < 3 {
            let act = act()
            guard taken.isDisjoint(with: act.people) else { continue }
            taken.formUnion(act.people)
            acts.append(act)
        }
        return acts
    }

    private mutating func person() -> Int { number(0..<PeopleHistory.people) }

    private mutating func another(than own: Int) -> Int {
        (own + number(1..<PeopleHistory.people)) % PeopleHistory.people
    }

    private mutating func act() -> PeopleAct {
        let own = person()
        let other = another(than: own)
        switch number(0..<100) {
        case 0..<30: return .follow(own, other)
        case 30..<40: return .unfollow(own, other)
        case 40..<46: return .removeFollower(own, other)
        case 46..<58: return .accept(own, other)
        case 58..<62: return .decline(own, other)
        case 62..<68: return .block(own, other)
        case 68..<74: return .unblock(own, other)
        case 74..<86: return .show(own, to: Audience.allCases.random(&random))
        case 86..<91:
            names += 1
            return .rename(own, number: names)
        case 91..<93: return .takeUsername(own)
        case 93..<96: return .suspend(own)
        case 96..<99: return .reinstate(own)
        default: return .erase(own)
        }
    }
}
