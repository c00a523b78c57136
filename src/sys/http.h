// Requests to web servers whose answers stream. May know: base. Real: libcurl, opened at run time,
// so that forge starts where it is missing and no agent needs it. Fake: http_fake.h.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace forge {

struct HttpRequest {
  std::string url;
  std::vector<std::string> headers;  // "name: value"; may hold keys, and is never written down
  std::string body;                  // of a POST
  std::chrono::milliseconds connect{20'000};
  std::chrono::seconds stall{120};     // without a byte
  std::chrono::milliseconds total{0};  // 0: no limit
};

struct HttpResponse {
  int status = 0;
  std::map<std::string, std::string> headers;  // names in lower case
};

class HttpClient {
 public:
  virtual ~HttpClient() = default;
  // Gives `take` the body's bytes as they come; what it answers with ends the transfer if it is an
  // error. An error of kind kInfrastructure may pass if the request is repeated; Ctrl-C is
  // kInterrupted. A status such as 429 is no error.
  using Take = std::function<Status(const HttpResponse& head, std::string_view bytes)>;
  virtual Result<HttpResponse> post(const HttpRequest& request, const Take& take) = 0;
};

// An error says how to get the library.
Result<std::unique_ptr<HttpClient>> make_real_http_client();

}  // namespace forge
