import CLinux

/// How many descriptors the process may have open.
package enum DescriptorLimit {
    /// Raises the soft limit to the hard one and returns it; an error leaves the limit as it was.
    ///
    /// Every connection is a descriptor, and the usual soft limit of 1,024 is for programs that use `select`.
    package static func raise() throws(SystemError) -> UInt64 {
        var limit = rlimit()
        _ = try SystemCall.run("getrlimit") { Int(clinux_get_descriptor_limit(&limit)) }
        if limit.rlim_cur < limit.rlim_max {
            limit.rlim_cur = limit.rlim_max
            _ = try SystemCall.run("setrlimit") { Int(clinux_set_descriptor_limit(&limit)) }
        }
        return UInt64(limit.rlim_cur)
    }

    /// The soft limit of this process.
    package static func current() throws(SystemError) -> UInt64 {
        var limit = rlimit()
        _ = try SystemCall.run("getrlimit") { Int(clinux_get_descriptor_limit(&limit)) }
        return UInt64(limit.rlim_cur)
    }
}
