import Foundation
import Model

/// A long-running operation that a request starts and that ends by itself, as the API shows it.
package protocol FollowedResource: Decodable, Sendable {
    var id: String { get }
    var hasEnded: Bool { get }
    /// Its progress, as text for people.
    var progressText: String { get }
}

extension GatewayClient {
    /// The pause between two polls. The operations take seconds, and following events would need the same polls while
    /// the stream is silent.
    private static let followingPause = Duration.milliseconds(400)

    /// Polls an operation until it has ended, and shows its progress on a terminal.
    ///
    /// - Parameters:
    ///   - answer: the response to the request that started it.
    ///   - path: the path of the collection; the id is appended.
    /// - Returns: the ended operation, and the response that it was decoded from.
    package func followed<Resource: FollowedResource>(
        _ type: Resource.Type, from answer: Data, at path: String
    ) async throws -> (Resource, Data) {
        let terminal = Terminal.current()
        var answer = answer
        var resource = try decode(type, from: answer)
        while !resource.hasEnded {
            if terminal.showsProgress {
                CommandOutput.show(ProgressBar.erasure)
                CommandOutput.show("\r\(resource.progressText)")
            }
            try await Task.sleep(for: Self.followingPause)
            answer = try await get("\(path)/\(resource.id)")
            resource = try decode(type, from: answer)
        }
        if terminal.showsProgress { CommandOutput.show(ProgressBar.erasure) }
        return (resource, answer)
    }

    /// Reads the events of one name from the user's stream until the task is cancelled.
    ///
    /// - Parameters:
    ///   - changed: called with the data of each event.
    ///   - uncertain: called when the stream was opened or reset: events may have been missed.
    package func followEvents(named name: String, changed: (Data) -> Void, uncertain: () -> Void) async {
        await followEvents(pause: PollReminders.interval) { input in
            switch input {
            case .opened: uncertain()
            case .events(let received):
                for event in received {
                    switch event.name {
                    case name: changed(Data(event.data.utf8))
                    case "reset": uncertain()
                    default: break  // other events, also of other domains
                    }
                }
            }
        }
    }
}
