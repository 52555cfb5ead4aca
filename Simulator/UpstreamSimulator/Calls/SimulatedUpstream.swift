/// An upstream that the simulator stands in for, below folders of its own.
protocol SimulatedUpstream: Sendable {
    /// The settings of `/_sim/NAME/config`. In a change, missing members stay as they are.
    associatedtype Settings: Codable & Sendable

    /// The upstream's name in the control routes, such as `spotify`.
    var name: String { get }
    /// The first components of its paths, such as `spotify` and `spotify-accounts`.
    var folders: [String] { get }
    var recorder: CallRecorder { get }

    /// The name of a call in the counters: method, path, and whatever else distinguishes kinds of calls.
    func endpoint(of call: Call) -> String
    /// Carries out a call.
    func answer(_ call: Call) async -> Answer
    /// The upstream's own form of the refusal that a fault rule requests; `nil` if it has none.
    func refusal(_ rule: FaultRule) -> Answer?

    /// People's libraries, if the upstream has any.
    var shelf: LibraryRegistry? { get }
    /// The id of the playlist that a call names; `nil` for other calls.
    func playlist(of call: Call) -> String?

    var settings: Settings { get }
    /// - Throws: ``InvalidSetting``, in which case nothing has changed.
    func apply(_ settings: Settings) throws
    /// Forgets people's consents, tokens and keys, calls and faults; settings remain.
    func reset()
}

/// A setting that the simulator cannot have.
struct InvalidSetting: Error, CustomStringConvertible {
    var description: String
}

extension SimulatedUpstream {
    var shelf: LibraryRegistry? { nil }

    func playlist(of call: Call) -> String? { nil }

    func endpoint(of call: Call) -> String { "\(call.method.rawValue) \(call.target.path)" }

    /// Whether this upstream can do what a rule requests.
    func knows(_ rule: FaultRule) -> Bool { rule.fault.isCommon || rule.fault == .hold || refusal(rule) != nil }
}
