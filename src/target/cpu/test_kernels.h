// For tests: a temporary folder to compile kernels in with the real compiler.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <variant>

#include "target/cpu/compile.h"
#include "temporary_directory.h"

namespace forge {

class KernelFolder {
 public:
  KernelFolder() {
    for (const char* folder : {"arm", "header", "cache"}) {
      std::filesystem::create_directories(root() / folder);
    }
    write("header/forge_args.h",
          "#pragma once\n#include <forge/kernel.h>\n"
          "struct Args { float* x; };\n"
          "extern \"C\" int forge_launch(const Args*, void*);\n");
  }

  const Path& root() const { return folder_.path(); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(root() / name, std::ios::binary) << text;
  }

  CpuCompileRequest request(const std::string& source) const {
    write("arm/kernel.cpp", source);
    CpuCompileRequest request;
    request.source = root() / "arm/kernel.cpp";
    request.header_folder = root() / "header";
    request.include_folder = Path(FORGE_SOURCE_DIR) / "include";
    request.cache = root() / "cache";
    return request;
  }

  Result<CompileOutcome> run(const CpuCompileRequest& request) {
    return compile_for_cpu(request, *fs_, *processes_);
  }

  // Requires that it compiles.
  CpuArtefact compile(const CpuCompileRequest& request) {
    auto result = run(request);
    if (!result) throw std::runtime_error(result.error().message());
    if (auto* diagnostics = std::get_if<CompileDiagnostics>(&*result)) {
      throw std::runtime_error(diagnostics->log);
    }
    if (auto* refused = std::get_if<CompileRefused>(&*result)) {
      throw std::runtime_error(refused->reason);
    }
    return std::get<CpuArtefact>(*result);
  }
  CpuArtefact compile(const std::string& source) { return compile(request(source)); }

  // Requires that it does not.
  std::string diagnostics(const CpuCompileRequest& request) {
    auto result = run(request);
    if (!result) throw std::runtime_error(result.error().message());
    if (std::holds_alternative<CpuArtefact>(*result)) throw std::runtime_error("it compiled");
    return std::get<CompileDiagnostics>(*result).log;
  }
  std::string diagnostics(const std::string& source) { return diagnostics(request(source)); }

  // Requires that it is refused.
  std::string refusal(const CpuCompileRequest& request) {
    auto result = run(request);
    if (!result) throw std::runtime_error(result.error().message());
    if (auto* diagnostics = std::get_if<CompileDiagnostics>(&*result)) {
      throw std::runtime_error("it is diagnosed: " + diagnostics->log);
    }
    if (std::holds_alternative<CpuArtefact>(*result)) throw std::runtime_error("it compiled");
    return std::get<CompileRefused>(*result).reason;
  }
  std::string refusal(const std::string& source) { return refusal(request(source)); }

  std::string bytes(const CpuArtefact& artefact) {
    auto content = fs_->read(artefact.shared_object);
    if (!content) throw std::runtime_error(content.error().message());
    return *content;
  }

  Fs& fs() { return *fs_; }

 private:
  TemporaryDirectory folder_;
  std::unique_ptr<Fs> fs_ = make_real_fs();
  std::unique_ptr<ProcessRunner> processes_ = make_real_process_runner();
};

}  // namespace forge
