import HTTP2Engine
import HTTPWire

/// One stream of a connection, as exchanges and stream handles reach it.
struct ServedStream {
    /// How its connection knows it.
    enum Name {
        case id(StreamID)
        /// Over HTTP/2, once its answer has begun.
        case key(HTTP2StreamKey)
    }

    let connection: any HTTPConnection
    let name: Name

    init(connection: any HTTPConnection, name: Name) {
        self.connection = connection
        self.name = name
    }

    var id: StreamID {
        switch name {
        case .id(let id): id
        case .key(let key): key.stream
        }
    }

    var isStreaming: Bool { connection.isStreaming(id) }
}
