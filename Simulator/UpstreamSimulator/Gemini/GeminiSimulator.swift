import HTTPTypes
import Hummingbird
import Model
import Synchronization

/// The simulated Gemini API below `/gemini/v1beta`: the list of models, `generateContent`, and the errors of keys.
package final class GeminiSimulator: SimulatedUpstream {
    private struct State: Sendable {
        var settings = GeminiSettings.initial
        /// The quotas, by project and then by model.
        var quotas: [String: [String: GeminiQuotas]] = [:]
    }

    let name = "gemini"
    let folders = ["gemini"]
    let recorder: CallRecorder
    private let recordings: Recordings
    private let state = Mutex(State())

    private static let path = "/gemini/v1beta/models"
    // A literal made of letters and hyphens is always a valid field name.
    private static let keyField = HTTPField.Name("x-goog-api-key")!

    /// - Parameter recordings: the songs that models know.
    init(latency: Duration = .zero, recordings: Recordings = Recordings()) {
        self.recordings = recordings
        recorder = CallRecorder(latency: latency)
    }

    func answer(_ call: Call) async -> Answer {
        do {
            let key = try authenticate(call)
            return Answer(
                status: 200, contentType: "application/json; charset=UTF-8", body: try document(for: call, key))
        } catch {
            return error.answer
        }
    }

    /// - Returns: the key.
    private func authenticate(_ call: Call) throws(GeminiRefusal) -> String {
        let key = call.headers[Self.keyField] ?? call.target["key"]
        let hasAuthorization = call.headers[.authorization] != nil
        guard let key, !key.isEmpty else { throw hasAuthorization ? .accessToken : .noKey }
        guard !hasAuthorization else { throw .argument("Multiple authentication credentials received.") }
        switch state.withLock({ $0.settings.keys?[key] }) {
        case nil: throw .invalidKey(key)
        case .expired: throw .invalidKey(key, "API key expired. Please renew the API key.")
        case .serviceDisabled: throw .serviceDisabled
        case .locationUnsupported: throw .locationUnsupported
        case .valid: return key
        }
    }

    private func document(for call: Call, _ key: String) throws(GeminiRefusal) -> String {
        let target = call.target
        if call.method == .post { return try generated(call, key) }
        guard call.method == .get else { throw .notFound(target.path) }
        if target.path == Self.path { return try list(target) }
        let name = String(target.path.dropFirst(Self.path.count + 1))
        guard target.path.hasPrefix(Self.path + "/"), let model = GeminiModel.all.first(where: { $0.id == name })
        else { throw .notFound("models/" + name) }
        return DocumentEncoder.text(of: GeminiModelDocument(model))
    }

    private func generated(_ call: Call, _ key: String) throws(GeminiRefusal) -> String {
        let (start, end) = (Self.path + "/", ":generateContent")
        guard call.target.path.hasPrefix(start), call.target.path.hasSuffix(end) else {
            throw .notFound(call.target.path)
        }
        let name = String(call.target.path.dropFirst(start.count).dropLast(end.count))
        let isRetired = state.withLock { ($0.settings.retired ?? []).contains(name) }
        guard !isRetired, let model = GeminiModel.all.first(where: { $0.id == name }),
            model.methods.contains("generateContent")
        else { throw .notFound("models/" + name) }
        let question = try GeminiQuestion(body: call.body)
        try count(question, of: key, model)
        let behaviour = state.withLock { state in
            if state.settings.next?.isEmpty == false, let next = state.settings.next?.removeFirst() { return next }
            return state.settings.behaviour ?? .plausible
        }
        let writer = GeminiWriter(
            question: question, behaviour: behaviour, model: model, catalog: recordings.catalog)
        return DocumentEncoder.text(of: writer.document)
    }

    /// Counts a question toward the quotas of its project, which may refuse it.
    private func count(_ question: GeminiQuestion, of key: String, _ model: GeminiModel) throws(GeminiRefusal) {
        let refusal = state.withLock { state -> GeminiQuotas.Refusal? in
            let project = state.settings.projects?[key] ?? key
            var quotas =
                state.quotas[project]?[model.id] ?? GeminiQuotas(project: project, model: model.id)
            defer { state.quotas[project, default: [:]][model.id] = quotas }
            do throws(GeminiQuotas.Refusal) {
                // Under the lock, so that no call is counted before an earlier one.
                try quotas.admit(tokens: question.promptTokens, at: .now(), .now(), state.settings)
                return nil
            } catch {
                return error
            }
        }
        guard let refusal else { return }
        let isOfDay = refusal.violations.contains { $0.name == .requestsPerDay }
        // Google names a short wait even for daily quotas, although nothing is admitted after it.
        let milliseconds = isOfDay ? 26_500 : (refusal.wait.microseconds + 999) / 1_000
        let fraction = String(1_000 + milliseconds % 1_000).dropFirst()
        throw .quota(refusal.violations, retryDelay: "\(milliseconds / 1_000).\(fraction)s")
    }

    func addControls(to control: RouterGroup<SimulatorContext>) {
        // Shows what the quotas of each project and model have counted.
        control.get("quotas") { [self] _, _ in
            let quotas = state.withLock { $0.quotas.values.flatMap(\.values).map(\.use) }
            return try ControlJSON.encode(quotas.sorted { ($0.project, $0.model) < ($1.project, $1.model) })
        }
    }

    private func list(_ target: RequestTarget) throws(GeminiRefusal) -> String {
        var size = 50
        if let text = target["pageSize"] {
            guard let given = Int32(text), given >= 0 else {
                throw .argument("Invalid value at 'page_size' (TYPE_INT32), \"\(text)\"")
            }
            // 0 means the default, and anything above the largest page size means that size.
            size = given == 0 ? size : min(Int(given), 1_000)
        }
        var start = 0
        if let token = target["pageToken"], !token.isEmpty {
            guard token.hasPrefix("page-"), let offset = Int(token.dropFirst(5)),
                GeminiModel.all.indices.contains(offset)
            else { throw .argument("Request contains an invalid argument.") }
            start = offset
        }
        let end = min(start + size, GeminiModel.all.count)
        return DocumentEncoder.text(
            of: GeminiModelsDocument(
                models: GeminiModel.all[start..<end].map { GeminiModelDocument($0) },
                nextPageToken: end < GeminiModel.all.count ? "page-\(end)" : nil))
    }

    func refusal(_ rule: FaultRule) -> Answer? {
        var refusal: GeminiRefusal
        switch rule.fault {
        case .limit429: refusal = .bareQuota
        case .perMinute429: refusal = Self.spent(.requestsPerMinute, 10, rule)
        case .perDay429: refusal = Self.spent(.requestsPerDay, 250, rule)
        case .overloaded503: refusal = .overloaded
        case .serviceDisabled: refusal = .serviceDisabled
        case .locationUnsupported: refusal = .locationUnsupported
        case .tokenTypeUnsupported: refusal = .accessToken
        default: return nil
        }
        if rule.fault == .limit429 || rule.fault == .overloaded503 { refusal.headers = rule.retryHeaders }
        return refusal.answer
    }

    private static func spent(_ name: GeminiQuotas.Name, _ limit: Int, _ rule: FaultRule) -> GeminiRefusal {
        .quota(
            [GeminiQuotas.Violation(name: name, model: "gemini-3.5-flash", limit: limit)],
            retryDelay: "\(rule.retryAfter ?? 26).5s")
    }

    var settings: GeminiSettings {
        var settings = state.withLock { $0.settings }
        settings.latencyMs = Int(recorder.latency.microseconds / 1_000)
        return settings
    }

    func apply(_ change: GeminiSettings) throws {
        let limits = [change.requestsPerMinute, change.tokensPerMinute, change.requestsPerDay, change.latencyMs]
        guard limits.allSatisfy({ $0 ?? 0 >= 0 }), change.minuteMs ?? 1 > 0 else {
            throw InvalidSetting(
                description: "latencyMs and the limits must not be negative, and minuteMs must be positive.")
        }
        if let latencyMs = change.latencyMs { recorder.latency = .milliseconds(latencyMs) }
        state.withLock { state in
            let old = state.settings
            state.settings.keys = change.keys ?? old.keys
            state.settings.behaviour = change.behaviour ?? old.behaviour
            state.settings.next = change.next ?? old.next
            state.settings.retired = change.retired ?? old.retired
            state.settings.projects = change.projects ?? old.projects
            state.settings.requestsPerMinute = change.requestsPerMinute ?? old.requestsPerMinute
            state.settings.tokensPerMinute = change.tokensPerMinute ?? old.tokensPerMinute
            state.settings.requestsPerDay = change.requestsPerDay ?? old.requestsPerDay
            state.settings.minuteMs = change.minuteMs ?? old.minuteMs
        }
    }

    func reset() {
        state.withLock { state in
            state.settings.next = []
            state.quotas = [:]
        }
    }
}
