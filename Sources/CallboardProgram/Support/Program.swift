import ArgumentParser
import CallboardClient
import Foundation

/// The common part of the commands.
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
        } catch let error as ValidationError {
            status = report(
                ProgramError(error.message, advice: "--help shows how the command is called", status: .usage))
        } catch let error as ExitCode {
            throw error
        } catch let error as CleanExit {
            throw error
        } catch {
            status = report(
                ProgramError("\(error)", advice: "this is a fault of callboard; please report it", status: .software))
        }
        if status != .success { throw ExitCode(status.rawValue) }
    }

    private static func report(_ error: ProgramError) -> ExitStatus {
        Output.error("callboard: \(error)")
        return error.status
    }

    /// Reads a whole file, a pipe or, for `-`, standard input, or says why that cannot be done.
    ///
    /// - Parameter patience: How long a pipe may say nothing; nil waits as long as it takes.
    static func read(
        _ path: String, maximumLength: Int = 1 << 30, patience: Duration? = nil
    ) throws -> [UInt8] {
        let isInput = path == "-"
        let name = isInput ? "standard input" : TextWidth.printable(path)
        let bytes: [UInt8]
        do {
            bytes =
                isInput
                ? try readInput(maximumLength)
                : try InputFile.read(path, limit: maximumLength, patience: patience)
        } catch {
            throw ProgramError(
                "cannot read \(name): \(error)", advice: "name a file that is there and that this user may read",
                status: .noInput)
        }
        guard bytes.count <= maximumLength else {
            throw ProgramError(
                "\(name) is longer than \(maximumLength) bytes, which is the most that is read",
                advice: "split it and load the parts with --append", status: .dataError)
        }
        return bytes
    }

    /// Reads standard input to its end, or to just beyond a length.
    private static func readInput(_ length: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        // A piece at a time: what a pipe has is not known beforehand.
        while bytes.count <= length, let piece = try FileHandle.standardInput.read(upToCount: 1 << 20), !piece.isEmpty {
            bytes += piece
        }
        return bytes
    }
}
