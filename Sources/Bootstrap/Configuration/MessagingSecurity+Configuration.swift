import Messaging
import Settings

extension BacklineConfiguration.Messaging {
    /// Whether the endpoint is protected by CURVE.
    package var usesCurve: Bool {
        guard let endpoint = try? Endpoint(endpoint), endpoint.isTCP else { return false }
        return endpoint.isNetwork || curve == .always
    }

    package var keys: KeyFolder { KeyFolder(keyFolder) }

    /// Reads the gateway's keys from their files.
    ///
    /// - Parameter onProblem: called for each allow-list file that cannot be used; its key is not allowed.
    /// - Throws: ``ConfigurationError`` when the endpoint needs keys and they cannot be used.
    package func gatewaySecurity(onProblem: (KeyFileError) -> Void) throws(ConfigurationError) -> MessagingSecurity {
        guard usesCurve else { return .none }
        return try rethrowing { () throws(KeyFileError) in
            let pair = try keys.gatewayPair()
            let (register, problems) = try keys.register()
            for problem in problems { onProblem(problem) }
            return .gateway(pair, KeyGate(register))
        }
    }

    /// Reads a worker's keys from their files.
    ///
    /// - Throws: ``ConfigurationError`` when the endpoint needs keys and they cannot be used.
    package func workerSecurity() throws(ConfigurationError) -> MessagingSecurity {
        guard usesCurve else { return .none }
        guard let keyFile else {
            throw refusal(
                "a worker needs a key: make one with 'backline keys new NAME', and name its file in "
                    + ConfigurationKeys.messagingKeyFile.path)
        }
        return try rethrowing { () throws(KeyFileError) in
            let pair = try KeyFile.secret(
                at: keyFile, remedy: "'backline keys new NAME' makes one; run it on the gateway's machine.")
            let gateway = try KeyFile.open(
                gatewayKeyFile ?? keys.gatewayPublicPath,
                remedy:
                    "It is the gateway's public key, which 'backline keys new --gateway' makes: copy it, and name it "
                    + "in \(ConfigurationKeys.messagingGatewayKeyFile.path).")
            return .worker(pair, gatewayKey: gateway.publicKey)
        }
    }

    private func rethrowing(
        _ body: () throws(KeyFileError) -> MessagingSecurity
    ) throws(ConfigurationError) -> MessagingSecurity {
        do {
            return try body()
        } catch {
            throw refusal("\(error)")
        }
    }

    private func refusal(_ reason: String) -> ConfigurationError {
        ConfigurationError(
            problems: [
                .error(
                    "\(ConfigurationKeys.messagingEndpoint.path) is \(quoted(endpoint)), where messages need CURVE; "
                        + reason)
            ])
    }
}
