// A GPU for tests: memory that is there, kernels that are functions, a log of what was asked for,
// and time that passes only by replaying. May know: base, sys/clock_fake.h, gpu.h, cubin.h.
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sys/clock_fake.h"
#include "target/cuda/cubin.h"
#include "target/cuda/gpu.h"

namespace forge {

class FakeGpu : public Gpu {
 public:
  using Kernel = std::function<void(const GpuLaunch&)>;

  explicit FakeGpu(FakeClock& clock) : clock_(clock) {
    facts_.profile = *assumed_device("sm_90a");
    facts_.profile.arch = "sm_90";
    facts_.profile.l2_bytes = 1 << 20;
    facts_.memory_bytes_per_ns = 4800;
  }

  std::map<std::string, Kernel> kernels;  // by name; others do nothing
  std::map<std::string, int> fails;       // a call's name -> the CUresult it ends with
  bool never_ends = false;                // no event is reached any more
  bool tampered = false;                  // the rotation finds its pattern changed
  double replay_ns = 10'000;
  std::vector<std::string> log;  // of what has an order: "fill", "write", "launch k", "replay", …
  int live_graphs = 0;
  std::uint32_t blocks = 2;  // that fit a multiprocessor

  std::byte* at(DeviceAddress address, std::uint64_t bytes) {
    auto after = memory_.upper_bound(address);
    FORGE_CHECK(after != memory_.begin());
    auto& [base, content] = *--after;
    FORGE_CHECK(address - base + bytes <= content.size());
    return content.data() + (address - base);
  }
  std::string bytes_at(DeviceAddress address, std::uint64_t bytes) {
    return {reinterpret_cast<const char*>(at(address, bytes)), bytes};
  }
  // Where in it the `n`-th replay of a graph begins.
  std::vector<std::string> log_of_replay(std::size_t n) const {
    std::size_t begin = 0;
    for (std::size_t i = 0; i < log.size(); ++i) {
      if (log[i] != "replay") continue;
      if (n == 0)
        return {log.begin() + static_cast<std::ptrdiff_t>(begin),
                log.begin() + static_cast<std::ptrdiff_t>(i)};
      --n;
      begin = i + 1;
    }
    return {};
  }

  const GpuFacts& facts() const override { return facts_; }
  const std::optional<GpuFailure>& failure() const override { return failure_; }

  Result<DeviceAddress> allocate(std::uint64_t bytes) override {
    FORGE_TRY_STATUS(did("allocate"));
    const DeviceAddress base = next_;
    next_ += (bytes / 4096 + 2) * 4096;
    memory_[base].resize(bytes);
    return base;
  }
  Status release(DeviceAddress memory) override {
    memory_.erase(memory);
    return did("release");
  }
  void pin(std::byte*, std::uint64_t) override { log.push_back("pin"); }
  Status write(DeviceAddress to, const void* from, std::uint64_t bytes) override {
    FORGE_TRY_STATUS(did("write"));
    return act("write", [=, this] { std::memcpy(at(to, bytes), from, bytes); });
  }
  Status read(void* to, DeviceAddress from, std::uint64_t bytes) override {
    std::memcpy(to, at(from, bytes), bytes);
    return did("read");
  }
  Status copy(DeviceAddress to, DeviceAddress from, std::uint64_t bytes) override {
    FORGE_TRY_STATUS(did("copy"));
    return act("copy", [=, this] { std::memmove(at(to, bytes), at(from, bytes), bytes); });
  }
  Status fill(DeviceAddress to, std::uint8_t value, std::uint64_t bytes) override {
    FORGE_TRY_STATUS(did("fill"));
    return act("fill", [=, this] { std::memset(at(to, bytes), value, bytes); });
  }

  Result<GpuModule> load(const std::string& image) override {
    FORGE_TRY_STATUS(did("load"));
    const auto cubin = parse_cubin(std::as_bytes(std::span(image)), "a cubin");
    if (cubin) place_symbols(*cubin);
    return GpuModule(++handles_);
  }
  Status unload(GpuModule) override {
    log.push_back("unload");
    return {};
  }
  Result<GpuFunction> function(GpuModule, const std::string& name) override {
    FORGE_TRY_STATUS(did("function"));
    functions_[++handles_] = name;
    return GpuFunction(handles_);
  }
  Result<GpuRange> symbol(GpuModule, const std::string& name) override {
    FORGE_TRY_STATUS(did("symbol"));
    return symbols_.at(name);
  }
  Status allow_dynamic_shared(GpuFunction, std::uint32_t bytes) override {
    log.push_back("allow " + std::to_string(bytes));
    return did("allow_dynamic_shared");
  }
  Status allow_large_clusters(GpuFunction) override { return did("allow_large_clusters"); }
  Result<std::uint32_t> blocks_per_multiprocessor(GpuFunction, std::uint32_t,
                                                  std::uint32_t) override {
    return blocks;
  }
  Status launch(const GpuLaunch& launch) override {
    FORGE_TRY_STATUS(did("launch"));
    const std::string name = functions_.at(static_cast<std::uintptr_t>(launch.function));
    const std::string parameters(launch.parameters);
    return act("launch " + name, [this, name, launch, parameters] {
      GpuLaunch now = launch;
      now.parameters = parameters;
      if (name == "forge_rotate" && tampered) tamper(parameters);
      if (const auto found = kernels.find(name); found != kernels.end()) found->second(now);
    });
  }
  Status encode(const PlanTensorMap&, DeviceAddress base, std::byte* map) override {
    FORGE_TRY_STATUS(did("encode"));
    std::memcpy(map, &base, sizeof base);
    return {};
  }

  Status begin_capture() override {
    capturing_ = true;
    captured_.clear();
    return did("begin_capture");
  }
  Result<GpuGraph> end_capture() override {
    capturing_ = false;
    FORGE_TRY_STATUS(did("end_capture"));
    graphs_[++handles_] = captured_;
    ++live_graphs;
    return GpuGraph(handles_);
  }
  Status replay(GpuGraph graph) override {
    FORGE_TRY_STATUS(did("replay"));
    log.push_back("replay");
    for (const auto& action : graphs_.at(static_cast<std::uintptr_t>(graph))) action();
    clock_.advance_ns(static_cast<std::int64_t>(replay_ns));
    return {};
  }
  Status destroy(GpuGraph graph) override {
    live_graphs -= static_cast<int>(graphs_.erase(static_cast<std::uintptr_t>(graph)));
    return {};
  }

  Result<GpuEvent> make_event() override { return GpuEvent(++handles_); }
  Status record(GpuEvent event) override {
    log.push_back("record");
    events_[static_cast<std::uintptr_t>(event)] = clock_.monotonic_ns();
    return did("record");
  }
  Result<bool> reached(GpuEvent) override {
    FORGE_TRY_STATUS(did("reached"));
    if (never_ends) clock_.advance_seconds(0.1);
    return !never_ends;
  }
  Result<double> nanoseconds(GpuEvent from, GpuEvent to) override {
    return static_cast<double>(events_.at(static_cast<std::uintptr_t>(to)) -
                               events_.at(static_cast<std::uintptr_t>(from)));
  }
  Status forget_persisting_lines() override {
    log.push_back("forget");
    return did("forget");
  }

 private:
  Status did(const std::string& call) {
    const auto found = fails.find(call);
    if (found == fails.end()) return {};
    failure_ = GpuFailure{found->second, "CUDA_ERROR_" + std::to_string(found->second)};
    return Error{ErrorKind::kInfrastructure, "the driver refused", call, failure_->name, ""};
  }
  Status act(const std::string& what, const std::function<void()>& action) {
    if (capturing_) {
      captured_.push_back(action);
    } else {
      log.push_back(what);
      action();
    }
    return {};
  }
  // Each section in memory of its own, its variables where the cubin has them.
  void place_symbols(const Cubin& cubin) {
    std::map<PlanSection, std::uint64_t> ends;
    for (const PlanSymbol& symbol : cubin.symbols) {
      ends[symbol.section] = std::max(ends[symbol.section], symbol.offset + symbol.bytes);
    }
    std::map<PlanSection, DeviceAddress> bases;
    for (const auto& [section, bytes] : ends) bases[section] = *allocate(bytes);
    for (const PlanSymbol& symbol : cubin.symbols) {
      symbols_[symbol.name] = {bases[symbol.section] + symbol.offset, symbol.bytes};
    }
  }
  void tamper(const std::string& parameters) {
    DeviceAddress flag = 0;
    std::memcpy(&flag, parameters.data() + 24, sizeof flag);
    std::memset(at(flag, 4), 1, 1);
  }

  FakeClock& clock_;
  GpuFacts facts_;
  std::optional<GpuFailure> failure_;
  std::map<DeviceAddress, std::vector<std::byte>> memory_;
  DeviceAddress next_ = 0x7f0000000000;
  std::uintptr_t handles_ = 0;
  std::map<std::uintptr_t, std::string> functions_;
  std::map<std::string, GpuRange> symbols_;
  std::map<std::uintptr_t, std::vector<std::function<void()>>> graphs_;
  std::map<std::uintptr_t, std::int64_t> events_;
  bool capturing_ = false;
  std::vector<std::function<void()>> captured_;
};

}  // namespace forge
