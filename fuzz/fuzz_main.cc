// Runs a fuzz target over its corpus and over seeded mutations of it, with no other tool than the
// compiler. The same arguments run the same inputs. A failing input is left in a file.
//
//   fuzz_x [--seed N] [--mutations N] [--failure FILE] CORPUS-FOLDER-OR-FILE…
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
// There if the target is built with a sanitizer, which otherwise ends the process unseen by us.
extern "C" [[gnu::weak]] void __sanitizer_set_death_callback(void (*callback)());

namespace {

constexpr std::size_t kMaxBytes = 64 * 1024;

struct Options {
  std::uint64_t seed = 1;
  std::uint64_t mutations = 1000;
  std::string failure = "fuzz-failure";
  std::vector<std::string> corpora;
};

// What is running, for the handlers below, which may make system calls only.
const std::string* current_input = nullptr;
const char* failure_path = nullptr;

void leave_input() {
  if (current_input == nullptr) return;
  const int fd = ::open(failure_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  const bool written = fd >= 0 && ::write(fd, current_input->data(), current_input->size()) >= 0;
  constexpr std::string_view kNote = "\nfuzz: the input that failed is in ";
  if (written && ::write(STDERR_FILENO, kNote.data(), kNote.size()) > 0) {
    const std::string_view path(failure_path);
    if (::write(STDERR_FILENO, path.data(), path.size()) > 0)
      (void)!::write(STDERR_FILENO, "\n", 1);
  }
  current_input = nullptr;
}

void on_signal(int signal) {
  leave_input();
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

void run(const std::string& input) {
  current_input = &input;
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
  current_input = nullptr;
}

// Mutations of texts and records: small changes of bytes, larger ones of order, and pieces that
// formats tend to stumble over.
class Mutator {
 public:
  Mutator(std::uint64_t seed, const std::vector<std::string>& corpus)
      : random_(seed, "fuzz"), corpus_(corpus) {}

  std::string next() {
    std::string input = corpus_[random_.below(corpus_.size())];
    for (std::uint64_t changes = 1 + random_.below(6); changes > 0; --changes) change(input);
    input.resize(std::min(input.size(), kMaxBytes));
    return input;
  }

 private:
  void change(std::string& input) {
    static constexpr std::array<std::string_view, 28> kPieces = {"0",
                                                                 "-1",
                                                                 "1e999",
                                                                 "9223372036854775807",
                                                                 "18446744073709551616",
                                                                 "\"",
                                                                 "\\",
                                                                 "{",
                                                                 "}",
                                                                 "[",
                                                                 "]",
                                                                 "(",
                                                                 ")",
                                                                 ",",
                                                                 ":",
                                                                 "\n",
                                                                 "=",
                                                                 "#",
                                                                 "null",
                                                                 "NaN",
                                                                 "\xff",
                                                                 "\xc3\x28",
                                                                 "\\ud800",
                                                                 " ",
                                                                 "/0",
                                                                 "*",
                                                                 "../",
                                                                 "\t"};
    const std::size_t at = random_.below(input.size() + 1);
    const std::size_t length =
        input.empty() ? 0 : random_.below(std::min<std::size_t>(input.size() - at + 1, 32));
    switch (random_.below(8)) {
      case 0:
        if (at < input.size()) input[at] = static_cast<char>(input[at] ^ (1 << random_.below(8)));
        break;
      case 1:
        if (at < input.size()) input[at] = static_cast<char>(random_.below(256));
        break;
      case 2:
        input.insert(at, 1, static_cast<char>(random_.below(256)));
        break;
      case 3:
        input.erase(at, length);
        break;
      case 4:
        input.insert(at, input.substr(at, length));
        break;
      case 5:
        input.insert(at, kPieces[random_.below(kPieces.size())]);
        break;
      case 6:
        input.resize(at);
        break;
      default:
        splice(input, at);
        break;
    }
  }

  void splice(std::string& input, std::size_t at) {
    const std::string& other = corpus_[random_.below(corpus_.size())];
    input.replace(at, std::string::npos, other, random_.below(other.size() + 1), std::string::npos);
  }

  forge::Random random_;
  const std::vector<std::string>& corpus_;
};

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> read_corpus(const std::vector<std::string>& corpora) {
  std::vector<std::filesystem::path> paths;
  for (const std::string& corpus : corpora) {
    if (!std::filesystem::is_directory(corpus)) {
      paths.emplace_back(corpus);
      continue;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(corpus)) {
      if (entry.is_regular_file()) paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());  // the order of a folder is not reproducible
  std::vector<std::string> inputs;
  for (const auto& path : paths) inputs.push_back(read_file(path));
  return inputs;
}

Options parse_arguments(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const bool has_value = i + 1 < argc;
    if (argument == "--seed" && has_value) {
      options.seed = std::strtoull(argv[++i], nullptr, 10);
    } else if (argument == "--mutations" && has_value) {
      options.mutations = std::strtoull(argv[++i], nullptr, 10);
    } else if (argument == "--failure" && has_value) {
      options.failure = argv[++i];
    } else {
      options.corpora.emplace_back(argument);
    }
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse_arguments(argc, argv);
  const std::vector<std::string> corpus = read_corpus(options.corpora);
  if (corpus.empty()) {
    std::fprintf(stderr, "fuzz: no input; name at least one folder or file\n");
    return 1;
  }
  failure_path = options.failure.c_str();
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) ::signal(signal, on_signal);
  if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(leave_input);

  for (const std::string& input : corpus) run(input);
  Mutator mutator(options.seed, corpus);
  for (std::uint64_t i = 0; i < options.mutations; ++i) run(mutator.next());
  std::printf("fuzz: %zu inputs and %llu mutations of them, seed %llu: no failure\n", corpus.size(),
              static_cast<unsigned long long>(options.mutations),
              static_cast<unsigned long long>(options.seed));
  return 0;
}
