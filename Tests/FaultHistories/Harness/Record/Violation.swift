/// A rule that a history broke.
package struct Violation: Sendable, Equatable, CustomStringConvertible {
    package enum Rule: String, Sendable, CaseIterable {
        case acceptedEnds = "what was accepted ends"
        case endsOnce = "what ended, ended once"
        case resultAgrees = "results and states agree"
        case noStaleCompletion = "no run ends that was taken away"
        case cancelledRests = "what was cancelled never runs after"
        case uniqueness = "a key has one unfinished job"
        case order = "the order within a user, kind and priority holds"
        case steps = "every step is taken once"
        case ends = "what is written at a job's end is written once"
        case bystanders = "no bystander is set aside"
        case poison = "what kills its workers is set aside"
        case groups = "what died together runs apart, and is halved"
        case changeNumbers = "change numbers rise"
        case quotas = "quotas hold, and refuse only what would exceed them"
        case shares = "what was shared is there once"
        case permits = "the upstream's limit holds"
        case songsLost = "no song is lost at a service"
        case songsDoubled = "no song is doubled at a service"
        case editOrder = "songs stand where people put them"
        case libraryAgrees = "the library shows what the services have"
        case peopleAnswers = "acts are answered as the model says"
        case peopleLists = "no follow, request or block is lost or doubled"
        case messagesOnce = "no message is lost or doubled"
        case messageOrder = "messages are in the order in which they were sent"
        case devices = "each device shows what the API answers"
        case changesOnce = "no change arrives twice or out of order"
        case processesLive = "no process ends by itself"
    }

    package var rule: Rule
    package var text: String

    package init(_ rule: Rule, _ text: String) {
        self.rule = rule
        self.text = text
    }

    package var description: String { "\(rule.rawValue): \(text)" }
}

extension Record {
    /// All rules that the record breaks.
    package var violations: [Violation] {
        unended.map { Violation(.acceptedEnds, $0) } + crashes.map { Violation(.processesLive, $0) } + lostJobs
            + lostSearches + impossibleChanges + misledAttempts + disagreements + staleCompletions + hastyCompletions
            + brokenAnswers + doubledKeys + doubledJobs + overtakings + brokenQuotas + excessiveArrivals
            + misplacedSteps + brokenSteps + keptCheckpoints + brokenEnds + falseSuspicions + brokenGroups
            + falsePoison + fallingChanges + brokenShares
    }
}
