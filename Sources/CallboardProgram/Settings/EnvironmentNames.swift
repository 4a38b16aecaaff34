import Directors

/// The variables of the environment that begin with `CALLBOARD_`: which there are, and which mean something.
///
/// An unknown variable is an error: a server that ignored it might stay open although the operator meant to close it.
enum EnvironmentNames {
    /// Variables of the program's that are no settings of the server's.
    static let ofCommands = [
        "CALLBOARD_CONFIG", "CALLBOARD_SERVER", CredentialOptions.variable, TrustOptions.variable,
        SecretOptions.variable,
    ]

    /// The variables of the project's own tests and tools; a server that they start has them too.
    private static let ofTests: Set<String> = [
        "CALLBOARD_BIN", "CALLBOARD_CLIENT", "CALLBOARD_CLIENT_CASES",
        "CALLBOARD_CONSOLE_SECONDS", "CALLBOARD_FUZZ", "CALLBOARD_FUZZ_TARGET", "CALLBOARD_INPUTS",
        "CALLBOARD_LOGIC_ROUNDS", "CALLBOARD_MIXED_SECONDS", "CALLBOARD_NODES_SECONDS", "CALLBOARD_RECORD",
        "CALLBOARD_SCHEMATHESIS_EXAMPLES", "CALLBOARD_SCHEMATHESIS_SEED", "CALLBOARD_SEED", "CALLBOARD_SOAK_SECONDS",
        "CALLBOARD_SSLYZE",
    ]

    /// The variables that mean nothing, in their order.
    static func unknown(in environment: [String: String]) -> [String] {
        let known = Set(Setting.all.map(\.environmentName)).union(ofCommands).union(ofTests)
        return environment.filter { name, value in
            name.hasPrefix("CALLBOARD_") && !known.contains(name) && !name.hasPrefix("CALLBOARD_TEST_")
                && !isOfService(name, value)
        }.keys.sorted()
    }

    /// Refuses an environment with a variable that means nothing.
    static func check(_ environment: [String: String]) throws(ProgramError) {
        if let fault = faults(in: environment).first { throw fault }
    }

    /// The message about each unknown variable, in their order.
    static func faults(in environment: [String: String]) -> [ProgramError] {
        unknown(in: environment).map(fault)
    }

    private static func fault(_ name: String) -> ProgramError {
        let names = Setting.all.map(\.environmentName) + ofCommands
        // Without what they have in common, which would make every name near to every other.
        let common = "CALLBOARD_".count
        let nearest = NearestName.find(
            String(name.dropFirst(common)), among: names.map { String($0.dropFirst(common)) })
        return ProgramError(
            "the environment variable \(TextWidth.printable(name)) is unknown",
            advice: (nearest.map { "did you mean CALLBOARD_\($0)? " } ?? "")
                + "\"callboard serve --print-config\" shows every setting with its variable; unset what is not for callboard",
            status: .configuration)
    }

    /// Whether Kubernetes or Docker has set a variable for a service whose name begins with "callboard".
    private static func isOfService(_ name: String, _ value: String) -> Bool {
        if name.wholeMatch(of: /CALLBOARD(_[A-Z0-9_]+)?_SERVICE_(HOST|PORT(_[A-Z0-9_]+)?)/) != nil { return true }
        if name.wholeMatch(of: /CALLBOARD(_[A-Z0-9_]+)?_PORT_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?/) != nil {
            return true
        }
        return name.wholeMatch(of: /CALLBOARD(_[A-Z0-9_]+)?_PORT/) != nil
            && value.wholeMatch(of: /(tcp|udp|sctp):\/\/.+/) != nil
    }
}
