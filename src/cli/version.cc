#include "cli/version.h"

#include <fmt/format.h>

#include "commit.h"

namespace forge {

std::string tool_name() { return fmt::format("forge {}", FORGE_VERSION); }

std::string version_text() {
  std::string text = tool_name() + "\n";
  constexpr std::string_view kCommit = FORGE_COMMIT;
  if (!kCommit.empty()) text += fmt::format("commit {}\n", kCommit);
  return text + fmt::format("compiler {}\n", FORGE_COMPILER);
}

}  // namespace forge
