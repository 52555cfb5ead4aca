/// One step of a history of people.
///
/// A step does nothing if what it names is missing, since a shrunk history lacks steps.
package enum PeopleOperation: Codable, Sendable, Equatable {
    /// Somebody acts, and waits a short time for the answer.
    case act(PeopleAct)
    /// Somebody does the same on both devices at once.
    case onBothDevices(PeopleAct)
    /// Several people act at once, none of them in two acts. The gateway may be killed at the first answer.
    case burst([PeopleAct], kills: Bool)
    /// As a burst, while the gateway is stopped for so long: its answers are late.
    case whileStopped([PeopleAct], milliseconds: Int)
    /// The device that is mostly offline reads what has changed.
    case wake(Int)
    /// The connection of the device with an event stream breaks.
    case disconnect(Int)
    /// The device with an event stream begins to read the lists. Their answers arrive later than events that come
    /// meanwhile.
    case read(Int)
    /// `kill -9` of the gateway.
    case kill
    /// `SIGTERM` to the gateway.
    case drain
    /// Starts the gateway if it has ended.
    case start
    /// Waits for everything under way, and compares what people and devices see with the model.
    case check
    /// Copies the database with `backline backup`.
    case backUp
    /// Ends the gateway, restores the last copy, and starts it again; does nothing if somebody was erased since.
    case restore
    case pause(milliseconds: Int)
}

extension PeopleOperation: CustomStringConvertible {
    package var description: String {
        func text(_ acts: [PeopleAct]) -> String { acts.map(\.description).joined(separator: "; ") }
        return switch self {
        case .act(let act): "\(act)"
        case .onBothDevices(let act): "on both devices at once: \(act)"
        case .burst(let acts, let kills):
            "at once" + (kills ? ", and kill the gateway at the first answer: " : ": ") + text(acts)
        case .whileStopped(let acts, let milliseconds):
            "SIGSTOP the gateway for \(milliseconds) ms during: \(text(acts))"
        case .wake(let person): "the offline device of \(person) reads the changes"
        case .disconnect(let person): "the event stream of \(person) breaks"
        case .read(let person): "the device of \(person) begins to read the lists"
        case .kill: "kill -9 the gateway"
        case .drain: "SIGTERM the gateway"
        case .start: "start the gateway"
        case .check: "compare what everybody sees"
        case .backUp: "back up the database"
        case .restore: "end the gateway, restore the backup, and start it"
        case .pause(let milliseconds): "wait \(milliseconds) ms"
        }
    }
}
