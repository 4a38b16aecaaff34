// The yardstick of a restart: reads every row of a data folder's tables in order and parses the JSON in it.
//
//   rows DATABASE
//
// It does what reading cannot do without and nothing else: SQLite, the bounds of the values, and simdjson. No checksum
// is compared, nothing is checked, nothing is kept. Prints what was read, as words and numbers on one line.

#include <simdjson.h>
#include <sqlite3.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace {

[[noreturn]] void stop(const std::string &what) {
    std::fprintf(stderr, "rows: %s\n", what.c_str());
    std::exit(1);
}

struct Totals {
    int64_t rows = 0, snapshot_bytes = 0, record_bytes = 0, parsed_bytes = 0, values = 0, operations = 0;
};

Totals totals;
simdjson::dom::parser parser;

// Parses `text`, which has the padding behind it that simdjson may read.
simdjson::dom::element parse(const uint8_t *text, size_t length) {
    simdjson::dom::element root;
    if (auto error = parser.parse(text, length, false).get(root)) stop(simdjson::error_message(error));
    totals.parsed_bytes += int64_t(length);
    return root;
}

// Numbers and counted bytes from pieces that come one after the other.
class Reader {
public:
    using More = std::function<bool(std::vector<uint8_t> &)>;

    explicit Reader(More more) : more(std::move(more)) {}

    uint64_t number() {
        uint64_t value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            need(1);
            uint8_t byte = bytes[position++];
            value |= uint64_t(byte & 0x7F) << shift;
            if (!(byte & 0x80)) return value;
        }
        stop("a number has too many bytes");
    }

    // The next bytes with their count before them; valid until the next call.
    std::pair<const uint8_t *, size_t> counted() {
        size_t count = number();
        need(count);
        position += count;
        return {bytes.data() + position - count, count};
    }

    void skip() { counted(); }

    bool ended() { return position == end && !refill(); }

private:
    More more;
    std::vector<uint8_t> bytes;
    size_t position = 0, end = 0;

    void need(size_t count) {
        while (end - position < count) {
            if (!refill()) stop("the bytes end too early");
        }
    }

    bool refill() {
        bytes.resize(end);
        bytes.erase(bytes.begin(), bytes.begin() + ptrdiff_t(position));
        position = 0;
        bool found = more(bytes);
        end = bytes.size();
        bytes.resize(end + simdjson::SIMDJSON_PADDING);
        return found;
    }
};

class Statement {
public:
    Statement(sqlite3 *database, const char *text) : database(database) {
        if (sqlite3_prepare_v2(database, text, -1, &statement, nullptr) != SQLITE_OK) stop(sqlite3_errmsg(database));
    }
    Statement(const Statement &) = delete;
    ~Statement() { sqlite3_finalize(statement); }

    void bind(int parameter, int64_t value) { sqlite3_bind_int64(statement, parameter, value); }

    bool next() {
        int outcome = sqlite3_step(statement);
        if (outcome == SQLITE_ROW) totals.rows++;
        if (outcome != SQLITE_ROW && outcome != SQLITE_DONE) stop(sqlite3_errmsg(database));
        return outcome == SQLITE_ROW;
    }

    int64_t integer(int column) { return sqlite3_column_int64(statement, column); }

    // Appends a column's bytes and returns their number.
    int64_t append(int column, std::vector<uint8_t> &bytes) {
        auto *blob = static_cast<const uint8_t *>(sqlite3_column_blob(statement, column));
        int count = sqlite3_column_bytes(statement, column);
        if (count > 0) bytes.insert(bytes.end(), blob, blob + count);
        return count;
    }

private:
    sqlite3 *database;
    sqlite3_stmt *statement = nullptr;
};

// Walks through a snapshot; Sources/Journal/Coding/SnapshotEncoder.swift says what it is made of.
class Snapshot {
public:
    explicit Snapshot(Reader &reader) : reader(reader) {}

    void read() {
        for (int text = 0; text < 3; text++) reader.skip();  // the mark, the director's name and epoch
        read_json();                                         // its definition
        reader.number();
        auto version = reader.number();
        reader.number();
        for (auto left = reader.number(); left > 0; left--) {
            reader.skip();
            read_json();
        }
        read_list();
        read_list();
        if (reader.number() != version) read_list();
        for (auto left = reader.number(); left > 0; left--) {
            reader.number();
            if (auto cells = reader.number()) {
                while (--cells > 0) read_adapter();
                read_json();
            }
            reader.skip();  // the changeset, kept as it is
        }
        if (!reader.ended()) stop("there is more in a snapshot than was expected");
    }

private:
    enum Tag : uint64_t { ends = 0, same = 1, section = 2, copy = 3, adapter = 5, block = 6 };
    Reader &reader;
    uint64_t adapters = 0;

    void read_json() {
        auto [text, length] = reader.counted();
        parse(text, length);
    }

    void read_adapter() {
        if (reader.number() < adapters) return;
        adapters++;
        read_json();
    }

    void read_list() {
        for (auto tag = reader.number(); tag != ends; tag = reader.number()) {
            if (tag == same) {
                reader.number();
                continue;
            }
            if (tag != section) stop("there is a section of an unknown kind");
            read_json();
            reader.number();
            for (auto piece = reader.number(); piece != ends; piece = reader.number()) read_piece(piece);
        }
    }

    void read_piece(uint64_t tag) {
        if (tag == copy) {
            reader.number();
            reader.number();
            return;
        }
        if (tag == adapter) {
            adapters++;
            read_json();
            return;
        }
        if (tag != block) stop("there is a piece of an unknown kind");
        auto left = reader.number();
        reader.number();  // the bytes of the block
        for (; left > 0; left--) {
            reader.number();  // the adapter
            reader.skip();    // the identifier
            read_json();
            totals.values++;
        }
    }
};

// The numbers of the records that each life's snapshot stands for.
std::map<int64_t, int64_t> read_snapshots(sqlite3 *database) {
    std::map<int64_t, int64_t> floors;
    Statement snapshots(
        database, "SELECT life, number, first, chunks FROM snapshots WHERE isComplete ORDER BY snapshot");
    while (snapshots.next()) {
        floors[snapshots.integer(0)] = snapshots.integer(1);
        Statement chunks(
            database, "SELECT payload, checksum FROM chunks WHERE chunk >= ?1 AND chunk < ?1 + ?2 ORDER BY chunk");
        chunks.bind(1, snapshots.integer(2));
        chunks.bind(2, snapshots.integer(3));
        Reader reader([&](std::vector<uint8_t> &bytes) {
            if (!chunks.next()) return false;
            totals.snapshot_bytes += chunks.append(0, bytes);
            return true;
        });
        Snapshot(reader).read();
    }
    return floors;
}

void read_record(std::vector<uint8_t> &payload) {
    bool taken = false;
    Reader reader([&](std::vector<uint8_t> &bytes) {
        if (taken) return false;
        taken = true;
        bytes.swap(payload);
        return true;
    });
    while (!reader.ended()) {
        auto tag = reader.number();
        if (tag == 4) continue;
        reader.number();
        auto [text, length] = reader.counted();
        if (length == 0) continue;
        auto root = parse(text, length);
        if (tag != 2) continue;
        totals.operations += int64_t(simdjson::dom::array(root).size());
    }
}

void read_log(sqlite3 *database, const std::map<int64_t, int64_t> &floors) {
    Statement records(database, "SELECT life, number, step, payload, checksum FROM records ORDER BY sequence");
    std::vector<uint8_t> payload;
    while (records.next()) {
        payload.clear();
        totals.record_bytes += records.append(3, payload);
        auto floor = floors.find(records.integer(0));
        if (floor != floors.end() && records.integer(1) <= floor->second) continue;
        read_record(payload);
    }
}

}  // namespace

int main(int argc, char **argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: rows DATABASE\n");
        return 64;
    }
    sqlite3 *database;
    if (sqlite3_open_v2(argv[1], &database, SQLITE_OPEN_READONLY, nullptr) != SQLITE_OK) stop(sqlite3_errmsg(database));
    for (const char *table : {"SELECT * FROM lives", "SELECT * FROM answers", "SELECT * FROM marks"}) {
        for (Statement rows(database, table); rows.next();) {}
    }
    read_log(database, read_snapshots(database));
    sqlite3_close(database);
    std::printf("rows %lld snapshot_bytes %lld record_bytes %lld parsed_bytes %lld values %lld operations %lld\n",
                static_cast<long long>(totals.rows), static_cast<long long>(totals.snapshot_bytes),
                static_cast<long long>(totals.record_bytes), static_cast<long long>(totals.parsed_bytes),
                static_cast<long long>(totals.values), static_cast<long long>(totals.operations));
}
