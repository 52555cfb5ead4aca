import Foundation
import Model
import Synchronization

/// The simulated iTunes Search API below `/itunes`: songs of Apple's catalog with previews, and its limit, which
/// answers with 403 and an empty body.
package final class ITunesSimulator: SimulatedUpstream {
    private struct State: Sendable {
        var settings = ITunesSettings.initial
        var calls = RollingLimit()
    }

    let name = "itunes"
    let folders = ["itunes"]
    let recorder: CallRecorder
    private let recordings: Recordings
    private let state = Mutex(State())

    /// The content type with which iTunes sends JSON.
    private static let contentType = "text/javascript; charset=utf-8"

    init(latency: Duration = .zero, recordings: Recordings = Recordings()) {
        recorder = CallRecorder(latency: latency)
        self.recordings = recordings
    }

    func answer(_ call: Call) async -> Answer {
        let wait = state.withLock { state in
            state.calls.admit(
                at: .now(), limit: state.settings.limit ?? 0, length: .milliseconds(state.settings.windowMs ?? 1))
        }
        guard wait == nil else { return Self.refused }
        let storefront = (call.target["country"] ?? "us").lowercased()
        guard call.method == .get, Storefront.names[storefront] != nil else {
            return Self.invalid("Invalid value(s) for key(s): [country]")
        }
        let documents = ITunesDocuments(catalog: recordings.catalog, storefront: storefront)
        switch call.target.path {
        case "/itunes/search": return search(call.target, documents)
        case "/itunes/lookup":
            let ids = (call.target["id"] ?? "").split(separator: ",")
            return Self.page(ids.compactMap { documents.apple.entry(ofID: String($0)) }, documents)
        default: return Answer(status: 404, contentType: "text/html", body: "")
        }
    }

    /// Karaoke versions and tributes come first, as for many songs at iTunes.
    private func search(_ target: RequestTarget, _ documents: ITunesDocuments) -> Answer {
        guard let term = target["term"], !term.isEmpty else { return Self.page([], documents) }
        guard let limit = Int(target["limit"] ?? "50"), (1...200).contains(limit) else {
            return Self.invalid("Invalid value(s) for key(s): [limit]")
        }
        let catalog = recordings.catalog
        let found = recordings.search(on: .apple).entries(RecordingSearch.Query(words: SearchText.required(term)))
            .filter { catalog.isAvailable($0.recording, in: documents.storefront) }
        let copies = found.filter { [.karaoke, .cover].contains($0.version) }
        let others = found.filter { ![.karaoke, .cover].contains($0.version) }
        return Self.page(Array((copies + others).prefix(limit)), documents)
    }

    private static func page(_ entries: [Entry], _ documents: ITunesDocuments) -> Answer {
        Answer(contentType: contentType, document: ITunesPageDocument(entries.map { documents.song($0) }))
    }

    private static let refused = Answer(status: 403, contentType: "", body: "")

    private static func invalid(_ text: String) -> Answer {
        Answer(status: 400, contentType: contentType, document: ITunesErrorDocument(errorMessage: text))
    }

    func refusal(_ rule: FaultRule) -> Answer? {
        switch rule.fault {
        case .limit429: Answer(status: 429, contentType: "", body: "", headers: rule.retryHeaders)
        case .forbidden403: Self.refused
        default: nil
        }
    }

    var settings: ITunesSettings {
        var settings = state.withLock { $0.settings }
        settings.latencyMs = Int(recorder.latency.microseconds / 1_000)
        return settings
    }

    func apply(_ change: ITunesSettings) throws {
        guard (change.latencyMs ?? 0) >= 0, (change.limit ?? 0) >= 0, (change.windowMs ?? 1) > 0 else {
            throw InvalidSetting(
                description: "latencyMs and limit must not be negative, and windowMs must be positive.")
        }
        if let latencyMs = change.latencyMs { recorder.latency = .milliseconds(latencyMs) }
        state.withLock { state in
            state.settings.limit = change.limit ?? state.settings.limit
            state.settings.windowMs = change.windowMs ?? state.settings.windowMs
        }
    }

    func reset() {
        state.withLock { $0.calls = RollingLimit() }
    }
}
