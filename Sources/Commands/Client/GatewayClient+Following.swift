import Foundation
import Model

/// Something that a request begins and that ends by itself, as the API shows it.
protocol FollowedResource: Decodable, Sendable {
    var id: String { get }
    var hasEnded: Bool { get }
    /// How far it is, in words.
    var progressText: String { get }
}

extension GatewayClient {
    /// Between two requests. What is followed takes seconds: following events would need the same requests while the
    /// stream is silent.
    private static let followingPause = Duration.milliseconds(400)

    /// Shows on a terminal how far something is, until it has ended.
    ///
    /// - Parameters:
    ///   - answer: that of the request which began it.
    ///   - path: of all such resources; the id is appended.
    /// - Returns: how it ended, and the answer that says so.
    func followed<Resource: FollowedResource>(
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
}
