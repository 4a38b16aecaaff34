import CallboardAPI
import Hosting

/// Every setting of a Callboard server, each with its default.
///
/// The program fills this in from flags, environment and file; tests make one directly. The settings of the API are members
/// too, by the names that they have there.
@dynamicMemberLookup
package struct CallboardConfiguration: Sendable {
    /// The settings that requests are answered by.
    package var api = APIConfiguration()
    /// Event loops, each with a thread and a listener of its own (`server.loops`; 0, the default, is one a core).
    package var loops = 0
    /// The TLS settings of the TCP port.
    package var tls = TLSSettings()
    /// Where directors are kept.
    package var storage = StorageConfiguration()
    /// How the server shares its database with other nodes.
    package var cluster = ClusterSettings()
    /// How event hooks are called.
    package var hooks = HooksConfiguration()

    /// Makes a configuration with the documented defaults.
    package init() {}

    /// A setting of the API.
    package subscript<Value>(dynamicMember member: WritableKeyPath<APIConfiguration, Value>) -> Value {
        get { api[keyPath: member] }
        set { api[keyPath: member] = newValue }
    }

    /// A value that follows from the settings of the API.
    package subscript<Value>(dynamicMember member: KeyPath<APIConfiguration, Value>) -> Value { api[keyPath: member] }
}
