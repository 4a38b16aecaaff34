import JSONValues
import Notation

/// A layout of the client's own, by its name, with what it is to be made with.
package struct CollectionLayout: Hashable, Sendable {
    /// The name, which clients know.
    @Verbatim package var name = ""
    /// The layout's parameters, an object; nil without such.
    package var parameters: JSONValue?

    /// The longest text of the parameters, in bytes: each change of the definition tells them to all subscribers.
    package static let maximumParametersLength = 64 * 1024
}

extension CollectionLayout {
    /// The members of a layout.
    package static let fields = Fields<CollectionLayout>("a layout") {
        Field("name", \.name, .name, isRequired: true, "The layout's name, which clients know.")
        Field(
            "parameters", \.parameters, .optional(.layoutParameters),
            "The values with which the client makes the layout.")
    }
}

extension FieldType<JSONValue> {
    /// An object that is passed on to clients.
    fileprivate static let layoutParameters = FieldType(
        .reference("AnyObject"),
        decode: { node, faults in
            guard node.isObject("parameters", &faults) else { return nil }
            let limit = CollectionLayout.maximumParametersLength
            guard node.text.count <= limit else {
                faults.append(node, "the parameters of a layout have at most \(limit) bytes as JSON")
                return nil
            }
            return node.value
        }, encode: { $1.value($0) })
}

extension FieldType<CollectionLayout> {
    /// A layout.
    static let layout: FieldType = FieldType(
        .reference("CollectionLayout"),
        decode: { CollectionLayout.fields.decode($0, into: CollectionLayout(), &$1) },
        encode: { CollectionLayout.fields.encode($0, to: &$1) })
}
