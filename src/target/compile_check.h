// For tests: a temporary folder in which the real compiler looks at generated C++.
#pragma once

#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "sys/process.h"
#include "temporary_directory.h"

namespace forge {

class CompileCheck {
 public:
  const Path& folder() const { return folder_.path(); }
  void write(std::string_view name, std::string_view text) const {
    std::ofstream(folder() / name, std::ios::binary) << text;
  }

  // Only looks for errors; what the compiler said, empty if all is well.
  std::string errors(std::string_view source, std::vector<std::string> options = {}) const {
    options.emplace_back("-fsyntax-only");
    const ProcessResult result = compile(source, std::move(options));
    return result.succeeded() ? "" : result.standard_error + result.describe_end();
  }

  ProcessResult compile(std::string_view source, std::vector<std::string> options) const {
    write("test.cpp", source);
    std::vector<std::string> argv = {"g++",       "-std=c++20", "-Wall",
                                     "-Wextra",   "-Werror",    "-Wshadow",
                                     "-pedantic", "-I.",        "-I" FORGE_SOURCE_DIR "/include"};
    argv.insert(argv.end(), options.begin(), options.end());
    argv.emplace_back("test.cpp");
    return run(std::move(argv), "");
  }

  ProcessResult run(std::vector<std::string> argv, std::string_view input) const {
    ProcessSpec spec;
    spec.argv = std::move(argv);
    spec.working_directory = folder();
    spec.standard_input = input;
    Result<ProcessResult> result = processes_->run(spec);
    if (!result) invariant_failed(__FILE__, __LINE__, result.error().message());
    return std::move(*result);
  }

 private:
  TemporaryDirectory folder_;
  std::unique_ptr<ProcessRunner> processes_ = make_real_process_runner();
};

}  // namespace forge
