import Connections
import Gateway

extension SetupStep {
    var json: [UInt8] { JSONWriter.object { writeMembers(to: &$0) } }

    /// Members without a value are left out.
    func writeMembers(to json: inout JSONWriter) {
        json.member("id", provider.rawValue)
        json.member("title", title)
        json.member("state", state.rawValue)
        json.member("detail", detail)
        if let maskedKey { json.member("maskedKey", maskedKey) }
        if let city { json.member("city", city) }
        if let account { json.member("account", account) }
        if let connectedAt { json.member("connectedAt", connectedAt) }
        if let expiresAt { json.member("expiresAt", expiresAt) }
        if let scopes { json.member("scopes") { $0.array(scopes) { $0.value($1) } } }
        if let recovery { json.member("recovery", recovery.rawValue) }
        if let reason { json.member("reason", reason) }
        if let until { json.member("until", until) }
        if let scope = missingScopes.first {
            json.member("scope", scope)
            json.member("missingScopes") { $0.array(missingScopes) { $0.value($1) } }
        }
        if let question {
            json.member("question") { json in
                json.object {
                    $0.member("id", question.id)
                    $0.member("account", question.account.displayName)
                    $0.member("expiresAt", question.expiresAt)
                }
            }
        }
        if hasInstallationKey { json.member("installationKey", true) }
        if let apps {
            json.member("app") { json in
                json.object {
                    if let own = apps.own { $0.member("clientId", own) }
                    $0.member("installationApp", apps.installation != nil)
                    if usesOtherApp { $0.member("connectedWithOther", true) }
                    if let redirectURI { $0.member("redirectURI", redirectURI) }
                }
            }
        }
        if !formerAccounts.isEmpty {
            json.member("formerAccounts") { $0.array(formerAccounts) { $0.value($1) } }
        }
    }
}

extension SetupChecklist {
    var json: [UInt8] {
        JSONWriter.object { json in
            json.member("steps") { $0.array(steps) { json, step in json.object { step.writeMembers(to: &$0) } } }
            json.member("completed", completed)
            json.member("total", steps.count)
            json.member("optional") { $0.array(optional) { json, step in json.object { step.writeMembers(to: &$0) } } }
        }
    }
}
