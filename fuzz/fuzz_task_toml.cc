// task.toml: no input crashes the parser, every error is one line, and what is accepted makes a
// kernel header.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "problem/parse_task.h"
#include "target/args_layout.h"
#include "target/kernel_header.h"

namespace {

// Whatever a task names is there: a folder if its name has no extension.
class AnyFiles : public forge::FileReader {
 public:
  forge::Result<std::string> read(const forge::Path&) override { return std::string(); }
  bool exists(const forge::Path&) override { return true; }
  bool is_directory(const forge::Path& path) override { return path.extension().empty(); }
  forge::FileFacts look_at(const forge::Path& path) override {
    return {is_directory(path) ? forge::FileKind::kFolder : forge::FileKind::kFile, 0};
  }
  forge::Result<forge::Path> resolve(const forge::Path& path) override { return path; }
  forge::Result<std::vector<std::string>> list(const forge::Path&) override {
    return std::vector<std::string>();
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  AnyFiles files;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto problem = forge::parse_task(text, "task.toml", forge::TaskPaths(files, "task"));
  if (!problem) {
    FORGE_CHECK(problem.error().message().find('\n') == std::string::npos);
    FORGE_CHECK(problem.error().object.starts_with("task.toml:"));
    return 0;
  }
  FORGE_CHECK(!problem->signature.tensors.empty());
  FORGE_CHECK(forge::args_layout(problem->signature).bytes % 8 == 0);
  FORGE_CHECK(forge::kernel_header(*problem).ends_with("(const Dims* dims);\n"));
  return 0;
}
