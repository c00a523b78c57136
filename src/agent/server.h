// A model behind a server as a backend, with a tool loop of our own. May know: base, sys, chat.h,
// tools.h.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "agent/backend.h"
#include "agent/chat.h"
#include "agent/config.h"
#include "sys/clock.h"
#include "sys/http.h"
#include "sys/process.h"

namespace forge {

struct ServerWorld {
  Fs& fs;
  ProcessRunner& processes;
  Clock& clock;
  std::unique_ptr<HttpClient> http;
  std::function<bool()> interrupted;
  std::function<void(std::chrono::milliseconds)> pause;
};
// `key`: what the server knows us by; empty: nothing is sent.
std::unique_ptr<Backend> make_server_backend(const AgentSettings& settings, std::string key,
                                             std::unique_ptr<Protocol> protocol, ServerWorld world);

// How long to wait before a request is sent the `tries`-th time again (from 1).
std::chrono::milliseconds pause_before(int tries, const HttpResponse& answer);

// Drops results of tools, the oldest first, until about `tokens` are left; what the model wrote
// itself and the task stay. False: that is not enough.
bool trim_chat(Chat& chat, std::int64_t tokens);
// Of a chat as it is sent; a server's own count is better and comes too late.
std::int64_t estimated_tokens(const Chat& chat);

}  // namespace forge
