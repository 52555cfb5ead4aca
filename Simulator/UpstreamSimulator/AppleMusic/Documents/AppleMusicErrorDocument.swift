/// The errors of a refusal. `status` and `code` are texts.
struct AppleMusicErrorDocument: Encodable {
    struct Failure: Encodable {
        struct Source: Encodable {
            var parameter: String
        }

        let id = OpaqueToken.make("", length: 26).uppercased()
        var title: String
        var detail: String
        var status: String
        var code: String
        var source: Source?
    }

    var errors: [Failure]
}

/// The refusal of a caller that is too fast.
struct AppleMusicCapacityDocument: Encodable {
    let message = "API capacity exceeded"
}
