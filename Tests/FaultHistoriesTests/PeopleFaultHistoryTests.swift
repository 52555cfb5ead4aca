import Testing

@testable import FaultHistories

@Suite("Histories of people under faults")
struct PeopleFaultHistoryTests {
    @Test("A seed determines a history, which can be written down and read")
    func seedDeterminesAHistory() throws {
        for seed in UInt64(0)..<300 {
            let history = PeopleHistory(seed: seed)
            #expect(history == PeopleHistory(seed: seed))
            #expect(try PeopleHistory(json: history.json) == history)
            #expect(history.lines.count == history.operations.count + 1)
            for case .burst(let acts, _) in history.operations {
                #expect(acts.flatMap(\.people).count == Set(acts.flatMap(\.people)).count)
            }
        }
        #expect(PeopleHistory(seed: 1) != PeopleHistory(seed: 2))
    }

    @Test("Histories have everything that may happen, and acts that are refused as well as others")
    func varietyOfHistories() {
        var kinds: Set<String> = []
        var answers: [String: Set<PeopleModel.Answer>] = [:]
        for seed in UInt64(0)..<1_000 {
            var model = PeopleModel(usernames: (0..<PeopleHistory.people).map { "person_\($0)" })
            for operation in PeopleHistory(seed: seed).operations {
                let acts: [PeopleAct]
                switch operation {
                case .act(let act), .onBothDevices(let act): acts = [act]
                case .burst(let some, _), .whileStopped(let some, _): acts = some
                default: acts = []
                }
                kinds.insert(Mirror(reflecting: operation).children.first?.label ?? "\(operation)")
                for act in acts {
                    let label = Mirror(reflecting: act).children.first?.label ?? ""
                    answers[label, default: []].insert(model.perform(act))
                }
            }
        }
        // Those without values are described by their texts.
        #expect(kinds.count == 14)
        #expect(answers.count == 13)
        for label in ["follow", "accept", "block", "unblock", "removeFollower", "decline"] {
            #expect(answers[label]?.isSuperset(of: [.done, .unknown, .signedOut]) == true, "\(label)")
        }
    }
}
