#include "worker/planner_process.h"

#include <new>

extern "C" const std::byte forge_planner_image_begin[];
extern "C" const std::byte forge_planner_image_end[];

namespace forge {
namespace {

Result<SharedMemory> memory_file(const std::string& name, const void* data, std::size_t bytes) {
  return SharedMemory::with_content(name, data, bytes);
}

}  // namespace

Result<PlannerProgram> PlannerProgram::make(const std::string& recorder,
                                            std::span<const std::byte> image) {
  PlannerProgram program;
  const auto planner_bytes =
      static_cast<std::size_t>(forge_planner_image_end - forge_planner_image_begin);
  FORGE_TRY(program.planner_,
            memory_file("forge-planner", forge_planner_image_begin, planner_bytes));
  FORGE_TRY(program.recorder_, memory_file("forge-recorder", recorder.data(), recorder.size()));
  FORGE_TRY(program.image_, memory_file("forge-kernel", image.data(), image.size()));
  return program;
}

Result<PlannerProcess> PlannerProcess::start(const PlannerProgram& program,
                                             const std::vector<std::byte>& setup, PlannerTask task,
                                             std::vector<int> cpus) {
  PlannerProcess started;
  FORGE_TRY(started.status_, SharedMemory::create("forge-status", runner::kPageBytes));
  new (started.status_.data()) runner::StatusPage{};
  FORGE_TRY(started.setup_, memory_file("forge-setup", setup.data(), setup.size()));
  FORGE_TRY(started.recording_,
            SharedMemory::create("forge-recording", kRecordingBytes, SharedMemory::Pages::kOnUse));
  PinnedSpec spec;
  spec.executable_fd = program.planner_fd();
  spec.argv = {"forge-planner"};
  // No cache of freed memory and one heap: what nobody has written then holds each call's fill.
  spec.environment = {{"LC_ALL", "C"},
                      {"OMP_DYNAMIC", "false"},
                      {"GLIBC_TUNABLES", "glibc.malloc.tcache_count=0:glibc.malloc.arena_max=1"}};
  spec.descriptors = {{recorder::kStatusFd, started.status_.fd()},
                      {recorder::kSetupFd, started.setup_.fd()},
                      {recorder::kRecordingFd, started.recording_.fd()},
                      {recorder::kRecorderFd, program.recorder_fd()}};
  if (task == PlannerTask::kRecord) {
    spec.descriptors.emplace_back(recorder::kImageFd, program.image_fd());
  }
  spec.cpus = std::move(cpus);
  FORGE_TRY(started.process_, PinnedProcess::spawn(spec));
  return started;
}

std::optional<ProcessEnd> PlannerProcess::wait(std::chrono::milliseconds limit) {
  const std::optional<ProcessEnd> end = process_.wait_end(limit);
  // Whatever it left running dies now; its memory is read afterwards.
  process_.kill();
  return end;
}

const runner::StatusPage& PlannerProcess::status() const {
  return *reinterpret_cast<const runner::StatusPage*>(status_.data());
}

Result<Recording> PlannerProcess::recording(std::size_t calls, std::size_t questions) const {
  return read_recording({recording_.data(), recording_.bytes()}, calls, questions);
}

}  // namespace forge
