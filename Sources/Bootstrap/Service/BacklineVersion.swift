/// The version that `--version` prints.
package enum BacklineVersion {
    package static let current = "0.1.0"
}
