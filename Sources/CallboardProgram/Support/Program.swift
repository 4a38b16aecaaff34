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

    /// Reads a whole file or pipe, or says why that cannot be done.
    ///
    /// - Parameter patience: How long a pipe may say nothing; nil waits as long as it takes.
    static func read(
        _ path: String, maximumLength: Int = 1 << 30, patience: Duration? = nil
    ) throws -> [UInt8] {
        do throws(InputFileError) {
            let bytes = try InputFile.read(path, limit: maximumLength, patience: patience)
            if bytes.count <= maximumLength { return bytes }
        } catch {
            throw ProgramError("cannot read \(path): \(error)")
        }
        let length =
            (try? URL(fileURLWithPath: path).resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? maximumLength + 1
        throw ProgramError(
            "\(path) is \(length) bytes long, and at most \(maximumLength) are read",
            advice: "split the file and load the parts with --append")
    }
}
