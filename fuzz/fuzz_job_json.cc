// A job that is accepted comes back from its own text unchanged.
#include <cstdint>

#include "worker/job.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto json = forge::parse_json(text, "job.json");
  if (!json) return 0;
  const auto job = forge::job_from_json(*json, "job.json");
  if (!job) return 0;
  const forge::Json written = forge::to_json(*job);
  const auto again = forge::parse_json(written.dump(), "job.json");
  FORGE_CHECK(again.has_value());
  const auto back = forge::job_from_json(*again, "job.json");
  FORGE_CHECK(back.has_value());
  FORGE_CHECK(forge::to_json(*back) == written);
  return 0;
}
