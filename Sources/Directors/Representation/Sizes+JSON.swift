import JSONValues

extension LayoutSize {
    /// The members of a size.
    package static let fields = Fields<LayoutSize>("a size") {
        Field("width", \.width, .length, isRequired: true, "The extent from left to right.")
        Field("height", \.height, .length, isRequired: true, "The extent from top to bottom.")
    }

    /// Appends the size as `{"width", "height"}`.
    package func encode(to writer: inout JSONWriter) {
        LayoutSize.fields.encode(self, to: &writer)
    }
}

extension EdgeInsets {
    /// The members of insets.
    package static let fields = Fields<EdgeInsets>("insets") {
        Field("top", get: { $0.top }, set: { $0.top = $1 }, .inset, "The distance from the upper edge.")
        Field("left", get: { $0.left }, set: { $0.left = $1 }, .inset, "The distance from the left edge.")
        Field("bottom", get: { $0.bottom }, set: { $0.bottom = $1 }, .inset, "The distance from the lower edge.")
        Field("right", get: { $0.right }, set: { $0.right = $1 }, .inset, "The distance from the right edge.")
    }

    /// Appends the insets as `{"top", "left", "bottom", "right"}`.
    package func encode(to writer: inout JSONWriter) {
        EdgeInsets.fields.encode(self, to: &writer)
    }
}

extension FieldType<LayoutSize> {
    /// A width and a height.
    package static let size = FieldType(
        .reference("Size"), decode: { LayoutSize.fields.decode($0, into: LayoutSize(width: 0, height: 0), &$1) },
        encode: { $0.encode(to: &$1) })
}

extension FieldType<EdgeInsets> {
    /// Distances from the four edges; one that is left out is zero.
    package static let insets = FieldType(
        .reference("Insets"), decode: { EdgeInsets.fields.decode($0, into: .zero, &$1) },
        encode: { $0.encode(to: &$1) })
}

extension FieldType<SizePolicy<Double>> {
    /// How a height is settled.
    package static let heightPolicy = policy(.reference("HeightPolicy"), of: .length)
}

extension FieldType<SizePolicy<LayoutSize>> {
    /// How a size is settled.
    package static let sizePolicy = policy(.reference("SizePolicy"), of: .size)
}

extension FieldType {
    fileprivate static func policy<Size>(
        _ schema: JSONSchema, of size: FieldType<Size>
    ) -> FieldType where Value == SizePolicy<Size> {
        FieldType(
            schema, decode: { SizePolicy.decode($0, size, &$1) }, encode: { $0.encode(size, to: &$1) },
            isReplaced: { $0.isReplaced(by: $1) })
    }
}

extension SizePolicy {
    /// The schema of a policy for sizes of a schema.
    package static func schema(of size: JSONSchema) -> JSONSchema {
        .oneOf(
            [.constant("default")]
                + ["auto", "explicit"].map { form in
                    .object([MemberDescription(form, size, use: .required)], side: .body)
                })
    }

    fileprivate static func decode(
        _ node: JSONNode, _ type: FieldType<Size>, _ faults: inout FaultList
    ) -> SizePolicy? {
        if node.string == "default" { return .default }
        var members = node.members.makeIterator()
        guard let member = members.next(), members.next() == nil, member.isNamed("auto") || member.isNamed("explicit")
        else {
            faults.append(node, #"expected "default", {"auto": estimate} or {"explicit": size}"#)
            return nil
        }
        guard let size = type.decode(member.value, &faults) else { return nil }
        return member.isNamed("auto") ? .auto(estimate: size) : .explicit(size)
    }

    fileprivate func encode(_ type: FieldType<Size>, to writer: inout JSONWriter) {
        let (form, size): (String, Size)
        switch self {
        case .default: return writer.string("default")
        case .auto(let estimate): (form, size) = ("auto", estimate)
        case .explicit(let exact): (form, size) = ("explicit", exact)
        }
        writer.object { writer in
            writer.key(form)
            type.encode(size, &writer)
        }
    }

    /// Whether a patch's member gives the policy the form that it does not have.
    fileprivate func isReplaced(by node: JSONNode) -> Bool {
        guard node.kind == .object else { return false }
        switch self {
        case .default: return false
        case .auto: return node["explicit"].map { !$0.isNull } ?? false
        case .explicit: return node["auto"].map { !$0.isNull } ?? false
        }
    }
}
