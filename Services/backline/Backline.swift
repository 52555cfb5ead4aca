import Commands

/// The command line.
@main
enum Backline {
    static func main() async {
        await BacklineCommand.main()
    }
}
