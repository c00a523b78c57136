#include "problem/names.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace forge {
namespace {

constexpr std::array<std::string_view, 94> kKeywords = {
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "char16_t",
    "char32_t",
    "char8_t",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "typeof",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
};

// Members and types of the generated header, functions of the expression language, and macros that
// the standard headers define.
constexpr std::array<std::string_view, 22> kReserved = {
    "Args",      "Dims",
    "EOF",       "NULL",
    "args",      "assert",
    "ceil_div",  "dims",
    "errno",     "forge",
    "linux",     "unix",
    "max",       "min",
    "offsetof",  "std",
    "stderr",    "stdin",
    "stdout",    "stream",
    "workspace", "workspace_bytes",
};

template <typename List>
bool contains(const List& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace

std::string why_not_member_name(std::string_view name) {
  if (!is_identifier(name)) return "is no C identifier";
  if (contains(kKeywords, name)) return "is a C++ keyword";
  if (contains(kReserved, name)) return "is reserved by the kernel interface";
  if (name.front() == '_' || name.find("__") != std::string_view::npos) {
    return "has a leading or a double underscore, which C++ reserves";
  }
  if (name.starts_with("FORGE_") || name.starts_with("forge_")) {
    return "starts with a prefix that the kernel interface reserves";
  }
  if (name.ends_with("_strides")) return "ends in '_strides', which the kernel interface reserves";
  return "";
}

std::string why_not_label(std::string_view name) {
  constexpr std::size_t kMaxLength = 64;
  if (name.empty()) return "is empty";
  if (name.size() > kMaxLength) return "is longer than 64 characters";
  const auto alphanumeric = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  if (!alphanumeric(name.front())) return "does not start with a letter or a digit";
  for (const char c : name) {
    if (!alphanumeric(c) && c != '_' && c != '-' && c != '.') {
      return "has characters other than letters, digits, '_', '-' and '.'";
    }
  }
  return "";
}

}  // namespace forge
