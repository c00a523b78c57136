// Errors and results. May know: nothing of ours. Does no I/O.
//
// A message has four parts in a fixed order: attempt, object, cause, remedy, e.g.
//   cannot read tasks/x/task.toml:14: unknown key 'shapes' in [signature]; did you mean 'scalars'?
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace forge {

// What a caller may want to tell apart; everything else is in the text.
enum class ErrorKind {
  kInvalidInput,    // the user's files or arguments are wrong
  kNotFound,        // a file, run, problem or program does not exist
  kBusy,            // someone else holds it
  kInfrastructure,  // machine, worker: never the candidate's fault; trying again may help
  kEnvironment,     // what a person has to put right first: a full disk, no compiler
  kCorrupt,         // our own record is damaged
  kInterrupted,     // the user asked us to stop
};

struct Error {
  ErrorKind kind = ErrorKind::kInvalidInput;
  std::string attempt;  // "cannot read"
  std::string object;   // "tasks/x/task.toml:14"
  std::string cause;    // "unknown key 'shapes' in [signature]"
  std::string remedy;   // "did you mean 'scalars'?"; may be empty

  // One line, without a trailing newline; control characters are escaped.
  std::string message() const;
};

// A value or an Error. `[[nodiscard]]`, unlike tl::expected itself.
template <typename T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
 public:
  using Base = tl::expected<T, Error>;
  using Base::Base;
  Result(Base base) : Base(std::move(base)) {}  // NOLINT(google-explicit-constructor)
  Result(Error error)                           // NOLINT(google-explicit-constructor)
      : Base(tl::unexpected<Error>(std::move(error))) {}
};

using Status = Result<void>;

// Aborts with file, line and text, in release builds too: for broken invariants of ours, never for
// anything that input can cause.
[[noreturn]] void invariant_failed(const char* file, int line, std::string_view what);

}  // namespace forge

#define FORGE_CHECK(condition)                                   \
  do {                                                           \
    if (!(condition)) [[unlikely]]                               \
      ::forge::invariant_failed(__FILE__, __LINE__, #condition); \
  } while (false)

#define FORGE_CONCAT_INNER(a, b) a##b
#define FORGE_CONCAT(a, b) FORGE_CONCAT_INNER(a, b)

// FORGE_TRY(auto x, f());  assigns the value or returns the error from the enclosing function.
#define FORGE_TRY(declaration, expression) \
  FORGE_TRY_INNER(FORGE_CONCAT(forge_try_, __COUNTER__), declaration, expression)
#define FORGE_TRY_INNER(temporary, declaration, expression)            \
  auto temporary = (expression);                                       \
  if (!temporary) return ::forge::Error(std::move(temporary.error())); \
  declaration = std::move(*temporary)

// FORGE_TRY_STATUS(f());  returns the error from the enclosing function, if there is one.
#define FORGE_TRY_STATUS(expression)                                                   \
  do {                                                                                 \
    auto forge_try_status = (expression);                                              \
    if (!forge_try_status) return ::forge::Error(std::move(forge_try_status.error())); \
  } while (false)
