/// An error of Mozilla's push service (https://mozilla-push-service.readthedocs.io/en/latest/http/).
struct PushErrorDocument: Encodable {
    let code: Int
    let errno: Int
    let error: String
    let message: String
}

/// An error of Apple's push service.
struct PushReasonDocument: Encodable {
    let reason: String
}
