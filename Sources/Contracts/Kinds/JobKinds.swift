import Model

/// The kinds of jobs of a program.
package struct JobKinds: Sendable {
    package let all: [JobKind]
    private let byName: [String: JobKind]

    /// - Parameter kinds: each with a name of its own.
    package init(_ kinds: [JobKind]) {
        all = kinds
        byName = Dictionary(kinds.map { ($0.name, $0) }) { kind, _ in
            preconditionFailure("Two kinds of jobs are named \(kind.name)")
        }
    }

    /// The kind with a name; `nil` if there is none.
    package subscript(name: String) -> JobKind? { byName[name] }

    /// The kinds whose jobs people may submit.
    package var submittable: [JobKind] { all.filter { $0.submitter == .user } }

    /// The number of dead letters among jobs counted by kind and state. Ephemeral jobs do not count, since they appear
    /// in no list.
    package func deadLetters(among counts: [String: [JobState: Int]]) -> Int {
        counts.reduce(0) { $0 + (byName[$1.key]?.isEphemeral == true ? 0 : $1.value[.failed] ?? 0) }
    }
}
