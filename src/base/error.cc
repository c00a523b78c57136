#include "base/error.h"

#include <cstdio>
#include <cstdlib>

namespace forge {
namespace {

// Control characters in a path or in someone's output must not break the one-line promise.
void append_escaped(std::string& out, std::string_view text) {
  static constexpr char kHex[] = "0123456789abcdef";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte == '\n' || byte == '\t') {
      out += ' ';
    } else if (byte < 0x20 || byte == 0x7f) {
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    } else {
      out += c;
    }
  }
}

}  // namespace

std::string Error::message() const {
  std::string out;
  append_escaped(out, attempt);
  if (!object.empty()) {
    out += ' ';
    append_escaped(out, object);
  }
  if (!cause.empty()) {
    out += ": ";
    append_escaped(out, cause);
  }
  if (!remedy.empty()) {
    out += "; ";
    append_escaped(out, remedy);
  }
  return out;
}

void invariant_failed(const char* file, int line, std::string_view what) {
  std::fprintf(stderr, "forge: broken invariant at %s:%d: %.*s\n", file, line,
               static_cast<int>(what.size()), what.data());
  std::abort();
}

}  // namespace forge
