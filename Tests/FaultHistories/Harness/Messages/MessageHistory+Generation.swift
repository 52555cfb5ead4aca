import TestSupport

extension MessageHistory {
    /// The history that a seed determines.
    package init(seed: UInt64) {
        var generator = MessageHistoryGenerator(seed: seed)
        self = generator.history()
    }
}

private struct MessageHistoryGenerator: RandomDrawing {
    private let seed: UInt64
    var random: SeededRandom
    private var operations: [MessageOperation] = []
    private var sent = 0
    private var isDown = false

    init(seed: UInt64) {
        self.seed = seed
        random = SeededRandom(seed: seed ^ 0x6d65_7373_6167)
    }

    mutating func history() -> MessageHistory {
        let scenes = number(3...6)
        for scene in 0..<scenes {
            for _ in 0..<number(4...8) { addStep() }
            if chance(3) {
                operations.append(.kill)
                isDown = true
            }
            if isDown, !chance(5) {
                operations.append(.start)
                isDown = false
            }
            // Devices that were away for longer than what is gone is known read everything again.
            if chance(6) { operations.append(.setClock(daysAhead: [0, 1, 31, 45].random(&random))) }
            if scene == scenes / 2 { operations.append(.check) }
        }
        return MessageHistory(seed: seed, operations: operations)
    }

    private mutating func addStep() {
        switch number(0..<100) {
        case 0..<45: operations.append(.send(text()))
        case 45..<57: operations.append(.sendOnBothDevices(text()))
        case 57..<72:
            let kills = chance(2)
            operations.append(.burst(burst(), kills: kills))
            isDown = isDown || kills
        case 72..<80: if sent > 0 { operations.append(.delete(number: number(1...sent))) }
        case 80..<86: operations.append(.wake(person()))
        case 86..<92: operations.append(.disconnect(person()))
        default: operations.append(.pause(milliseconds: [5, 30, 120].random(&random)))
        }
    }

    private mutating func person() -> Int { number(0..<MessageHistory.people) }

    private mutating func text() -> SentText {
        let from = person()
        sent += 1
        return SentText(
            from: from, to: (from + number(1..<MessageHistory.people)) % MessageHistory.people, number: sent)
    }

    /// One message in each of several threads.
    private mutating func burst() -> [SentText] {
        var texts: [SentText] = []
        for _ in 0..<6 where texts.count < MessageHistory.people {
            let one = text()
            if !texts.contains(where: { $0.pair == one.pair }) { texts.append(one) }
        }
        return texts
    }
}
