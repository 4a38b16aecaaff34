import Access
import ArgumentParser

/// A token's rights, on the command line.
struct GrantOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Read these directors: snapshots, streams and all GETs.", valueName: "PATTERN"))
    var read: [String] = []

    @Option(help: ArgumentHelp("Report events to these directors.", valueName: "PATTERN"))
    var report: [String] = []

    @Option(help: ArgumentHelp("Change the lists of these directors.", valueName: "PATTERN"))
    var mutate: [String] = []

    @Option(help: ArgumentHelp("Create, redefine and delete these directors.", valueName: "PATTERN"))
    var define: [String] = []

    @Option(help: ArgumentHelp("Register and read the hooks of these directors.", valueName: "PATTERN"))
    var hooks: [String] = []

    @Flag(help: "Operate the server: tokens, metrics and readiness, no director's content.")
    var operate = false

    @Flag(help: "Every right to every director.")
    var all = false

    func validate() throws {
        do throws(GrantOptionError) {
            _ = try grants
        } catch {
            throw ValidationError(error.description)
        }
    }

    /// The grants, one for each list of patterns.
    ///
    /// Rights with the same patterns are in one grant, whatever the order of the patterns.
    var grants: Grants {
        get throws(GrantOptionError) {
            let lists: [(right: Right, patterns: [String])] = [
                (.read, read), (.report, report), (.mutate, mutate), (.define, define), (.hooks, hooks),
            ]
            let isEmpty = lists.allSatisfy(\.patterns.isEmpty) && !operate
            guard !all || isEmpty else { throw .allAndOthers }
            if all { return .everything }
            guard !isEmpty else { throw .none }
            var gathered: [(patterns: [DirectorPattern], rights: [Right])] = []
            for (right, texts) in lists where !texts.isEmpty {
                let patterns = try Self.patterns(texts, of: right)
                if let index = gathered.firstIndex(where: { Set($0.patterns) == Set(patterns) }) {
                    gathered[index].rights.append(right)
                } else {
                    gathered.append((patterns, [right]))
                }
            }
            if operate { gathered.append(([], [.operate])) }
            do throws(GrantError) {
                var list: [Grant] = []
                for (patterns, rights) in gathered { list.append(try Grant(Rights(rights), on: patterns)) }
                return try Grants(list)
            } catch {
                throw .wrong(error.detail)
            }
        }
    }

    /// The patterns without repetitions, in their order.
    private static func patterns(_ texts: [String], of right: Right) throws(GrantOptionError) -> [DirectorPattern] {
        var patterns: [DirectorPattern] = []
        for text in texts {
            do throws(GrantError) {
                let pattern = try DirectorPattern(text)
                if !patterns.contains(pattern) { patterns.append(pattern) }
            } catch {
                throw .pattern(right, text, error.detail)
            }
        }
        return patterns
    }
}

/// Why options give no grants.
enum GrantOptionError: Error, Equatable, CustomStringConvertible {
    /// No right was named.
    case none
    /// All rights were given, and some of them besides.
    case allAndOthers
    /// The value of an option is no pattern: the right, the value and the reason.
    case pattern(Right, String, String)
    /// Something else is wrong.
    case wrong(String)

    var description: String {
        switch self {
        case .none:
            "a token needs at least one right: --read, --report, --mutate, --define, --hooks, --operate or --all"
        case .allAndOthers: "--all is every right to every director; leave it out to limit the token to some"
        case .pattern(let right, let text, let detail): "--\(right.rawValue) '\(text)': \(detail)"
        case .wrong(let detail): detail
        }
    }
}
