import Settings

/// The command line of a service process. All other settings are configuration.
enum ServiceArguments: Equatable {
    case start(configurationFile: String?)
    case help
    case version
    /// Completes the sentence "NAME: …".
    case misuse(String)

    init(_ arguments: [String]) {
        var file: String?
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h":
                self = .help
                return
            case "--version":
                self = .version
                return
            case "--config":
                guard let path = rest.popFirst() else {
                    self = .misuse("--config needs the path of a file")
                    return
                }
                guard file == nil else {
                    self = .misuse("--config was given twice")
                    return
                }
                file = path
            case _ where argument.hasPrefix("--config="):
                rest = ["--config", String(argument.dropFirst("--config=".count))] + rest
            default:
                self = .misuse("unknown argument \(quoted(argument))")
                return
            }
        }
        self = .start(configurationFile: file)
    }

    static func usage(of name: String) -> String {
        """
        Usage: \(name) [--config PATH]

          --config PATH  read this file instead of BACKLINE_CONFIG or \(BacklineConfiguration.defaultFile)
          --version      print the version
          --help         print this

        Every key of the file can be overridden by an environment variable; the file says which.
        """
    }
}

/// The version that `--version` prints.
package enum BacklineVersion {
    package static let current = "0.2.0"
}
