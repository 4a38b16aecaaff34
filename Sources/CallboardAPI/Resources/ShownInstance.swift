import DirectorLife
import Directors
import Hosting
import JSONValues
import Notation
import Views

/// An instance of a view as it is listed.
struct ShownInstance: AnswerObject {
    let epoch: String
    let parameters: [(name: Name, value: JSONValue)]
    let version: Int
    let counts: ListCounts
    let hasStreams: Bool
    let evaluations: Int?
    let bytes: Int
    let faults: JSONValue?
    let selection: JSONValue?

    /// Describes an instance at this moment.
    ///
    /// - Parameter tellsOfSource: Whether it says how many of the source's elements were looked at, and which fail.
    init(_ instance: isolated ViewInstance, tellsOfSource: Bool) {
        let state = instance.stored
        selection = instance.selection
        epoch = instance.epoch
        parameters = instance.plan.bindings.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        version = state.versions.newest.version
        counts = state.versions.newest.list.counts
        hasStreams = instance.isFollowed
        evaluations = tellsOfSource ? instance.evaluations : nil
        bytes = instance.memory
        faults = tellsOfSource ? instance.facts.faults : nil
    }

    static let form = AnswerForm<Self>(
        AnswerField("epoch") { $0.epoch },
        AnswerField("parameters", as: .any) { $0.boundValues },
        .ifAny(
            "view", "The view that a reader described in a query; left out for one of the view's definition.",
            as: .reference("View")
        ) { $0.selection },
        AnswerField("version", as: .integer(minimum: 0)) { $0.version },
        AnswerField("counts") { $0.counts },
        AnswerField("isFollowed", "Whether a stream or another view follows it.") { $0.hasStreams },
        .ifAny(
            "evaluations", "Elements that expressions were evaluated on; only for those who may read the source.",
            as: .integer(minimum: 0)
        ) { $0.evaluations },
        AnswerField("bytes", "The memory that it takes, estimated.", as: .integer(minimum: 0)) { $0.bytes },
        .ifAny(
            "faults", "The elements that are left out; only for those who may read the source.",
            as: .reference("ViewFaults")
        ) { $0.faults })

    /// The schema of what a view leaves out.
    static let faultsSchema = JSONSchema.object(
        [
            MemberDescription("count", .integer(minimum: 0), "How many elements are left out."),
            MemberDescription(
                "first",
                .array(
                    .object(
                        [
                            MemberDescription("id", .string()),
                            MemberDescription("pointer", .string(), "The expression, in the definition."),
                            MemberDescription("detail", .string()),
                        ], side: .answer), maxItems: ViewFaults.limit),
                "The first ten, in the order of the source."),
        ], side: .answer)

    private var boundValues: JSONValue {
        var writer = JSONWriter()
        writer.object { writer in
            for (name, value) in parameters {
                writer.key(name.text)
                writer.value(value)
            }
        }
        return JSONValue(trusting: writer.takeBytes())
    }
}
