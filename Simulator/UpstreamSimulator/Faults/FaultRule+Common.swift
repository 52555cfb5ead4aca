extension FaultRule.Kind {
    /// Whether every upstream supports the fault, except for Ticketmaster, which has its own list.
    var isCommon: Bool {
        switch self {
        case .html, .truncated, .truncatedJSON, .drop, .loseAnswer, .done500, .status500, .status502, .status503,
            .status504,
            .empty503, .slow, .closeAfterResponse:
            true
        default: false
        }
    }
}

extension FaultRule {
    static let page = """
        <!DOCTYPE html>
        <html><head><title>Something went wrong</title></head><body><h1>Please try again later</h1></body></html>

        """

    /// The answer that replaces the call; `nil` for faults that only damage an answer.
    var commonRefusal: Answer? {
        switch fault {
        case .html: webPage(200)
        case .status500: webPage(500)
        case .status502: webPage(502)
        case .status503: webPage(503)
        case .status504: webPage(504)
        case .empty503: Answer(status: 503, contentType: "", body: "", headers: retryHeaders)
        case .drop: Answer(status: 500, body: "", delivery: .none)
        default: nil
        }
    }

    /// The answer to a call that was carried out, with the rule's damage applied.
    func damage(_ intact: Answer) -> Answer {
        var answer = intact
        switch fault {
        case .loseAnswer: answer.delivery = .none
        case .done500: answer = webPage(500)
        case .truncated: answer.delivery = .half
        case .truncatedJSON: answer.body = String(answer.body.prefix(answer.body.count / 2))
        case .slow: answer.pause += .milliseconds(ms ?? 0)
        case .closeAfterResponse: answer.delivery = .wholeThenClose
        default: break
        }
        return answer
    }

    /// The `Retry-After` header of a refusal, if the rule has one.
    var retryHeaders: [(name: String, value: String)] {
        retryAfter.map { [("Retry-After", String($0))] } ?? []
    }

    private func webPage(_ status: Int) -> Answer {
        Answer(status: status, contentType: "text/html; charset=utf-8", body: Self.page, headers: retryHeaders)
    }
}
