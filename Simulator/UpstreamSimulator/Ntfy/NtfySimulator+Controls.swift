import Hummingbird

extension NtfySimulator {
    /// `GET /_sim/ntfy/messages?topic=…`: the ``Message``s of a topic, or of all, in the order of their arrival.
    func addControls(to control: RouterGroup<SimulatorContext>) {
        control.get("messages") { [self] request, _ in
            try ControlJSON.encode(messages(topic: RequestTarget(request.uri.string)["topic"]))
        }
    }
}
