// libcurl by dlopen. Its numbers and calls are declared here: they are a part of its stable ABI
// (libcurl.so.4 since 2006), and its header is then not needed to build.
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "sys/http.h"
#include "sys/interrupt.h"

namespace forge {
namespace {

// curl/curl.h: CURLOPT_…, of kind long (0), pointer (10000), function (20000), curl_off_t (30000).
enum Option : int {
  kNoProgress = 43,
  kPost = 47,
  kNoSignal = 99,
  kTimeoutMs = 155,
  kConnectTimeoutMs = 156,
  kWriteData = 10001,
  kUrl = 10002,
  kErrorBuffer = 10010,
  kPostFields = 10015,
  kUserAgent = 10018,
  kHttpHeader = 10023,
  kHeaderData = 10029,
  kProgressData = 10057,
  kWriteFunction = 20011,
  kHeaderFunction = 20079,
  kProgressFunction = 20219,
  kPostFieldSizeLarge = 30120,
};
constexpr int kInfoResponseCode = 0x200002;
constexpr int kErrorSize = 256;
// CURLE_…: what no repetition changes.
constexpr int kUnsupportedProtocol = 1;
constexpr int kMalformedUrl = 3;
constexpr int kPeerFailedVerification = 60;
constexpr int kBadCertificateFile = 77;

struct Library {
  void* (*init)() = nullptr;
  int (*set)(void*, int, ...) = nullptr;
  int (*perform)(void*) = nullptr;
  int (*get)(void*, int, ...) = nullptr;
  void (*reset)(void*) = nullptr;
  void (*cleanup)(void*) = nullptr;
  void* (*append)(void*, const char*) = nullptr;
  void (*free_list)(void*) = nullptr;
  const char* (*describe)(int) = nullptr;
};

template <typename Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

Result<Library> open_library() {
  void* opened = nullptr;
  for (const char* name : {"libcurl.so.4", "libcurl-gnutls.so.4"}) {
    if (opened == nullptr) opened = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
  }
  Library library;
  const bool is_whole = opened != nullptr && find(opened, "curl_easy_init", library.init) &&
                        find(opened, "curl_easy_setopt", library.set) &&
                        find(opened, "curl_easy_perform", library.perform) &&
                        find(opened, "curl_easy_getinfo", library.get) &&
                        find(opened, "curl_easy_reset", library.reset) &&
                        find(opened, "curl_easy_cleanup", library.cleanup) &&
                        find(opened, "curl_slist_append", library.append) &&
                        find(opened, "curl_slist_free_all", library.free_list) &&
                        find(opened, "curl_easy_strerror", library.describe);
  if (is_whole) return library;
  return Error{ErrorKind::kEnvironment, "cannot open", "libcurl.so.4",
               "an agent that talks to a server needs it", "install it: apt-get install curl"};
}

// What a transfer's callbacks work on.
struct Transfer {
  using Time = std::chrono::steady_clock;
  HttpResponse response;
  const HttpClient::Take* take = nullptr;
  Status taken;
  // libcurl's own limit looks at averages, and takes far longer to see that nothing comes.
  std::chrono::seconds stall{0};
  std::int64_t moved = 0;
  Time::time_point moved_at = Time::now();
  bool has_stalled = false;
};

std::size_t on_body(char* bytes, std::size_t, std::size_t count, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  transfer.taken = (*transfer.take)(transfer.response, {bytes, count});
  return transfer.taken ? count : 0;
}

std::size_t on_header(char* bytes, std::size_t, std::size_t count, void* user) {
  auto& response = static_cast<Transfer*>(user)->response;
  const std::string_view line = trim(std::string_view(bytes, count));
  if (line.starts_with("HTTP/")) {
    // Of an interim answer, or of a proxy's, come more.
    response = {};
    const auto space = line.find(' ');
    if (space != std::string_view::npos) {
      response.status = static_cast<int>(parse_number(line.substr(space + 1, 3)).value_or(0));
    }
    return count;
  }
  const auto colon = line.find(':');
  if (colon == std::string_view::npos) return count;
  std::string name(line.substr(0, colon));
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  response.headers[name] = std::string(trim(line.substr(colon + 1)));
  return count;
}

// Called at each piece, and about once a second while nothing comes.
int on_progress(void* user, std::int64_t, std::int64_t down, std::int64_t, std::int64_t up) {
  if (interrupted()) return 1;
  auto& transfer = *static_cast<Transfer*>(user);
  const auto now = Transfer::Time::now();
  if (down + up != transfer.moved) {
    transfer.moved = down + up;
    transfer.moved_at = now;
  }
  transfer.has_stalled = now - transfer.moved_at >= transfer.stall;
  return transfer.has_stalled ? 1 : 0;
}

class CurlClient final : public HttpClient {
 public:
  CurlClient(Library library, void* handle) : library_(library), handle_(handle) {}
  ~CurlClient() override { library_.cleanup(handle_); }
  CurlClient(const CurlClient&) = delete;
  CurlClient& operator=(const CurlClient&) = delete;

  Result<HttpResponse> post(const HttpRequest& request, const Take& take) override {
    // Keeps open connections, and nothing else of the request before.
    library_.reset(handle_);
    Transfer transfer;
    transfer.take = &take;
    transfer.stall = request.stall;
    char message[kErrorSize] = "";
    void* headers = nullptr;
    for (const auto& header : request.headers) headers = library_.append(headers, header.c_str());
    set_up(request, transfer, headers, message);
    const int code = library_.perform(handle_);
    library_.free_list(headers);
    if (interrupted()) return interrupted_error("the answer of " + request.url);
    if (!transfer.taken) return transfer.taken.error();
    if (transfer.has_stalled) {
      return Error{ErrorKind::kInfrastructure, "cannot get an answer from", request.url,
                   fmt::format("nothing came for {} s", request.stall.count()), ""};
    }
    if (code != 0) return failure(request, code, message);
    long status = 0;
    library_.get(handle_, kInfoResponseCode, &status);
    transfer.response.status = static_cast<int>(status);
    return std::move(transfer.response);
  }

 private:
  void set_up(const HttpRequest& request, Transfer& transfer, void* headers, char* message) {
    const auto set_long = [&](Option option, long value) { library_.set(handle_, option, value); };
    library_.set(handle_, kUrl, request.url.c_str());
    library_.set(handle_, kHttpHeader, headers);
    library_.set(handle_, kUserAgent, "forgekernel");
    set_long(kPost, 1);
    library_.set(handle_, kPostFieldSizeLarge, static_cast<std::int64_t>(request.body.size()));
    library_.set(handle_, kPostFields, request.body.c_str());
    set_long(kNoSignal, 1);
    set_long(kConnectTimeoutMs, static_cast<long>(request.connect.count()));
    set_long(kTimeoutMs, static_cast<long>(request.total.count()));
    library_.set(handle_, kErrorBuffer, message);
    library_.set(handle_, kWriteFunction, &on_body);
    library_.set(handle_, kWriteData, &transfer);
    library_.set(handle_, kHeaderFunction, &on_header);
    library_.set(handle_, kHeaderData, &transfer);
    set_long(kNoProgress, 0);
    library_.set(handle_, kProgressFunction, &on_progress);
    library_.set(handle_, kProgressData, &transfer);
  }

  Error failure(const HttpRequest& request, int code, const char* message) const {
    const std::string what = *message != '\0' ? message : library_.describe(code);
    const bool is_lasting = code == kUnsupportedProtocol || code == kMalformedUrl ||
                            code == kPeerFailedVerification || code == kBadCertificateFile;
    return Error{is_lasting ? ErrorKind::kEnvironment : ErrorKind::kInfrastructure,
                 "cannot get an answer from", request.url, clip(printable(what), 300),
                 "check the address in agents.toml and the network"};
  }

  Library library_;
  void* handle_;
};

}  // namespace

Result<std::unique_ptr<HttpClient>> make_real_http_client() {
  static const Result<Library> library = open_library();
  if (!library) return library.error();
  void* handle = library->init();
  if (handle == nullptr) {
    return Error{ErrorKind::kInfrastructure, "cannot start", "libcurl", "it gave no handle", ""};
  }
  return std::unique_ptr<HttpClient>(std::make_unique<CurlClient>(*library, handle));
}

}  // namespace forge
