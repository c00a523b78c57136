// The usual coding agents' command lines. Each asks for one answer without questions, since nobody
// is there to answer them; what it may touch is not left to it but to its confinement. Of their
// configuration they get what says who they are and how they are set, not what they remember of
// other work.
#include "agent/config.h"

namespace forge {
namespace {

CommandSettings settings(std::string preset, std::vector<std::string> command, PromptBy prompt,
                         std::vector<std::string> config, std::vector<std::string> pass) {
  CommandSettings made;
  made.preset = std::move(preset);
  made.command = std::move(command);
  made.prompt = prompt;
  made.config = std::move(config);
  made.pass = std::move(pass);
  return made;
}

const std::vector<CommandSettings>& presets() {
  static const std::vector<CommandSettings> kPresets = {
      settings("aider",
               {"aider", "--yes-always", "--no-git", "--no-check-update", "--model", "{model}",
                "--message-file", "{prompt}", "work/kernel.cpp"},
               PromptBy::kFile, {".aider.conf.yml"}, {"ANTHROPIC_API_KEY", "OPENAI_API_KEY"}),
      settings(
          "claude",
          {"claude", "-p", "--verbose", "--output-format", "stream-json", "--model", "{model}",
           "--permission-mode", "acceptEdits", "--allowedTools", "Read,Write,Edit,Glob,Grep,Bash"},
          PromptBy::kStandardInput, {".claude/.credentials.json", ".claude/settings.json"},
          {"ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"}),
      settings("codex",
               {"codex", "exec", "--json", "--skip-git-repo-check", "--sandbox",
                "danger-full-access", "--model", "{model}", "-"},
               PromptBy::kStandardInput, {".codex/auth.json", ".codex/config.toml"},
               {"OPENAI_API_KEY", "OPENAI_BASE_URL"}),
      settings("gemini", {"gemini", "--yolo", "--model", "{model}"}, PromptBy::kStandardInput,
               {".gemini/oauth_creds.json", ".gemini/settings.json"},
               {"GEMINI_API_KEY", "GOOGLE_API_KEY"}),
      settings("opencode", {"opencode", "run", "--model", "{model}", "{prompt}"},
               PromptBy::kArgument,
               {".config/opencode/opencode.json", ".local/share/opencode/auth.json"},
               {"ANTHROPIC_API_KEY", "OPENAI_API_KEY"}),
  };
  return kPresets;
}

}  // namespace

std::vector<std::string> command_presets() {
  std::vector<std::string> names;
  for (const CommandSettings& preset : presets()) names.push_back(preset.preset);
  return names;
}

const CommandSettings* command_preset(std::string_view name) {
  for (const CommandSettings& preset : presets()) {
    if (preset.preset == name) return &preset;
  }
  return nullptr;
}

}  // namespace forge
