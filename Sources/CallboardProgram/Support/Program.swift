import ArgumentParser
import CallboardClient
import Foundation

/// What the commands have in common.
enum Program {
    /// Runs a command's work and turns what it throws into a message on standard error and an exit status.
    static func run(server: String? = nil, _ work: () async throws -> ExitStatus) async throws {
        let status: ExitStatus
        do {
            status = try await work()
        } catch let error as ProgramError {
            status = report(error)
        } catch let error as ClientError {
            status = report(ProgramError(error, server: server ?? "the server"))
        } catch is CancellationError {
            status = .success
        } catch let error as ExitCode {
            throw error
        } catch let error as CleanExit {
            throw error
        } catch {
            status = report(ProgramError("\(error)"))
        }
        if status != .success { throw ExitCode(status.rawValue) }
    }

    private static func report(_ error: ProgramError) -> ExitStatus {
        Output.error("callboard: \(error)")
        return error.status
    }

    /// Reads a whole file, a pipe or, for `-`, standard input, or says why that cannot be done.
    static func read(_ path: String, maximumLength: Int = 1 << 30) throws -> [UInt8] {
        let isInput = path == "-"
        let name = isInput ? "standard input" : TextWidth.printable(path)
        var bytes: [UInt8] = []
        do {
            let handle = isInput ? .standardInput : try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { if !isInput { try? handle.close() } }
            // A piece at a time: what a pipe has is not known beforehand.
            while bytes.count <= maximumLength, let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty {
                bytes += piece
            }
        } catch {
            throw ProgramError("cannot read \(name): \(error.localizedDescription)", status: .noInput)
        }
        guard bytes.count <= maximumLength else {
            throw ProgramError(
                "\(name) is longer than \(maximumLength) bytes, which is the most that is read",
                advice: "split it and load the parts with --append", status: .dataError)
        }
        return bytes
    }
}
