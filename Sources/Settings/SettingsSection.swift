/// The settings that one part of Backline, such as a domain, declares and reads.
///
/// A part declares each of its keys once and reads it in ``init(reading:)``. Everything else about the key follows from
/// its declaration: its variable, its error texts and its lines in `config/backline.yaml` or in the domain's
/// `settings.yaml`.
package protocol SettingsSection: Sendable, Equatable {
    /// All of its keys, in the order of the file that lists them. Those of named sections have
    /// ``NamedSections/placeholder`` for the name.
    static var keys: [ConfigurationKeySummary] { get }
    /// The sections to which the administrator gives names.
    static var namedSections: [NamedSections] { get }

    /// Reads every key, and reports what is wrong to the reader.
    init(reading reader: inout ConfigurationReader)
}

extension SettingsSection {
    package static var namedSections: [NamedSections] { [] }

    fileprivate func isEqual(to other: any SettingsSection) -> Bool { other as? Self == self }
}

/// The sections of a configuration, which are found by their types.
package struct SettingsSections: Sendable, Equatable {
    private var sections: [ObjectIdentifier: any SettingsSection] = [:]

    package init(_ types: [any SettingsSection.Type], reading reader: inout ConfigurationReader) {
        for type in types { sections[ObjectIdentifier(type)] = type.init(reading: &reader) }
    }

    package subscript<Section: SettingsSection>(type: Section.Type) -> Section {
        get {
            guard let section = sections[ObjectIdentifier(type)] as? Section else {
                preconditionFailure("\(type) is not in the list of sections with which the configuration was loaded")
            }
            return section
        }
        set { sections[ObjectIdentifier(type)] = newValue }
    }

    package static func == (left: SettingsSections, right: SettingsSections) -> Bool {
        left.sections.count == right.sections.count
            && left.sections.allSatisfy { type, section in
                right.sections[type].map { section.isEqual(to: $0) } ?? false
            }
    }
}
