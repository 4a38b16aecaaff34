import ArgumentParser
import CallboardClient

/// The options that say what of a list is shown.
struct SelectionOptions: ParsableArguments {
    @Option(
        name: .customLong("where"),
        help: ArgumentHelp(
            "Show the elements for which an expression of JsonLogic holds.", valueName: "EXPRESSION"),
        transform: { try JSON(argument: $0) })
    var condition: JSON?

    // A value may begin with "-".
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Sort by these members, separated by commas, such as value.price; - before a member sorts descending.",
            valueName: "PATHS"),
        transform: { try [ListSelection.SortKey](argument: $0) })
    var sort: [ListSelection.SortKey]?

    @Option(help: ArgumentHelp("Show the first so many elements.", valueName: "N"))
    var first: Int?

    @Option(
        help: ArgumentHelp("Bind a parameter of a view; may be repeated.", valueName: "NAME=VALUE"),
        transform: { try ListSelection.Parameter(argument: $0) })
    var parameter: [ListSelection.Parameter] = []

    func validate() throws {
        if let first, first < 1 { throw ValidationError("--first takes a number from 1.") }
        guard parameter.isEmpty || condition == nil && sort == nil && first == nil else {
            throw ValidationError(
                "--parameter binds what a view asks for, and goes with none of --where, --sort, --first.")
        }
    }

    /// The selection in words; empty for the whole list.
    var words: String {
        let sorting = sort.map { keys in
            keys.map { "\($0.isDescending ? "-" : "")\($0.key["var"]?.stringValue ?? $0.key.text)" }.joined(
                separator: ",")
        }
        let bound = parameter.map { "\($0.name)=\($0.value)" }
        let words = [
            condition.map { "where \($0.text)" }, sorting.map { "sorted by \($0)" }, first.map { "first \($0)" },
        ]
        return TextWidth.printable((words.compactMap(\.self) + bound).joined(separator: ", "))
    }

    /// What is shown.
    var selection: ListSelection {
        ListSelection(where: condition, sortBy: sort ?? [], limit: first, parameters: parameter)
    }
}

extension JSON {
    fileprivate init(argument text: String) throws {
        do {
            try self.init(parsing: Array(text.utf8))
        } catch {
            throw ValidationError("\(text.debugDescription) is no JSON: \(error)")
        }
    }
}

extension [ListSelection.SortKey] {
    fileprivate init(argument text: String) throws {
        let paths = text.split(separator: ",", omittingEmptySubsequences: false)
        guard paths.allSatisfy({ !$0.isEmpty && $0 != "-" }) else {
            throw ValidationError("--sort takes paths with commas between them, such as value.course,-value.price.")
        }
        self = paths.map { $0.first == "-" ? .descending(String($0.dropFirst())) : .ascending(String($0)) }
    }
}

extension ListSelection.Parameter {
    fileprivate init(argument text: String) throws {
        guard let sign = text.firstIndex(of: "="), sign != text.startIndex else {
            throw ValidationError("--parameter takes NAME=VALUE, and \(text.debugDescription) is none.")
        }
        self.init(String(text[..<sign]), String(text[text.index(after: sign)...]))
    }
}
