#include "fakes/scripted_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/error.h"

namespace forge {
namespace {

void send_all(int client, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(client, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

// Reads a request with a Content-Length; nothing if the client goes away before.
std::optional<ScriptedServer::Request> read_request(int client) {
  std::string text;
  std::array<char, 64 * 1024> buffer;
  while (true) {
    const auto end = text.find("\r\n\r\n");
    if (end != std::string::npos) {
      const auto at = text.find("Content-Length: ");
      const std::size_t length =
          at < end ? std::stoull(text.substr(at + sizeof "Content-Length: " - 1)) : 0;
      if (text.size() >= end + 4 + length) {
        return ScriptedServer::Request{text.substr(0, end), text.substr(end + 4, length)};
      }
    }
    const ssize_t count = ::recv(client, buffer.data(), buffer.size(), 0);
    if (count <= 0) return std::nullopt;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

ScriptedServer::ScriptedServer(std::vector<ScriptedAnswer> script) : script_(std::move(script)) {
  listener_ = UniqueFd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof address;
  FORGE_CHECK(::bind(listener_.get(), generic, size) == 0);
  FORGE_CHECK(::listen(listener_.get(), 8) == 0);
  FORGE_CHECK(::getsockname(listener_.get(), generic, &size) == 0);
  port_ = ntohs(address.sin_port);
  std::array<int, 2> ends{};
  FORGE_CHECK(::pipe2(ends.data(), O_CLOEXEC) == 0);
  stop_read_ = UniqueFd(ends[0]);
  stop_write_ = UniqueFd(ends[1]);
  thread_ = std::thread([this] { serve(); });
}

ScriptedServer::~ScriptedServer() { stop(); }

std::string ScriptedServer::url() const { return fmt::format("http://127.0.0.1:{}", port_); }

std::vector<ScriptedServer::Request> ScriptedServer::stop() {
  stop_write_.reset();
  if (thread_.joinable()) thread_.join();
  return requests_;
}

void ScriptedServer::serve() {
  while (true) {
    std::array<pollfd, 2> polled{{{listener_.get(), POLLIN, 0}, {stop_read_.get(), POLLIN, 0}}};
    ::poll(polled.data(), polled.size(), -1);
    if (polled[1].revents != 0) return;
    const UniqueFd client(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!client.valid()) continue;
    auto request = read_request(client.get());
    if (!request) continue;
    requests_.push_back(std::move(*request));
    answer(client.get(), script_[std::min(requests_.size(), script_.size()) - 1]);
  }
}

void ScriptedServer::answer(int client, const ScriptedAnswer& with) const {
  std::size_t bytes = 0;
  for (const std::string& piece : with.pieces) bytes += piece.size();
  if (with.end != ScriptedAnswer::End::kWhole) ++bytes;  // one that never comes
  send_all(client, fmt::format("HTTP/1.1 {} Scripted\r\nContent-Type: text/event-stream\r\n"
                               "Content-Length: {}\r\nConnection: close\r\n{}\r\n",
                               with.status, bytes, with.headers));
  for (const std::string& piece : with.pieces) send_all(client, piece);
  if (with.end != ScriptedAnswer::End::kStall) return;
  std::array<pollfd, 2> polled{{{client, POLLRDHUP, 0}, {stop_read_.get(), POLLIN, 0}}};
  ::poll(polled.data(), polled.size(), -1);
}

}  // namespace forge
