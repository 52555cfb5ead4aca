extension DocumentWriter.Blemish {
    /// The blemish that a fault means; `nil` for faults of another sort.
    init?(_ fault: FaultRule.Kind) {
        switch fault {
        case .nullItems: self = .nullItems
        case .malformedItem: self = .malformedItem
        default: return nil
        }
    }
}

extension TicketmasterSimulator {
    private static let page = """
        <!DOCTYPE html>
        <html><head><title>Something went wrong</title></head><body><h1>Please try again later</h1></body></html>

        """

    /// Does to an answer what a rule orders.
    func spoil(
        _ intact: Answer, _ outcome: TrafficCounters.Outcome, by rule: FaultRule, arrival: Arrival
    ) -> (Answer, TrafficCounters.Outcome) {
        var answer = intact
        switch rule.fault {
        case .html: answer = Self.webPage(200, pause: intact.pause)
        case .status500: answer = Self.webPage(500, pause: intact.pause)
        case .status503:
            answer = Self.webPage(503, pause: intact.pause)
            if let seconds = rule.retryAfter { answer.headers.append(("Retry-After", String(seconds))) }
        case .drop: answer.delivery = .none
        case .truncated: answer.delivery = .half
        case .truncatedJSON: answer.body = String(answer.body.prefix(answer.body.count / 2))
        case .spike429:
            let perSecond = settings.perSecond ?? 0
            return (Self.fault(GatewayFault.spike(perSecond: perSecond), pause: intact.pause), .spike)
        case .quota429:
            answer = Self.fault(GatewayFault.quota(key: arrival.target["apikey"] ?? ""), pause: intact.pause)
            if let resetAt = rule.resetAt { answer.headers.append(("Rate-Limit-Reset", String(resetAt))) }
            return (answer, .quota)
        case .slow:
            answer.pause += .milliseconds(rule.ms ?? 0)
            return (answer, outcome)
        case .closeAfterResponse:
            answer.delivery = .wholeThenClose
            return (answer, outcome)
        case .nullItems, .malformedItem: break
        }
        return (answer, .faulty)
    }

    private static func webPage(_ status: Int, pause: Duration) -> Answer {
        Answer(status: status, contentType: "text/html; charset=utf-8", body: page, pause: pause)
    }

    private static func fault(_ body: String, pause: Duration) -> Answer {
        Answer(status: 429, contentType: "application/json", body: body, pause: pause)
    }
}
