import Composition
import Composition
import CommandSupport
import Commands

/// Backline's programs, which share one executable: it acts as the program under whose name it was started
/// (docs/decisions/028-one-executable.md). scripts/build creates the names.
@main
enum Program: String {
    case aiWorker = "ai-worker"
    case apiGateway = "api-gateway"
    case backline
    case concertWorker = "concert-worker"
    case syncWorker = "sync-worker"

    static func main() async {
        let path = CommandLine.arguments.first ?? ""
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        // Under any other name, such as that of a renamed copy, it is the command line.
        switch Program(rawValue: name) ?? .backline {
        case .aiWorker: await AIWorker.main()
        case .apiGateway: await APIGateway.main()
        case .backline: await CommandDomains.$all.withValue(.all) { await BacklineCommand.main() }
        case .concertWorker: await ConcertWorker.main()
        case .syncWorker: await SyncWorker.main()
        }
    }
}
