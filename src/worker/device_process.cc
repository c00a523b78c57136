#include "worker/device_process.h"

#include <fmt/format.h>

#include <array>

#include "base/text.h"

namespace forge {
namespace {

constexpr std::size_t kShownOutput = 400;
constexpr std::chrono::seconds kDismissal{3};

struct FaultName {
  std::string_view name;
  FaultKind kind;
};
constexpr auto kFaults = std::to_array<FaultName>({
    {"launch_error", FaultKind::kLaunchError},
    {"timeout", FaultKind::kTimeout},
    {"crash", FaultKind::kCrash},
    {"refused", FaultKind::kRefused},
    {"infrastructure", FaultKind::kInfrastructure},
});

ArmFault infrastructure(const std::string& reason) {
  return {FaultKind::kInfrastructure, -1, reason};
}

// nullopt: it tells of no fault.
std::optional<ArmFault> fault_in(const Json& answer) {
  const JsonReader reader(answer, "an answer");
  if (!reader.has("fault")) return std::nullopt;
  const auto inner = reader.object("fault");
  if (!inner) return infrastructure(inner.error().message());
  const auto kind = inner->string("kind");
  const auto reason = inner->string("reason");
  if (!kind || !reason) return infrastructure("it told of a fault in no way that is known");
  for (const FaultName& fault : kFaults) {
    if (fault.name == *kind) return ArmFault{fault.kind, -1, clip(printable(*reason), 2048)};
  }
  return infrastructure(clip(printable(*reason), 2048));
}

std::string said(PinnedProcess& process) {
  const std::string text = clip(printable(process.output()), kShownOutput);
  return text.empty() ? "it said nothing" : "it said: " + text;
}

}  // namespace

Result<DeviceProcess> DeviceProcess::start(PinnedSpec spec, int channel_fd,
                                           const std::string& name) {
  DeviceProcess started;
  started.name_ = name;
  FORGE_TRY(started.channel_, Channel::create());
  spec.descriptors.emplace_back(channel_fd, started.channel_.other_end());
  FORGE_TRY(started.process_, PinnedProcess::spawn(spec));
  started.channel_.close_other_end();
  return started;
}

Status DeviceProcess::greet(std::chrono::seconds limit) {
  if (!hello_.is_null()) return {};
  Error failed{ErrorKind::kInfrastructure, "cannot start", name_, "", "run forge doctor"};
  const auto text = channel_.receive(limit);
  if (!text || text->empty()) {
    failed.cause = (text ? "it ended; " : "it did not answer; ") + said(process_);
    return failed;
  }
  FORGE_TRY(hello_, parse_json(*text, name_));
  if (const auto fault = fault_in(hello_)) {
    failed.cause = fault->reason;
    return failed;
  }
  return {};
}

void DeviceProcess::dismiss() {
  channel_ = Channel();
  static_cast<void>(process_.wait_end(kDismissal));
  process_.kill();
}

std::variant<Json, ArmFault> DeviceProcess::ask(const Json& request,
                                                const std::vector<int>& descriptors, double seconds,
                                                FaultKind when_silent) {
  if (const auto sent = channel_.send(request.dump(), descriptors); !sent) {
    return infrastructure(name_ + " has ended; " + said(process_));
  }
  const auto text =
      channel_.receive(std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000)));
  if (!text) {
    return ArmFault{when_silent, -1,
                    fmt::format("its launches had not ended after {:.0f} s", seconds)};
  }
  if (text->empty()) return infrastructure(name_ + " has ended; " + said(process_));
  auto answer = parse_json(*text, name_);
  if (!answer) return infrastructure(answer.error().message());
  if (auto fault = fault_in(*answer)) return *fault;
  return std::move(*answer);
}

}  // namespace forge
