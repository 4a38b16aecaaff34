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

    /// Reads a whole file, or says why that cannot be done.
    static func read(_ path: String, maximumLength: Int = 1 << 30) throws -> [UInt8] {
        let url = URL(fileURLWithPath: path)
        do {
            let length = try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
            guard length <= maximumLength else {
                throw ProgramError(
                    "\(path) is \(length) bytes long, and at most \(maximumLength) are read",
                    advice: "split the file and load the parts with --append")
            }
            return Array(try Data(contentsOf: url))
        } catch let error as ProgramError {
            throw error
        } catch {
            throw ProgramError("cannot read \(path): \(error.localizedDescription)")
        }
    }
}
