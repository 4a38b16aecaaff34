#ifndef CALLBOARD_SIMDJSON_INTERNALS_HPP
#define CALLBOARD_SIMDJSON_INTERNALS_HPP

// Only the first stage is used: simdjson's two parsers are left out by the macros that say that they have been included.
// They take most of the time to compile, and newer compilers refuse them in 3.6 (Ubuntu 24.04: a member that is not
// there is called in a template that nobody uses). In 3.0 (Debian 12) all else stands inside the first of them: it comes
// with the second #include.
#define SIMDJSON_DOM_H
#define SIMDJSON_ONDEMAND_H
#define SIMDJSON_BUILTIN_H
#include <simdjson.h>
#ifndef SIMDJSON_IMPLEMENTATION_H
#undef SIMDJSON_DOM_H
#undef SIMDJSON_H
#include <simdjson.h>
#endif

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

// simdjson's first stage is not part of what its documentation promises: another release may have it in another form.
// All that is used of it is named here and checked while it is compiled, so that a release in which it has changed is
// refused with a sentence. It has the same form in 3.0 (Debian 12), 3.6 (Ubuntu 24.04) and 3.12 (Debian 13).

// Where the library has these they are declared a second time, which changes nothing; where it has not, they stay
// incomplete, and the checks below say so.
namespace simdjson {
enum class stage1_mode;
class implementation;
namespace internal {
class dom_parser_implementation;
}
} // namespace simdjson

namespace callboard {

// What the first stage leaves behind: where each token of a document starts.
using Tokens = simdjson::internal::dom_parser_implementation;

namespace simdjson_checks {

template <class Type, class = void> struct Exists : std::false_type {};
template <class Type> struct Exists<Type, std::void_t<decltype(sizeof(Type))>> : std::true_type {};

// Each finds the type of a member, which is the one expected or not; a member that is gone has none.
template <class Type> using Stage1 = decltype(&Type::stage1);
template <class Type> using Regular = decltype(Type::regular);
template <class Type> using Indexes = decltype(std::declval<Type &>().structural_indexes);
template <class Type> using IndexCount = decltype(std::declval<Type &>().n_structural_indexes);
template <class Type> using Capacity = decltype(std::declval<const Type &>().capacity());
template <class Type>
using Create = decltype(std::declval<const Type &>().create_dom_parser_implementation(
    size_t(), size_t(), std::declval<std::unique_ptr<Tokens> &>()));

template <class Expected, template <class> class Member, class Type, class = void> struct Has : std::false_type {};
template <class Expected, template <class> class Member, class Type>
struct Has<Expected, Member, Type, std::void_t<Member<Type>>> : std::is_same<Expected, Member<Type>> {};

using Stage1Function = simdjson::error_code (Tokens::*)(const uint8_t *, size_t, simdjson::stage1_mode) noexcept;

#define CALLBOARD_SIMDJSON_HELP \
    " in this release of simdjson; change Sources/CSimdJSON for it, then run the tests of JSONValues"

static_assert(
    Exists<Tokens>::value, "there is no simdjson::internal::dom_parser_implementation" CALLBOARD_SIMDJSON_HELP);
static_assert(
    Has<simdjson::stage1_mode, Regular, simdjson::stage1_mode>::value,
    "there is no simdjson::stage1_mode::regular" CALLBOARD_SIMDJSON_HELP);
static_assert(
    Has<Stage1Function, Stage1, Tokens>::value,
    "stage1 does not take bytes, a length and a stage1_mode" CALLBOARD_SIMDJSON_HELP);
static_assert(
    Has<std::unique_ptr<uint32_t[]>, Indexes, Tokens>::value,
    "structural_indexes is no unique_ptr<uint32_t[]>" CALLBOARD_SIMDJSON_HELP);
static_assert(
    Has<uint32_t, IndexCount, Tokens>::value, "n_structural_indexes is no uint32_t" CALLBOARD_SIMDJSON_HELP);
static_assert(Has<size_t, Capacity, Tokens>::value, "capacity() gives no size_t" CALLBOARD_SIMDJSON_HELP);
static_assert(
    Has<simdjson::error_code, Create, simdjson::implementation>::value,
    "create_dom_parser_implementation does not make one for a capacity and a depth" CALLBOARD_SIMDJSON_HELP);

#undef CALLBOARD_SIMDJSON_HELP

} // namespace simdjson_checks
} // namespace callboard

#endif
