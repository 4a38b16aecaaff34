/// The open streams of a connection, each at a place that stays its own until it is removed.
struct StreamTable {
    private var streams: [HTTP2Stream] = []
    private var freePlaces: [Int] = []

    /// How many streams there are.
    var count: Int { streams.count - freePlaces.count }

    /// All places, the free ones too.
    var places: Range<Int> { streams.indices }

    /// The stream of a place.
    subscript(place: Int) -> HTTP2Stream {
        _read { yield streams[place] }
        _modify { yield &streams[place] }
    }

    /// The place of the stream that a key was given for, if it is there still.
    func place(of key: HTTP2StreamKey) -> Int? {
        let place = Int(key.place)
        return place < streams.count && streams[place].id == key.id ? place : nil
    }

    /// Adds a stream whose fields begin; returns its place.
    mutating func insert(_ id: Int32) -> Int {
        guard let place = freePlaces.popLast() else {
            streams.append(HTTP2Stream(id: id))
            return streams.count - 1
        }
        streams[place] = HTTP2Stream(id: id)
        return place
    }

    /// Frees a place; returns what it held, for the caller to let go of.
    mutating func remove(at place: Int) -> HTTP2Stream {
        let stream = streams[place]
        streams[place] = HTTP2Stream(id: 0, state: .free)
        freePlaces.append(place)
        return stream
    }
}
