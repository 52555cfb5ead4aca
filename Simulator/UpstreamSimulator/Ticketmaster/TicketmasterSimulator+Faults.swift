extension TicketmasterDocuments.Malformation {
    /// The malformation for a fault; returns `nil` for faults of another kind.
    init?(_ fault: FaultRule.Kind) {
        switch fault {
        case .nullItems: self = .nullItems
        case .malformedItem: self = .malformedItem
        default: return nil
        }
    }
}

extension TicketmasterSimulator {
    /// Whether Ticketmaster supports a rule's fault.
    static func knows(_ rule: FaultRule) -> Bool {
        switch rule.fault {
        case .spike429, .quota429, .nullItems, .malformedItem: true
        default: rule.fault.isCommon
        }
    }

    /// Applies a rule to an answer.
    func injectFault(
        _ intact: Answer, _ outcome: TrafficCounters.Outcome, by rule: FaultRule, arrival: Arrival
    ) -> (Answer, TrafficCounters.Outcome) {
        var answer = intact
        switch rule.fault {
        case .spike429:
            let perSecond = settings.perSecond ?? 0
            return (Self.fault(GatewayFault.spike(perSecond: perSecond), pause: intact.pause), .spike)
        case .quota429:
            answer = Self.fault(GatewayFault.quota(key: arrival.target["apikey"] ?? ""), pause: intact.pause)
            if let resetAt = rule.resetAt { answer.headers.append(("Rate-Limit-Reset", String(resetAt))) }
            return (answer, .quota)
        case .slow, .closeAfterResponse: return (rule.damage(intact), outcome)
        default:
            answer = rule.commonRefusal ?? rule.damage(intact)
            answer.pause = intact.pause
        }
        return (answer, .faulty)
    }

    private static func fault(_ fault: GatewayFault, pause: Duration) -> Answer {
        Answer(status: 429, contentType: "application/json", document: fault, pause: pause)
    }
}
