import HTTPTypes
import Model
import Synchronization

/// The simulated Gemini API below `/gemini/v1beta`: the list of models, `generateContent`, and the errors of keys.
package final class GeminiSimulator: SimulatedUpstream {
    let name = "gemini"
    let folders = ["gemini"]
    let recorder: CallRecorder
    private let recordings: Recordings
    private let state = Mutex(GeminiSettings.initial)

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
            try authenticate(call)
            return Answer(
                status: 200, contentType: "application/json; charset=UTF-8", body: try document(for: call))
        } catch {
            return error.answer
        }
    }

    private func authenticate(_ call: Call) throws(GeminiRefusal) {
        let key = call.headers[Self.keyField] ?? call.target["key"]
        let hasAuthorization = call.headers[.authorization] != nil
        guard let key, !key.isEmpty else { throw hasAuthorization ? .accessToken : .noKey }
        guard !hasAuthorization else { throw .argument("Multiple authentication credentials received.") }
        switch state.withLock({ $0.keys?[key] }) {
        case nil: throw .invalidKey(key)
        case .expired: throw .invalidKey(key, "API key expired. Please renew the API key.")
        case .serviceDisabled: throw .serviceDisabled
        case .locationUnsupported: throw .locationUnsupported
        case .valid: return
        }
    }

    private func document(for call: Call) throws(GeminiRefusal) -> String {
        let target = call.target
        if call.method == .post { return try generated(call) }
        guard call.method == .get else { throw .notFound(target.path) }
        if target.path == Self.path { return try list(target) }
        let name = String(target.path.dropFirst(Self.path.count + 1))
        guard target.path.hasPrefix(Self.path + "/"), let model = GeminiModel.all.first(where: { $0.id == name })
        else { throw .notFound("models/" + name) }
        var json = JSONWriter()
        model.write(to: &json)
        return json.text
    }

    private func generated(_ call: Call) throws(GeminiRefusal) -> String {
        let (start, end) = (Self.path + "/", ":generateContent")
        guard call.target.path.hasPrefix(start), call.target.path.hasSuffix(end) else {
            throw .notFound(call.target.path)
        }
        let name = String(call.target.path.dropFirst(start.count).dropLast(end.count))
        let behaviour = state.withLock { state -> GeminiBehaviour? in
            guard !(state.retired ?? []).contains(name) else { return nil }
            if state.next?.isEmpty == false { return state.next?.removeFirst() }
            return state.behaviour ?? .plausible
        }
        guard let behaviour, let model = GeminiModel.all.first(where: { $0.id == name }),
            model.methods.contains("generateContent")
        else { throw .notFound("models/" + name) }
        return GeminiWriter(
            question: try GeminiQuestion(body: call.body), behaviour: behaviour, model: model,
            catalogue: recordings.catalogue
        ).answer
    }

    private func list(_ target: RequestTarget) throws(GeminiRefusal) -> String {
        var size = 50
        if let text = target["pageSize"] {
            guard let given = Int32(text), given >= 0 else {
                throw .argument("Invalid value at 'page_size' (TYPE_INT32), \"\(text)\"")
            }
            // 0 stands for the default, and more than the largest page for that page.
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
        var json = JSONWriter()
        json.object { json in
            json.array("models") { json in
                for model in GeminiModel.all[start..<end] { model.write(to: &json) }
            }
            if end < GeminiModel.all.count { json.string("nextPageToken", "page-\(end)") }
        }
        return json.text
    }

    func refusal(_ rule: FaultRule) -> Answer? {
        var refusal: GeminiRefusal
        switch rule.fault {
        case .limit429: refusal = .bareQuota
        case .perMinute429: refusal = .quota(perDay: false, retryAfter: rule.retryAfter)
        case .perDay429: refusal = .quota(perDay: true, retryAfter: rule.retryAfter)
        case .overloaded503: refusal = .overloaded
        case .serviceDisabled: refusal = .serviceDisabled
        case .locationUnsupported: refusal = .locationUnsupported
        case .tokenTypeUnsupported: refusal = .accessToken
        default: return nil
        }
        if rule.fault == .limit429 || rule.fault == .overloaded503 { refusal.headers = rule.retryHeaders }
        return refusal.answer
    }

    var settings: GeminiSettings {
        var settings = state.withLock { $0 }
        settings.latencyMs = Int(recorder.latency.microseconds / 1_000)
        return settings
    }

    func apply(_ change: GeminiSettings) throws {
        if let latencyMs = change.latencyMs {
            guard latencyMs >= 0 else { throw InvalidSetting(description: "latencyMs must not be negative.") }
            recorder.latency = .milliseconds(latencyMs)
        }
        state.withLock { state in
            state.keys = change.keys ?? state.keys
            state.behaviour = change.behaviour ?? state.behaviour
            state.next = change.next ?? state.next
            state.retired = change.retired ?? state.retired
        }
    }

    func reset() {
        state.withLock { $0.next = [] }
    }
}
