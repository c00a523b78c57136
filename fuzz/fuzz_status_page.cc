// Whatever a kernel writes into the page it shares with the measurer, what is told of its end is
// one printable text of bounded length, and never that nobody is to blame.
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "base/text.h"
#include "worker/fault_text.h"

namespace {

using forge::runner::StatusPage;

forge::Problem two_tensors() {
  forge::Problem problem;
  for (const auto& [name, direction] :
       {std::pair{"x", forge::Direction::kInput}, std::pair{"y", forge::Direction::kOutput}}) {
    forge::TensorParam tensor;
    tensor.name = name;
    tensor.direction = direction;
    problem.signature.tensors.push_back(std::move(tensor));
  }
  return problem;
}

forge::ArenaPlan one_slot() {
  forge::ArenaPlan plan;
  forge::Slot slot;
  for (const auto region : {forge::runner::Region::kInputs, forge::runner::Region::kOutputs}) {
    forge::BufferPlace place;
    place.region = region;
    place.pages_begin = 4096;
    place.offset = 4096;
    place.capacity = 100;
    place.pages_end = 8192;
    slot.tensors.push_back(place);
  }
  plan.slots.push_back(slot);
  return plan;
}

void check(const forge::ArmFault& fault) {
  constexpr std::size_t kMostBytes = 4096;
  FORGE_CHECK(fault.reason.size() < kMostBytes);
  FORGE_CHECK(forge::printable(fault.reason) == fault.reason);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  alignas(StatusPage) static unsigned char page[sizeof(StatusPage)];
  std::memset(page, 0, sizeof page);
  std::memcpy(page, data + 1, std::min(size - 1, sizeof page));
  const auto& status = *reinterpret_cast<const StatusPage*>(page);
  static const forge::Problem problem = two_tensors();
  static const forge::ArenaPlan plan = one_slot();
  const int number = data[0];
  for (const forge::ProcessEnd& end :
       {forge::ProcessEnd(forge::Exited{number}), forge::ProcessEnd(forge::Signalled{number}),
        forge::ProcessEnd(forge::TimedOut{})}) {
    for (const auto speaker : {forge::Speaker::kRunner, forge::Speaker::kKernel}) {
      const auto fault =
          forge::describe_process_end(end, speaker, status, plan, problem.signature, 0);
      check(fault);
      const bool known_end = !std::holds_alternative<forge::TimedOut>(end);
      FORGE_CHECK(speaker == forge::Speaker::kRunner || !known_end ||
                  fault.kind != forge::FaultKind::kInfrastructure);
    }
  }
  check(forge::describe_setup_failure(status));
  return 0;
}
