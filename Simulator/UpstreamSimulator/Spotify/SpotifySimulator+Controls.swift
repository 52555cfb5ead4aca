import Hummingbird
import Model

extension SpotifySimulator {
    /// The command of `POST /_sim/spotify/tokens`, for the tokens of one person or of all.
    struct TokenCommand: Sendable, Codable {
        enum Access: String, Sendable, Codable {
            /// "The access token expired".
            case expire
            /// "Invalid access token".
            case revoke
        }

        enum Refresh: String, Sendable, Codable {
            /// Lets seven months pass since the consent.
            case expire
            /// The person withdraws their consent.
            case revoke
        }

        var person: String?
        var access: Access?
        var refresh: Refresh?
        /// How many days to let pass since the consent.
        var days: Int?
    }

    /// All secrets that were ever made, so that a test can look for them where they must not appear.
    struct Secrets: Sendable, Codable {
        var codes: [String]
        var accessTokens: [String]
        var refreshTokens: [String]
    }

    func addControls(to control: RouterGroup<SimulatorContext>) {
        control.get("tokens") { [self] _, _ in try ControlJSON.encode(secrets) }
        control.post("tokens") { [self] request, context in
            carryOut(try await ControlJSON.decode(TokenCommand.self, request, context))
            return try ControlJSON.encode(secrets)
        }
        // Shows the rolling window of each app, by its client id.
        control.get("window") { [self] _, _ in
            try ControlJSON.encode(state.withLock { $0.windows.mapValues(\.use) })
        }
        let library = LibraryControl(
            libraries: libraries,
            usual: { [self] in state.withLock { $0.settings.signedInAs } ?? SpotifyPerson.all[0].id },
            knows: { SpotifyPerson(id: $0) != nil })
        library.add(to: control)
    }

    private var secrets: Secrets {
        state.withLock { state in
            Secrets(
                codes: state.grants.codes.keys.sorted(), accessTokens: state.grants.accessTokens.keys.sorted(),
                refreshTokens: state.grants.refreshTokens.keys.sorted())
        }
    }

    private func carryOut(_ command: TokenCommand) {
        state.withLock { state in
            switch command.access {
            case .expire: state.grants.expireAccessTokens(of: command.person, at: .now())
            case .revoke: state.grants.revokeAccessTokens(of: command.person)
            case nil: break
            }
            switch command.refresh {
            case .expire: state.grants.age(command.person, by: .seconds(215 * 86_400))
            case .revoke: state.grants.revokeConsents(of: command.person)
            case nil: break
            }
            if let days = command.days { state.grants.age(command.person, by: .seconds(days * 86_400)) }
        }
    }
}
