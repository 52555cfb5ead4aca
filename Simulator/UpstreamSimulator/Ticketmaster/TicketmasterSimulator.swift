import Model
import Synchronization

/// The simulated Ticketmaster: a catalog that changes only on command, and the state of its traffic.
package final class TicketmasterSimulator: Sendable {
    let lazyCatalog: LazyCatalog
    let shows: Mutex<ShowCalendar>
    private let traffic: Mutex<Traffic>
    private let faults = Mutex(FaultRules())
    private let latency: Mutex<Duration>

    package convenience init(configuration: TicketmasterConfiguration) {
        self.init(
            LazyCatalog { [seed = configuration.seed, today = configuration.today] in
                TicketmasterCatalog(seed: seed, today: today)
            }, configuration)
    }

    /// Serves a catalog that several simulators share; the configuration's seed and day are not used.
    package convenience init(catalog: TicketmasterCatalog, configuration: TicketmasterConfiguration) {
        self.init(LazyCatalog { catalog }, configuration)
    }

    private init(_ catalog: LazyCatalog, _ configuration: TicketmasterConfiguration) {
        lazyCatalog = catalog
        traffic = Mutex(Traffic(limits: configuration.limits))
        latency = Mutex(configuration.latency)
        shows = Mutex(ShowCalendar(date: configuration.today))
    }

    package var catalog: TicketmasterCatalog { lazyCatalog.value }

    /// Whether a request line belongs to this upstream.
    func owns(path: String) -> Bool { path.hasPrefix("/discovery/") }

    // MARK: Traffic

    /// Records a request. The time is read under the lock, so that times ascend with the ids.
    func arrive(_ line: String) -> Arrival {
        let target = RequestTarget(line)
        return traffic.withLock { $0.arrive(target, at: .now(), wallTime: .now()) }
    }

    func claim(_ id: UInt64) -> Arrival? {
        traffic.withLock { $0.claim(id) }
    }

    func requestEnded() {
        traffic.withLock { $0.close() }
    }

    package var counters: TrafficCounters { traffic.withLock { $0.summary } }
    package var log: [Traffic.LogEntry] { traffic.withLock { $0.log } }

    /// Forgets traffic and faults; limits and latency do not change.
    package func reset() {
        traffic.withLock { $0.reset() }
        removeFaults()
    }

    // MARK: Faults and settings

    package var faultBook: FaultRules { faults.withLock { $0 } }

    package func add(_ rules: [FaultRule]) {
        faults.withLock { $0.add(rules) }
    }

    package func removeFaults() {
        faults.withLock { $0.removeAll() }
    }

    package var settings: TicketmasterSettings {
        let limits = traffic.withLock { $0.limits }
        let latency = latency.withLock { $0 }
        return TicketmasterSettings(
            latencyMs: Int(latency.microseconds / 1_000), perSecond: limits.perSecond, dailyQuota: limits.dailyQuota,
            quotaWindowSeconds: Int(limits.quotaWindow.components.seconds), validKeys: limits.validKeys.sorted())
    }

    /// Changes the settings that are present.
    package func apply(_ settings: TicketmasterSettings) {
        if let latencyMs = settings.latencyMs { latency.withLock { $0 = .milliseconds(latencyMs) } }
        traffic.withLock { traffic in
            var limits = traffic.limits
            limits.perSecond = settings.perSecond ?? limits.perSecond
            limits.dailyQuota = settings.dailyQuota ?? limits.dailyQuota
            limits.quotaWindow = settings.quotaWindowSeconds.map { .seconds($0) } ?? limits.quotaWindow
            limits.validKeys = settings.validKeys.map(Set.init) ?? limits.validKeys
            traffic.limits = limits
        }
    }

    // MARK: Answers

    /// The answer to an arrival: checks the limits first, then the fault rules, then searches.
    func answer(_ arrival: Arrival) -> Answer {
        let (answer, outcome) = decide(arrival)
        traffic.withLock { $0.answer(outcome) }
        return answer
    }

    private func decide(_ arrival: Arrival) -> (Answer, TrafficCounters.Outcome) {
        let pause = latency.withLock { $0 }
        func refuse(_ status: Int, _ fault: GatewayFault) -> Answer {
            Answer(status: status, contentType: "application/json", document: fault, pause: pause)
        }
        switch arrival.verdict {
        case .missingKey: return (refuse(401, GatewayFault.missingKey), .refused)
        case .unknownKey: return (refuse(401, GatewayFault.unknownKey), .refused)
        case .tooFast(let perSecond): return (refuse(429, GatewayFault.spike(perSecond: perSecond)), .spike)
        case .quotaExhausted(let key): return (refuse(429, GatewayFault.quota(key: key)), .quota)
        case .admitted(let quotaStatus):
            guard let rule = faults.withLock({ $0.apply(arrival.target) }) else {
                return search(arrival, quotaStatus, pause: pause)
            }
            let (intact, outcome) = search(
                arrival, quotaStatus, pause: pause, malformation: TicketmasterDocuments.Malformation(rule.fault))
            return injectFault(intact, outcome, by: rule, arrival: arrival)
        }
    }

    private func search(
        _ arrival: Arrival, _ quotaStatus: DailyQuota.Status, pause: Duration,
        malformation: TicketmasterDocuments.Malformation? = nil
    ) -> (Answer, TrafficCounters.Outcome) {
        do {
            let body = try document(for: arrival, malformation: malformation)
            return (Answer(status: 200, body: body, pause: pause, quotaStatus: quotaStatus), .served)
        } catch {
            return (Answer(status: error.status, document: DiscoveryErrorDocument(error), pause: pause), .refused)
        }
    }
}
