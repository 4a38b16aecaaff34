import JSONValues

/// A size that a policy can hold, with its JSON form.
protocol RepresentableSize: Hashable, Sendable {
    static func decode(_ node: JSONNode, _ faults: inout FaultList) -> Self?
    func encode(to writer: inout JSONWriter)
}

extension Double: RepresentableSize {
    static func decode(_ node: JSONNode, _ faults: inout FaultList) -> Double? {
        node.decodeLength(&faults)
    }

    func encode(to writer: inout JSONWriter) {
        writer.double(self)
    }
}

extension LayoutSize: RepresentableSize {
    static func decode(_ node: JSONNode, _ faults: inout FaultList) -> LayoutSize? {
        guard node.isObject("a size", &faults) else { return nil }
        var size = LayoutSize(width: 0, height: 0)
        for member in node.members {
            switch member.name {
            case "width": size.width = member.value.decodeLength(&faults) ?? 0
            case "height": size.height = member.value.decodeLength(&faults) ?? 0
            default: JSONNode.appendUnknown(member, of: "a size", known: ["width", "height"], &faults)
            }
        }
        for name in ["width", "height"] where node[name] == nil {
            faults.append(node, "a size needs the member \(name.quoted)")
        }
        return size
    }

    /// Appends the size as `{"width", "height"}`.
    package func encode(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("width")
        writer.double(width)
        writer.key("height")
        writer.double(height)
        writer.endObject()
    }
}

extension EdgeInsets {
    static func decode(_ node: JSONNode, _ faults: inout FaultList) -> EdgeInsets? {
        guard node.isObject("insets", &faults) else { return nil }
        var insets = EdgeInsets.zero
        for member in node.members {
            switch member.name {
            case "top": insets.top = member.value.decodeLength(&faults, allowingNegative: true) ?? 0
            case "left": insets.left = member.value.decodeLength(&faults, allowingNegative: true) ?? 0
            case "bottom": insets.bottom = member.value.decodeLength(&faults, allowingNegative: true) ?? 0
            case "right": insets.right = member.value.decodeLength(&faults, allowingNegative: true) ?? 0
            default:
                JSONNode.appendUnknown(member, of: "insets", known: ["top", "left", "bottom", "right"], &faults)
            }
        }
        return insets
    }

    /// Appends the insets as `{"top", "left", "bottom", "right"}`.
    package func encode(to writer: inout JSONWriter) {
        writer.beginObject()
        for (name, length) in [("top", top), ("left", left), ("bottom", bottom), ("right", right)] {
            writer.key(name)
            writer.double(length)
        }
        writer.endObject()
    }
}

extension SizePolicy where Size: RepresentableSize {
    static func decode(_ node: JSONNode, _ faults: inout FaultList) -> SizePolicy? {
        if node.string == "default" { return .default }
        var members = node.members.makeIterator()
        guard let member = members.next(), members.next() == nil, member.isNamed("auto") || member.isNamed("explicit")
        else {
            faults.append(node, #"expected "default", {"auto": estimate} or {"explicit": size}"#)
            return nil
        }
        guard let size = Size.decode(member.value, &faults) else { return nil }
        return member.isNamed("auto") ? .auto(estimate: size) : .explicit(size)
    }

    func encode(to writer: inout JSONWriter) {
        switch self {
        case .default:
            writer.string("default")
        case .auto(let estimate):
            writer.beginObject()
            writer.key("auto")
            estimate.encode(to: &writer)
            writer.endObject()
        case .explicit(let size):
            writer.beginObject()
            writer.key("explicit")
            size.encode(to: &writer)
            writer.endObject()
        }
    }
}
