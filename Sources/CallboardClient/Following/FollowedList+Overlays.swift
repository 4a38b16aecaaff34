import Foundation

extension FollowedList {
    /// Shows a change at once, makes it on the server, and takes it back where the server refuses it.
    ///
    /// ```swift
    /// try await list.show(
    ///     { sections in
    ///         var sections = sections
    ///         sections[0].elements.removeAll { $0.id == "Ada" }
    ///         return sections
    ///     },
    ///     whilePerforming: [.removeElement("Ada", in: "people")])
    /// ```
    ///
    /// The change stays on top of what the server publishes in the meantime, until the version that has it in arrives. Of two
    /// changes, also of one element, each goes by itself.
    ///
    /// - Parameters:
    ///   - change: What becomes of the sections that are shown. It is called again for each version in between; where it
    ///     throws then, the sections stay as they are.
    ///   - operations: What the server is to do and to publish.
    /// - Returns: The server's answer.
    /// - Throws: What `change` throws at first: nothing is sent then. ``ClientError`` where the server refuses the operations
    ///   or cannot be reached: the change is no longer shown then.
    @discardableResult
    public func show(
        _ change: @escaping ([RemoteSection]) throws -> [RemoteSection], whilePerforming operations: [ListOperation]
    ) async throws -> RemoteDirector.BatchResult {
        _ = try change(sections)
        let cause = UUID().uuidString.lowercased()
        edit { $0.add(cause: cause, epoch: published?.epoch ?? "", change) }
        do {
            let result = try await director.perform(operations, WriteOptions(reload: true, cause: cause))
            // What has changed nothing is named by no changeset: the version that the answer names has it in.
            let version = result.changeset?.version ?? (published?.version ?? 0) + 1
            edit { overlays in
                overlays.confirm(cause: cause, version: version)
                overlays.settle(version: published?.version ?? 0, epoch: published?.epoch ?? "")
            }
            return result
        } catch {
            edit { $0.remove(cause: cause) }
            throw error
        }
    }
}
