#include "judge/oracle_process.h"

#include <fmt/format.h>

#include "base/text.h"
#include "sys/making_folder.h"
#include "sys/support_files.h"

namespace forge {
namespace {

constexpr std::size_t kLongestGreeting = 1000;  // lines

std::string cpu_list(const std::vector<int>& cpus) {
  std::string text;
  for (const int cpu : cpus) text += fmt::format("{}{}", text.empty() ? "" : ",", cpu);
  return text;
}

// Compilers and interpreters put what matters at the end of what they say.
std::string last_line(std::string_view text) {
  const std::string clean = printable(text);
  std::string last;
  for (const std::string& line : split_lines(clean)) {
    if (!trim(line).empty()) last = trim(line);
  }
  return clip(last, 300);
}

std::string first_error_line(std::string_view text) {
  for (const std::string& line : split_lines(printable(text))) {
    if (line.find("error") != std::string::npos) return clip(trim(line), 300);
  }
  return last_line(text);
}

// An oracle that can't write its tensors, or a compiler its program, is not wrong.
bool speaks_of_disk(std::string_view text) {
  for (const char* words :
       {"No space left on device", "Disk quota exceeded", "Read-only file system"}) {
    if (text.find(words) != std::string_view::npos) return true;
  }
  return false;
}

ErrorKind kind_of_refusal(std::string_view text) {
  return speaks_of_disk(text) ? ErrorKind::kEnvironment : ErrorKind::kInvalidInput;
}

std::string remedy_of_refusal(std::string_view text) {
  return speaks_of_disk(text) ? "make room for the cache, or set XDG_CACHE_HOME" : "";
}

}  // namespace

OracleProcess::OracleProcess(OracleLaunch launch, Fs& fs, ProcessRunner& processes,
                             ConversationStarter& conversations)
    : launch_(std::move(launch)), fs_(fs), processes_(processes), conversations_(conversations) {}

Result<std::string> OracleProcess::compiled() {
  Hasher hasher;
  hasher.add("oracle").add(launch_.digest.hex).add(support_files_digest().hex);
  hasher.add(launch_.compiler).add(launch_.oracle.filename().string());
  const Path folder = launch_.cache / "build" / hasher.finish().hex;
  const Path program = folder / "oracle";
  if (fs_.exists(program)) return program.string();

  FORGE_TRY_STATUS(fs_.make_directories(folder));
  FORGE_TRY(const auto making, MakingFolder::open(fs_, launch_.cache / "making", "a compiler"));
  const Path unfinished = making.path() / "oracle";
  ProcessSpec spec;
  spec.argv = {launch_.compiler,
               "-std=c++20",
               "-O2",
               "-pthread",
               "-I",
               (launch_.support / "include").string(),
               "-I",
               launch_.oracle.parent_path().string(),
               "-o",
               unfinished.string(),
               launch_.oracle.string()};
  // Plain quotes in messages; what a killed compiler leaves behind goes with the folder.
  spec.environment = {{"LC_ALL", "C"}, {"TMPDIR", making.path().string()}};
  spec.limits.wall = launch_.time_limit;
  // The author is trusted, so it may read everything; but it ends with us, whole.
  spec.confinement.emplace();
  spec.confinement->readable = {"/"};
  spec.confinement->writable = {making.path(), "/dev/null"};
  FORGE_TRY(const ProcessResult result, processes_.run(spec));
  if (!result.succeeded()) {
    return Error{kind_of_refusal(result.standard_error), "cannot compile the oracle",
                 launch_.oracle.string(),
                 fmt::format("{} {}: {}", launch_.compiler, result.describe_end(),
                             first_error_line(result.standard_error)),
                 remedy_of_refusal(result.standard_error)};
  }
  FORGE_TRY_STATUS(fs_.rename(unfinished, program));
  return program.string();
}

Result<std::vector<std::string>> OracleProcess::command_line() {
  const std::string cpus = cpu_list(launch_.cpus);
  if (launch_.oracle.extension() == ".py") {
    return std::vector<std::string>{launch_.python, "-B",
                                    (launch_.support / "python" / "forge_oracle.py").string(),
                                    launch_.oracle.string(), cpus};
  }
  FORGE_TRY(std::string program, compiled());
  return std::vector<std::string>{std::move(program), cpus};
}

Result<OracleGreeting> OracleProcess::read_greeting() {
  std::vector<std::string> lines;
  do {
    FORGE_TRY(std::string line, child_->read_line(launch_.time_limit));
    const OracleAnswer answer = parse_answer(line);
    if (const auto* refusal = std::get_if<OracleRefusal>(&answer)) {
      return Error{ErrorKind::kInvalidInput, "", "", refusal->reason, ""};
    }
    lines.push_back(std::move(line));
    // Whatever does not begin like a greeting is none: no more of it is read.
  } while (lines.back() != kGreetingEnd && lines.front() == kGreetingStart &&
           lines.size() < kLongestGreeting);
  return parse_greeting(lines);
}

Result<OracleGreeting> OracleProcess::greet() {
  if (child_ != nullptr) return greeting_;
  constexpr std::string_view kAttempt = "cannot start the oracle";
  ProcessSpec spec;
  FORGE_TRY(spec.argv, command_line());
  const std::string threads = std::to_string(launch_.cpus.empty() ? 1 : launch_.cpus.size());
  if (!launch_.cpus.empty()) spec.environment.emplace_back("OMP_NUM_THREADS", threads);
  spec.environment.emplace_back("PYTHONUNBUFFERED", "1");
  FORGE_TRY(child_, conversations_.start(spec));
  Result<OracleGreeting> greeting = read_greeting();
  if (!greeting) return failed(kAttempt, std::move(greeting.error()));
  greeting_ = std::move(*greeting);
  return greeting_;
}

Result<std::string> OracleProcess::ask(const std::string& request, std::string_view attempt) {
  FORGE_CHECK(child_ != nullptr);
  if (Status sent = child_->send(request, launch_.time_limit); !sent) {
    return failed(attempt, std::move(sent.error()));
  }
  Result<std::string> line = child_->read_line(launch_.time_limit);
  if (!line) return failed(attempt, std::move(line.error()));
  OracleAnswer answer = parse_answer(*line);
  if (auto* ok = std::get_if<OracleOk>(&answer)) return std::move(ok->rest);
  if (auto* refusal = std::get_if<OracleRefusal>(&answer)) {
    return Error{kind_of_refusal(refusal->reason), std::string(attempt), launch_.oracle.string(),
                 std::move(refusal->reason), remedy_of_refusal(refusal->reason)};
  }
  Error error;
  error.cause = fmt::format("it answered '{}', which is neither 'ok' nor 'error'",
                            std::get<OracleGarbage>(answer).line);
  return failed(attempt, std::move(error));
}

Error OracleProcess::failed(std::string_view attempt, Error error) {
  error.attempt = attempt;
  error.object = launch_.oracle.string();
  const std::string said = last_line(child_->standard_error());
  if (!said.empty()) error.cause += fmt::format(" (it said: {})", said);
  child_.reset();
  return error;
}

}  // namespace forge
