// A web server on loopback that answers request after request from a script, well or badly. For
// tests only.
#pragma once

#include <string>
#include <thread>
#include <vector>

#include "sys/unique_fd.h"

namespace forge {

// What it does with one request, after it has read it whole.
struct ScriptedAnswer {
  enum class End {
    kWhole,  // the body has its announced length
    kCut,    // the connection is closed in the middle of it
    kStall,  // nothing more comes until the client goes away
  };
  int status = 200;
  std::string headers;              // further ones, each with its line end
  std::vector<std::string> pieces;  // of the body, each sent by itself
  End end = End::kWhole;
};

class ScriptedServer {
 public:
  // After the last answer of the script, the last is given again.
  explicit ScriptedServer(std::vector<ScriptedAnswer> script);
  ~ScriptedServer();
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;

  std::string url() const;
  struct Request {
    std::string head;
    std::string body;
  };
  // Stops the server; nothing is answered any more.
  std::vector<Request> stop();

 private:
  void serve();
  void answer(int client, const ScriptedAnswer& with) const;

  std::vector<ScriptedAnswer> script_;
  UniqueFd listener_;
  UniqueFd stop_read_;
  UniqueFd stop_write_;
  int port_ = 0;
  std::vector<Request> requests_;
  std::thread thread_;
};

}  // namespace forge
