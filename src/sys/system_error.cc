#include "sys/system_error.h"

#include <cerrno>
#include <system_error>
#include <utility>

namespace forge {
namespace {

struct Explanation {
  const char* cause;
  const char* remedy;
};

Explanation explain(int number) {
  switch (number) {
    case ENOENT:
      return {"there is no such file or directory", ""};
    case ENOTDIR:
      return {"a part of the path is not a directory", ""};
    case EISDIR:
      return {"it is a directory", ""};
    case EEXIST:
      return {"it exists already", ""};
    case ENOSPC:
      return {"the disk is full", "free some space and try again"};
    case EDQUOT:
      return {"the disk quota is used up", "free some space and try again"};
    case EROFS:
      return {"the file system is read-only", "make it writable or use another directory"};
    case EACCES:
      return {"permission denied", "check the owner and the permissions"};
    case EPERM:
      return {"operation not permitted", "check the owner and the permissions"};
    case EMFILE:
      return {"too many open files", "raise the limit with ulimit -n"};
    case ENFILE:
      return {"too many open files on this machine", ""};
    case EFBIG:
      return {"the file grew beyond the allowed size", "raise the limit with ulimit -f"};
    case ENOMEM:
      return {"out of memory", ""};
    case EAGAIN:
      return {"out of processes or memory", "raise the limit with ulimit -u"};
    default:
      return {nullptr, ""};
  }
}

ErrorKind kind_of(int number) {
  switch (number) {
    case ENOENT:
      return ErrorKind::kNotFound;
    case ENOSPC:
    case EDQUOT:
    case EROFS:
    case EACCES:
    case EPERM:
      return ErrorKind::kEnvironment;
    default:
      return ErrorKind::kInfrastructure;
  }
}

}  // namespace

Error system_error(std::string attempt, std::string object, int number) {
  const auto [cause, remedy] = explain(number);
  return Error{kind_of(number), std::move(attempt), std::move(object),
               cause != nullptr ? cause : std::generic_category().message(number), remedy};
}

}  // namespace forge
