import ListDiff

/// Changes that are shown before the server has published them.
///
/// An overlay is a function over the published sections. Each new version is shown with the overlay on top, until a version
/// has the change in or the change is taken back: nothing flickers in between.
struct ListOverlays {
    /// One change, and what tells that it is in.
    private struct Overlay {
        let cause: String
        /// The life of the list at which it was made.
        let epoch: String
        let change: ([RemoteSection]) throws -> [RemoteSection]
        /// The first version that has it in; nil until the server has said so.
        var version: Int?
    }

    private var overlays: [Overlay] = []

    /// Whether nothing is shown ahead.
    var isEmpty: Bool { overlays.isEmpty }

    /// The sections with everything on top. A change whose element has gone no longer applies, and is passed over.
    ///
    /// - Complexity: that of the changes.
    func over(_ sections: [RemoteSection]) -> [RemoteSection] {
        overlays.reduce(sections) { sections, overlay in (try? overlay.change(sections)) ?? sections }
    }

    /// Adds a change on top of the others.
    ///
    /// - Parameters:
    ///   - cause: The mutation's name in changesets.
    ///   - epoch: The life of the list.
    ///   - change: Makes the change.
    mutating func add(
        cause: String, epoch: String, _ change: @escaping ([RemoteSection]) throws -> [RemoteSection]
    ) {
        overlays.append(Overlay(cause: cause, epoch: epoch, change: change))
    }

    /// Notes that the server has made a change, which a version has in.
    mutating func confirm(cause: String, version: Int) {
        for index in overlays.indices where overlays[index].cause == cause { overlays[index].version = version }
    }

    /// Takes a change back.
    mutating func remove(cause: String) { overlays.removeAll { $0.cause == cause } }

    /// Lets go of the changes that a new version has in. A change that the server has made in another life is in every
    /// version, or in none.
    mutating func settle(version: Int, epoch: String, causes: [String] = []) {
        overlays.removeAll { overlay in
            let isKnown = overlay.version.map { $0 <= version || overlay.epoch != epoch } ?? false
            return isKnown || causes.contains(overlay.cause)
        }
    }
}
