// A server's streamed answer, of either protocol: no bytes crash the readers, nothing grows beyond
// its bounds, and pieces of any size say the same as the whole.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "agent/chat.h"
#include "agent/event_stream.h"
#include "base/error.h"

namespace {

// What was understood, as text; nothing where the answer was refused or is not whole.
std::optional<std::string> read(const forge::Protocol& protocol, std::string_view stream,
                                std::size_t piece) {
  forge::EventStream events;
  const auto reader = protocol.reader();
  for (std::size_t at = 0; at < stream.size(); at += piece) {
    const auto status = events.feed(stream.substr(at, piece),
                                    [&](std::string_view event) { return reader->event(event); });
    if (!status) return std::nullopt;
  }
  const auto reply = reader->finish();
  if (!reply) return std::nullopt;
  FORGE_CHECK(reply->calls.size() <= forge::kMaxCallsPerReply);
  FORGE_CHECK(reply->tokens.input >= 0 && reply->tokens.cached >= 0 && reply->tokens.output >= 0);
  std::string text = reply->text;
  for (const auto& call : reply->calls) {
    text += "\n" + call.id + "\n" + call.tool + "\n" + call.arguments;
  }
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view stream(reinterpret_cast<const char*>(data), size);
  for (const auto& protocol : {forge::make_openai_protocol(), forge::make_anthropic_protocol()}) {
    const auto whole = read(*protocol, stream, std::max<std::size_t>(size, 1));
    FORGE_CHECK(read(*protocol, stream, 7) == whole);
  }
  return 0;
}
