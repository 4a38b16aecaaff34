import JSONValues
import Notation

/// How a row of a model looks where its cell is not there: in the console, in a picture, in a terminal.
///
/// Each member is a template over the value as the identifier's is, and may be a text without braces. The server stores and
/// tells it; whoever draws the row puts the value's members in, and leaves out a part whose members are not there.
package struct CellPreview: Hashable, Sendable {
    /// The first line.
    @Verbatim package var title: String?
    /// The second line.
    @Verbatim package var subtitle: String?
    /// A picture's address, or one character or two in its place.
    @Verbatim package var image: String?
    /// A short text that is set off from the others.
    @Verbatim package var badge: String?
    /// The text at the end of the row.
    @Verbatim package var trailing: String?
}

extension CellPreview {
    /// The members of a preview.
    package static let fields = Fields<CellPreview>("a preview") {
        Field("title", \.title, .optional(.previewTemplate), "The first line.")
        Field("subtitle", \.subtitle, .optional(.previewTemplate), "The second line.")
        Field("image", \.image, .optional(.previewTemplate), "A picture's address, or a character or two in its place.")
        Field("badge", \.badge, .optional(.previewTemplate), "A short text that is set off from the others.")
        Field("trailing", \.trailing, .optional(.previewTemplate), "The text at the end of the row.")
    }
}

extension FieldType<String> {
    /// A template over a value.
    fileprivate static let previewTemplate = FieldType(
        .string(minLength: 1, maxLength: IdentifierTemplate.maximumLength),
        decode: { node, faults in
            guard let text = node.decodeString(&faults) else { return nil }
            guard !text.isEmpty else {
                faults.append(node, "the template is empty")
                return nil
            }
            do throws(RepresentationError) {
                _ = try IdentifierTemplate.parts(of: text)
                return text
            } catch {
                faults.append(node, error.faults[0].detail)
                return nil
            }
        },
        encode: { $1.string($0) }, text: { $0 })
}

extension FieldType<CellPreview> {
    /// A preview.
    static let preview: FieldType = FieldType(
        .reference("CellPreview"),
        decode: { CellPreview.fields.decode($0, into: CellPreview(), &$1) },
        encode: { CellPreview.fields.encode($0, to: &$1) })
}
