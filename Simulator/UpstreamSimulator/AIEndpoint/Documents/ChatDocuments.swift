/// The list of models.
struct ChatModelsDocument: Encodable {
    struct Model: Encodable {
        var id: String
        let object = "model"
    }

    let object = "list"
    let data: [Model]

    init(_ names: [String]) {
        data = names.map { Model(id: $0) }
    }
}

/// The answer of a chat completion.
struct ChatCompletionDocument: Encodable {
    struct Choice: Encodable {
        struct Message: Encodable {
            let role = "assistant"
            var content: String
        }

        let index = 0
        var message: Message
        var finishReason: String

        enum CodingKeys: String, CodingKey {
            case index, message
            case finishReason = "finish_reason"
        }
    }

    struct Usage: Encodable {
        let promptTokens: Int
        let completionTokens: Int
        let totalTokens: Int

        init(prompt: Int, completion: Int) {
            promptTokens = prompt
            completionTokens = completion
            totalTokens = prompt + completion
        }

        enum CodingKeys: String, CodingKey {
            case promptTokens = "prompt_tokens"
            case completionTokens = "completion_tokens"
            case totalTokens = "total_tokens"
        }
    }

    var id: String
    let object = "chat.completion"
    var model: String
    var choices: [Choice]
    var usage: Usage
}

/// The body of a refusal.
struct ChatErrorDocument: Encodable {
    struct Failure: Encodable {
        var message: String
        var type: String
        let param = JSONNull()
        let code = JSONNull()
    }

    let error: Failure

    init(_ type: String, _ message: String) {
        error = Failure(message: message, type: type)
    }
}
