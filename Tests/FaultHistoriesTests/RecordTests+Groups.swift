import Testing

@testable import FaultHistories

/// Jobs whose worker died: alone or together, apart from other work or not, halved or not.
extension RecordTests {
    private typealias Sample = SampleRecord

    /// Changes of ``SampleRecord/dieTogether(_:)`` after which the engine is not to blame for the death.
    static let excusedDeaths = [
        RecordChange("the other never got to its worker, and was put back without a death") {
            $0.changes[10].isDeath = false
        },
        RecordChange("the other was handed out to a worker that was dead") { $0.changes[4].at = 28 },
        RecordChange("the blamed one was handed out to a worker that was dead") { $0.interruptions[0].at = 18 },
        RecordChange("the other was there at an earlier death of the same worker, which was only stopped") {
            $0.interruptions.insert(.init(.stopped, "first", at: 17), at: 0)
        },
        RecordChange("another worker was killed") { $0.interruptions[0].worker = "second" },
    ]

    @Test("A death counts against a job that was alone when its worker was killed", arguments: excusedDeaths)
    func deathOfAJobAlone(_ excuse: RecordChange) {
        var record = Sample.good
        Sample.dieTogether(&record)
        #expect(record.violations.map(\.rule) == [.bystanders])
        excuse.change(&record)
        #expect(record.violations == [])
    }

    // MARK: Groups

    static let crashGroups = [
        InvalidRecord("a suspect beside other work", .groups) {
            share(&$0, "a/1")
            $0.changes[0].group = nil
        },
        InvalidRecord("other work beside a suspect", .groups) {
            share(&$0, "a/1")
            $0.changes[3].group = nil
        },
        InvalidRecord("two groups on one worker", .groups) {
            share(&$0, "a/1")
            $0.changes[3].group = "b/1"
        },
        InvalidRecord("a member that came without a death", .groups) { $0.changes[4].group = "b/1" },
        InvalidRecord("a group that becomes three", .groups) {
            Sample.addDeath(to: &$0, of: "x0/0", into: ["x0/1", "x1/1", "x2/1"])
        },
        InvalidRecord("a group that dies and is not halved", .groups) {
            Sample.addDeath(to: &$0, of: "x0/0", into: ["x0/1", "x0/1"])
        },
        InvalidRecord("a group that is halved unevenly", .groups) {
            Sample.addDeath(to: &$0, of: "x0/0", into: ["x0/1", "x0/1", "x0/1", "x3/1"])
        },
        InvalidRecord("a group of another worker's death", .groups) {
            Sample.addDeath(to: &$0, of: nil, into: ["b/1", "b/1"])
        },
        InvalidRecord("suspects after a first outage", .groups) {
            Sample.addDeath(to: &$0, of: nil, into: ["x0/1", "x0/1"], outages: (true, false))
        },
    ]

    /// The jobs `a` and `b` run on one worker at the same time, both in the given group.
    private static func share(_ record: inout Record, _ group: String) {
        // `b` is handed out just before `a` succeeds.
        record.changes.swapAt(3, 4)
        for index in [3, 4] { record.changes[index].number = index + 1 }
        for index in [0, 3] { (record.changes[index].oldGroup, record.changes[index].group) = (group, group) }
    }

    @Test(
        "Members of a group run together, other work runs beside cleared members, and deaths make and halve groups")
    func goodGroups() {
        var record = Sample.good
        Self.share(&record, "a/1")
        #expect(record.violations == [])

        record = Sample.good
        Self.share(&record, "a/1")
        (record.changes[3].oldGroup, record.changes[3].group) = (nil, nil)
        #expect(record.violations.map(\.rule) == [.groups])
        record.interruptions = [.init(.stopped, "first", at: -5)]
        #expect(record.violations == [])
        record.interruptions = []
        record.marks.insert(.init(.taken, of: "a", run: 1, place: 1), at: 0)
        #expect(record.violations.filter { $0.rule == .groups } == [])

        let deaths: [(String?, [String?], (Bool, Bool))] = [
            (nil, ["x0/1", "x0/1", "x0/1"], (false, false)), ("x0/0", ["x0/1", "x0/1", "x2/1"], (false, false)),
            ("x0/0", ["x0/1"], (false, false)), (nil, [nil, nil], (true, false)), ("g", ["g", "g"], (true, false)),
            (nil, ["x0/1", "x0/1"], (true, true)), (nil, ["x0/1", nil], (true, true)),
        ]
        for (old, names, (now, before)) in deaths {
            record = Sample.good
            Sample.addDeath(to: &record, of: old, into: names, outages: (now, before))
            #expect(record.violations == [], "\(names)")
        }
    }

    @Test("A group may have the name of a run that had ended before the gateway heard of it")
    func nameOfEndedRun() {
        var record = Sample.good
        for (from, to) in [("", "running"), ("running", "succeeded")] {
            var change = Sample.change("z", at: 150, from, to, run: 1)
            if to == "running" { change.worker = "third/1" } else { change.oldWorker = "third/1" }
            record.changes.append(change)
        }
        Sample.addDeath(to: &record, of: nil, into: ["z/1", "z/1"])
        #expect(record.violations == [])
    }
}
