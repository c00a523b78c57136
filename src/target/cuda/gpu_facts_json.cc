#include "target/cuda/gpu_facts_json.h"

#include <array>

#include "problem/cuda_arch.h"

namespace forge {
namespace {

struct Number {
  std::string_view key;
  std::uint32_t DeviceProfile::* member;
};

constexpr auto kNumbers = std::to_array<Number>({
    {"major", &DeviceProfile::major},
    {"minor", &DeviceProfile::minor},
    {"multiprocessors", &DeviceProfile::multiprocessors},
    {"max_threads_per_block", &DeviceProfile::max_threads_per_block},
    {"max_threads_per_multiprocessor", &DeviceProfile::max_threads_per_multiprocessor},
    {"max_blocks_per_multiprocessor", &DeviceProfile::max_blocks_per_multiprocessor},
    {"registers_per_block", &DeviceProfile::registers_per_block},
    {"registers_per_multiprocessor", &DeviceProfile::registers_per_multiprocessor},
    {"shared_per_block", &DeviceProfile::shared_per_block},
    {"shared_per_block_optin", &DeviceProfile::shared_per_block_optin},
    {"shared_per_multiprocessor", &DeviceProfile::shared_per_multiprocessor},
    {"reserved_shared_per_block", &DeviceProfile::reserved_shared_per_block},
    {"max_cluster_blocks", &DeviceProfile::max_cluster_blocks},
    {"memory_bus_bits", &DeviceProfile::memory_bus_bits},
});

}  // namespace

Json to_json(const GpuFacts& facts) {
  const DeviceProfile& profile = facts.profile;
  Json json = Json::object();
  json.set("name", profile.name);
  json.set("arch", profile.arch);
  for (const Number& number : kNumbers) {
    json.set(number.key, std::int64_t{profile.*number.member});
  }
  json.set("l2_bytes", profile.l2_bytes);
  json.set("memory_bytes", profile.memory_bytes);
  json.set("driver", facts.driver);
  json.set("uuid", facts.uuid);
  json.set("memory_bytes_per_ns", facts.memory_bytes_per_ns);
  return json;
}

Result<GpuFacts> gpu_facts_from_json(const JsonReader& reader) {
  GpuFacts facts;
  DeviceProfile& profile = facts.profile;
  profile.origin = DeviceOrigin::kPresent;
  FORGE_TRY(profile.name, reader.string("name"));
  FORGE_TRY(profile.arch, reader.string("arch"));
  if (!is_cuda_arch(profile.arch)) return reader.error("arch", "must be an architecture");
  for (const Number& number : kNumbers) {
    FORGE_TRY(const std::uint64_t value, reader.unsigned_integer(number.key));
    profile.*number.member = static_cast<std::uint32_t>(value);
  }
  FORGE_TRY(profile.l2_bytes, reader.unsigned_integer("l2_bytes"));
  FORGE_TRY(profile.memory_bytes, reader.unsigned_integer("memory_bytes"));
  FORGE_TRY(facts.driver, reader.string("driver"));
  FORGE_TRY(facts.uuid, reader.string("uuid"));
  FORGE_TRY(facts.memory_bytes_per_ns, reader.number("memory_bytes_per_ns"));
  return facts;
}

}  // namespace forge
