import Accounts
import Composition
import Bootstrap
import Contracts
import Domains
import Hummingbird
import HummingbirdTesting
import Model
import Storage
import TestSupport
import Testing

@testable import Gateway
@testable import Jobs

@Suite("Beginnings and ends of event streams", .timeLimit(.minutes(5)))
struct EventStreamEndTests {
    /// A person's stream, opened with a token or a session.
    private struct OpenStream {
        let writer: CollectingWriter
        let task: Task<Void, any Error>

        var text: String { String(decoding: writer.bytes, as: UTF8.self) }
    }

    /// Opens a stream, and returns once it is waiting for signals.
    private func open(
        _ gateway: TestGateway, _ context: GatewayContext, from start: EventRoutes.StartPosition
    ) async throws -> OpenStream {
        let services = gateway.application.services
        let reads = Collector<Void>()
        let source = EventSource(ItemKind("test"), topics: nil) { _, _, _, _ in
            reads.append(())
            return []
        }
        let routes = EventRoutes(queue: services.queue, sources: [source], credentials: services.credentials)
        let (writer, userID) = (CollectingWriter(), try context.userID)
        let signals = services.queue.events.stream(userID: userID)
        let task = Task {
            var body: any ResponseBodyWriter = writer
            try await routes.send(to: &body, signals: signals, userID: userID, from: start) {
                (try? await services.credentials.stillKnows(context)) != false
            }
        }
        if !start.mustReset { await reads.wait(for: 1) }
        return OpenStream(writer: writer, task: task)
    }

    private func context(_ user: UserRecord, token: APIToken? = nil, session: SessionToken? = nil) throws
        -> GatewayContext
    {
        var context = try GatewayContext.from()
        (context.user, context.token, context.session) = (user, token, session)
        return context
    }

    @Test("The opening has the id at which a client resumes if it loses its connection before the first event")
    func firstID() async throws {
        try await TestGateway.run { gateway in
            let token = try await gateway.addUser("ada")
            let user = try #require(
                try await gateway.application.services.credentials.user(for: token))
            let start = EventRoutes.StartPosition(id: EventID(history: nil, change: 7))
            let stream = try await open(gateway, try context(user, token: token), from: start)
            #expect(stream.text == ": stream of changes\nretry: 1000\nid: 7\n\n")
            let lost = EventRoutes.StartPosition(id: EventID(history: nil, change: 8), mustReset: true)
            let reset = try await open(gateway, try context(user, token: token), from: lost)
            gateway.application.services.queue.events.close()
            for one in [stream, reset] { try await one.task.value }
            let data = #"{"kinds":["job","test"]}"#
            #expect(reset.text == ": stream of changes\nretry: 1000\nid: 8\nevent: reset\ndata: \(data)\n\n")
        }
    }

    /// The ways in which a credential ends.
    enum Ending: String, CaseIterable, Sendable {
        case revokedToken, revokedByOperator, revokedTokenOfSession, endedSession, signOut, erasure, anotherProcess
        case removedByCommand, suspension, suspensionOfSession
    }

    @Test("A stream ends as soon as its token or session does, without another event", arguments: Ending.allCases)
    func endOfACredential(_ ending: Ending) async throws {
        try await TestGateway.run { gateway in
            let accounts = Accounts(database: gateway.database)
            let token = try await gateway.addUser("ada")
            let services = gateway.application.services
            let user = try #require(try await services.credentials.user(for: token))
            let id = try #require(try await accounts.tokens(userID: user.id).first?.id)
            let (key, _) = try #require(try await accounts.signIn(token: token))
            let sessionID = try #require(try await accounts.sessions(userID: user.id).first?.id)
            let isOfToken = [
                .revokedToken, .revokedByOperator, .erasure, .anotherProcess, .removedByCommand, .suspension,
            ].contains(ending)
            let start = EventRoutes.StartPosition(id: EventID(history: nil, change: 0))
            let stream = try await open(
                gateway, try context(user, token: isOfToken ? token : nil, session: isOfToken ? nil : key), from: start)
            switch ending {
            case .revokedToken, .revokedTokenOfSession: #expect(try await accounts.revokeToken(id: id, userID: user.id))
            case .revokedByOperator: try await accounts.revokeToken(id: id)
            case .endedSession: #expect(try await accounts.endSession(id: sessionID, userID: user.id))
            case .signOut: try await accounts.signOut(key)
            case .erasure: try await accounts.beginErasure(userID: user.id)
            case .suspension, .suspensionOfSession: try await accounts.suspend(user: "ada")
            case .anotherProcess:
                let other = try Database.open(path: gateway.database.path, schema: gateway.database.schema)
                try await Accounts(database: other).revokeToken(id: id)
                other.close()
                try await services.queue.dispatcher.pollChanges()
            case .removedByCommand:
                // Nothing is left of the person when the gateway looks.
                let other = try Database.open(path: gateway.database.path, schema: gateway.database.schema)
                _ = try await Accounts(database: other).removeUser(named: "ada", tables: PersonalTables(of: .all))
                other.close()
                try await services.queue.dispatcher.pollChanges()
            }
            try await stream.task.value
            #expect(stream.text == ": stream of changes\nretry: 1000\nid: 0\n\n")
        }
    }

    @Test("When another of the person's credentials ends, no stream ends")
    func endOfAnotherCredential() async throws {
        try await TestGateway.run { gateway in
            let accounts = Accounts(database: gateway.database)
            let token = try await gateway.addUser("ada")
            let services = gateway.application.services
            let user = try #require(try await services.credentials.user(for: token))
            let (former, _) = try #require(try await accounts.signIn(token: token))
            let start = EventRoutes.StartPosition(id: EventID(history: nil, change: 0))
            let stream = try await open(gateway, try context(user, token: token), from: start)
            try await accounts.signOut(former)
            services.queue.events.progressed(
                RunProgress(run: JobRun(jobID: "j", run: 1), JobProgress(done: 1, total: 2)), userID: user.id)
            services.queue.events.close()
            try await stream.task.value
            #expect(stream.text.contains("event: progress\n"))
        }
    }

    @Test("Proxies that buffer responses are asked to forward a stream")
    func bufferingProxies() async throws {
        try await TestGateway.run { gateway in
            let headers = try await gateway.authorization()
            gateway.application.services.queue.events.close()
            try await gateway.withClient { client in
                let response = try await client.execute(uri: "/v1/events", method: .get, headers: headers)
                #expect(response.headers[.accelBuffering] == "no" && response.headers[.cacheControl] == "no-store")
            }
        }
    }
}
