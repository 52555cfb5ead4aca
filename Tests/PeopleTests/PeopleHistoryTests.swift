import Model
import People
import Storage
import TestSupport
import Testing
import Visibility

@Suite("Random histories of people", .timeLimit(.minutes(5)))
struct PeopleHistoryTests {
    private static let (people, acts) = (5, 30)

    @Test("What everybody sees and lists after random acts is what a simple model says", arguments: 0..<20)
    func histories(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        try await withDatabase { database in
            for history in 0..<50 {
                var model = PeopleModel(people: Self.people)
                let prefix = "\(history)/"
                let script = (0..<Self.acts).map { _ in PeopleModel.Act(using: &random, people: Self.people) }
                let checks: Set = [Int.random(in: 0..<Self.acts, using: &random), Self.acts - 1]
                // Acts refuse before they write anything, so that one transaction can go on after a refusal.
                model = try await database.write { [model] transaction in
                    var model = model
                    for number in 0..<Self.people { try transaction.visibility.add(userID: prefix + "\(number)") }
                    for (index, act) in script.enumerated() {
                        // An hour later, so that no limit is reached.
                        let now = SampleTown.noon.advanced(by: .seconds(3_600 * index))
                        let expected = model.perform(act)
                        let found = try act.perform(in: transaction, prefix: prefix, now: now)
                        #expect(found == expected, "seed \(seed), history \(history), act \(index): \(act)")
                        if checks.contains(index) {
                            try Self.compare(model, prefix: prefix, in: transaction, "seed \(seed), \(prefix)\(index)")
                        }
                    }
                    return model
                }
                // The steps of an erasure change nothing that others see.
                guard history % 10 == 0 else { continue }
                for gone in model.gone {
                    _ = try await PersonalTables(of: .tested).eraseRows(
                        of: prefix + "\(gone)", in: database, by: SteppedWrites(database, checkpoints: true))
                }
                model.erase()
                try await database.read { [model] reader in
                    try Self.compare(model, prefix: prefix, in: reader, "seed \(seed), \(prefix) after erasures")
                }
            }
        }
    }

    private static func compare(
        _ model: PeopleModel, prefix: String, in reader: some SQLReader, _ comment: Comment
    ) throws {
        for own in 0..<people {
            guard let viewer = try reader.visibility.viewer(userID: prefix + "\(own)") else {
                #expect(!model.isActive(own), comment)
                continue
            }
            for other in 0..<people {
                let relation = try reader.visibility.relation(of: viewer, to: prefix + "\(other)")
                for facet in Facet.allCases {
                    let isVisible = relation?.canSee(facet) ?? false
                    #expect(isVisible == model.canSee(facet, own, other), "\(comment): \(own) of \(other), \(facet)")
                }
                if let relation, own != other, model.canSee(.existence, own, other) {
                    let requests = try reader.people.requests(between: viewer, and: [relation.person.key])
                    let state = requests.state(toward: Standing(relation))
                    #expect(state == model.followState(own, other), comment)
                    let isAsked = try reader.people.hasRequest(of: viewer.key, by: relation.person.key)
                    #expect((requests.since(of: Standing(relation)) != nil) == isAsked, comment)
                }
            }
            func names(_ page: PeoplePage) -> [String] { page.items.map(\.userID) }
            func expected(_ people: [Int]) -> [String] { people.map { prefix + "\($0)" } }
            for list in PeopleList.allCases {
                let page = try reader.visibility.page(of: list, for: viewer, limit: 10)
                #expect(names(page) == expected(model.list(list, of: own)), "\(comment): \(list) of \(own)")
            }
            let requests = try reader.people.requests(to: viewer, limit: 10)
            #expect(names(requests) == expected(model.requests(to: own)), "\(comment): requests to \(own)")
            let counts = try reader.visibility.followCounts(of: viewer.key, for: viewer)
            #expect(counts == model.counts(of: own), comment)
        }
    }
}
