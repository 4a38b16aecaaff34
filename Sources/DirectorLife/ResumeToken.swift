import Directors

/// A place in the history of one or several directors: the `id:` of a stream's events.
///
/// Written `<epoch>-<version>`; several directors are joined by dots: `k3f9-41.b2x7-7`. The order does not matter,
/// since an epoch names its director. A client treats it as opaque and hands it back in `Last-Event-ID`.
package struct ResumeToken: Sendable, Equatable {
    /// One director's place.
    package struct Place: Sendable, Equatable {
        /// The life of the director.
        package let epoch: String
        /// The version the client holds.
        package let version: Int

        /// Makes a place.
        package init(epoch: String, version: Int) {
            self.epoch = epoch
            self.version = version
        }
    }

    /// The places, as many as there were in the token.
    package let places: [Place]

    /// The longest token that is looked at, in bytes.
    package static let maxLength = 8192

    /// Makes a token of places.
    package init(places: [Place]) {
        self.places = places
    }

    /// Reads a token; parts that are not well-formed are left out, as if the client had not sent them.
    package init(parsing text: String) {
        guard text.utf8.count <= Self.maxLength else {
            places = []
            return
        }
        places = text.split(separator: ".").compactMap { part in
            let halves = part.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2, Epoch.isWellFormed(halves[0]), let version = Int(halves[1]), version >= 0 else {
                return nil
            }
            return Place(epoch: String(halves[0]), version: version)
        }
    }

    /// The version that the client holds of this life of a director, where the token speaks of it.
    package func version(in epoch: String) -> Int? {
        places.first { $0.epoch == epoch }?.version
    }

    /// One director's part of a token.
    package static func part(epoch: String, version: Int) -> String {
        "\(epoch)-\(version)"
    }
}
