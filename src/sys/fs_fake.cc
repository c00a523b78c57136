#include "sys/fs_fake.h"

#include <fmt/format.h>

#include <cerrno>
#include <utility>

#include "base/text.h"
#include "sys/system_error.h"

namespace forge {
namespace {

enum class EntryKind { kFile, kDirectory, kLink };

struct Entry {
  EntryKind kind = EntryKind::kFile;
  std::string content;
  unsigned mode = 0644;
};

std::string key_of(const Path& path) {
  std::string key = path.lexically_normal().string();
  while (key.size() > 1 && key.ends_with('/')) key.pop_back();
  return key.empty() ? "." : key;
}

std::string parent_key(const std::string& key) { return key_of(Path(key).parent_path()); }

bool is_below(const std::string& key, const std::string& directory) {
  if (directory == ".") return !key.starts_with('/') && key != ".";
  if (directory == "/") return key.starts_with('/') && key != "/";
  return key.size() > directory.size() && key.starts_with(directory) &&
         key[directory.size()] == '/';
}

}  // namespace

struct FakeFs::State {
  std::map<std::string, Entry> entries;

  const Entry* find(const std::string& key) const {
    const auto found = entries.find(key);
    return found == entries.end() ? nullptr : &found->second;
  }
  bool is_directory(const std::string& key) const {
    const Entry* entry = find(key);
    return entry != nullptr && entry->kind == EntryKind::kDirectory;
  }
  void erase(const std::string& key) {
    std::erase_if(entries,
                  [&](const auto& item) { return item.first == key || is_below(item.first, key); });
  }
  void move(const std::string& from, const std::string& to) {
    std::map<std::string, Entry> moved;
    for (auto& [key, entry] : entries) {
      if (key == from || is_below(key, from)) moved.emplace(to + key.substr(from.size()), entry);
    }
    erase(from);
    erase(to);
    entries.merge(moved);
  }
};

class FakeFs::Handle : public AppendFile {
 public:
  Handle(FakeFs& fs, std::string key) : fs_(fs), key_(std::move(key)) {}

  Status append(std::string_view bytes) override {
    FORGE_TRY_STATUS(fs_.step("cannot write", key_));
    fs_.live_->entries[key_].content += bytes;
    return {};
  }
  Status sync() override {
    FORGE_TRY_STATUS(fs_.sync_step("cannot sync", key_));
    fs_.durable_->entries[key_] = fs_.live_->entries[key_];
    return {};
  }

 private:
  FakeFs& fs_;
  std::string key_;
};

class FakeFs::Lock : public FileLock {
 public:
  Lock(std::shared_ptr<std::set<std::string>> locked, std::string key)
      : locked_(std::move(locked)), key_(std::move(key)) {}
  ~Lock() override { locked_->erase(key_); }

 private:
  std::shared_ptr<std::set<std::string>> locked_;
  std::string key_;
};

FakeFs::FakeFs()
    : live_(std::make_unique<State>()),
      durable_(std::make_unique<State>()),
      locked_(std::make_shared<std::set<std::string>>()) {
  for (const char* root : {".", "/"}) live_->entries[root] = Entry{EntryKind::kDirectory, "", 0755};
  *durable_ = *live_;
}

FakeFs::~FakeFs() = default;

Status FakeFs::step(const char* attempt, const Path& path) {
  ++steps_;
  if (!fault_ || steps_ < fault_->step) return {};
  if (steps_ > fault_->step && fault_->span == FaultSpan::kOnce) return {};
  Error error = fault_->error;
  if (error.attempt.empty()) error.attempt = attempt;
  if (error.object.empty()) error.object = path.string();
  return error;
}

Status FakeFs::sync_step(const char* attempt, const Path& path) {
  FORGE_TRY_STATUS(step(attempt, path));
  ++syncs_;
  return {};
}

Status FakeFs::check_parent(const char* attempt, const Path& path) {
  const std::string parent = parent_key(key_of(path));
  if (live_->is_directory(parent)) return {};
  return system_error(attempt, path.string(), live_->find(parent) != nullptr ? ENOTDIR : ENOENT);
}

Result<std::string> FakeFs::read(const Path& path) {
  const Entry* entry = live_->find(key_of(path));
  if (entry == nullptr) return system_error("cannot read", path.string(), ENOENT);
  if (entry->kind == EntryKind::kDirectory) {
    return system_error("cannot read", path.string(), EISDIR);
  }
  return entry->content;
}

bool FakeFs::exists(const Path& path) { return live_->find(key_of(path)) != nullptr; }

bool FakeFs::is_directory(const Path& path) { return live_->is_directory(key_of(path)); }

FileFacts FakeFs::look_at(const Path& path) {
  const Entry* entry = live_->find(key_of(path));
  if (entry == nullptr) return {};
  switch (entry->kind) {
    case EntryKind::kDirectory:
      return {FileKind::kFolder, 0};
    case EntryKind::kLink:
      return {FileKind::kLink, 0};
    case EntryKind::kFile:
      break;
  }
  return {FileKind::kFile, entry->content.size()};
}

Result<Path> FakeFs::resolve(const Path& path) {
  return (path.is_absolute() ? path : Path("/fake") / path).lexically_normal();
}

Result<std::vector<std::string>> FakeFs::list(const Path& directory) {
  const std::string parent = key_of(directory);
  const Entry* entry = live_->find(parent);
  if (entry == nullptr) return system_error("cannot list", directory.string(), ENOENT);
  if (entry->kind != EntryKind::kDirectory) {
    return system_error("cannot list", directory.string(), ENOTDIR);
  }
  std::set<std::string> names;
  for (const auto& [key, ignored] : live_->entries) {
    // The cheap question first: tests list folders of runs with thousands of files.
    if (is_below(key, parent) && parent_key(key) == parent) {
      names.insert(Path(key).filename().string());
    }
  }
  return std::vector<std::string>(names.begin(), names.end());
}

Status FakeFs::write_atomic(const Path& path, std::string_view bytes, Durability durability) {
  const std::string key = key_of(path);
  FORGE_TRY_STATUS(check_parent("cannot write", path));
  if (live_->is_directory(key)) return system_error("cannot write", path.string(), EISDIR);
  FORGE_TRY_STATUS(step("cannot write", path));  // the temporary file
  if (durability == Durability::kSynced) {
    FORGE_TRY_STATUS(sync_step("cannot write", path));  // its content
  }
  FORGE_TRY_STATUS(step("cannot write", path));  // the rename
  live_->entries[key] = Entry{EntryKind::kFile, std::string(bytes), 0644};
  if (durability == Durability::kScratch) return {};
  FORGE_TRY_STATUS(sync_step("cannot sync", path));  // the directory
  durable_->entries[key] = live_->entries[key];
  return {};
}

Result<std::unique_ptr<AppendFile>> FakeFs::open_append(const Path& path) {
  const std::string key = key_of(path);
  FORGE_TRY_STATUS(check_parent("cannot open", path));
  if (live_->is_directory(key)) return system_error("cannot open", path.string(), EISDIR);
  if (live_->find(key) == nullptr) {
    FORGE_TRY_STATUS(step("cannot open", path));
    live_->entries[key] = Entry{};
    FORGE_TRY_STATUS(sync_step("cannot sync", path));
    durable_->entries[key] = Entry{};
  }
  return std::unique_ptr<AppendFile>(std::make_unique<Handle>(*this, key));
}

Status FakeFs::truncate(const Path& path, std::uint64_t size) {
  const std::string key = key_of(path);
  FORGE_TRY(const std::string content, read(path));
  if (size > content.size()) {
    return Error{ErrorKind::kInfrastructure, "cannot truncate", path.string(),
                 fmt::format("it has only {} bytes, not {}", content.size(), size), ""};
  }
  FORGE_TRY_STATUS(step("cannot truncate", path));
  live_->entries[key].content.resize(size);
  FORGE_TRY_STATUS(sync_step("cannot truncate", path));
  durable_->entries[key] = live_->entries[key];
  return {};
}

Status FakeFs::make_directories(const Path& path) {
  const std::string key = key_of(path);
  const Entry* entry = live_->find(key);
  if (entry != nullptr && entry->kind == EntryKind::kDirectory) return {};
  if (entry != nullptr) return system_error("cannot create", path.string(), EEXIST);
  FORGE_TRY_STATUS(make_directories(parent_key(key)));
  FORGE_TRY_STATUS(step("cannot create", path));
  live_->entries[key] = Entry{EntryKind::kDirectory, "", 0755};
  FORGE_TRY_STATUS(sync_step("cannot sync", path));
  durable_->entries[key] = live_->entries[key];
  return {};
}

Status FakeFs::remove_all(const Path& path) {
  FORGE_TRY_STATUS(step("cannot remove", path));
  live_->erase(key_of(path));
  return {};
}

Status FakeFs::rename(const Path& from, const Path& to) {
  const std::string from_key = key_of(from);
  const std::string to_key = key_of(to);
  if (live_->find(from_key) == nullptr) {
    return system_error("cannot rename", from.string() + " to " + to.string(), ENOENT);
  }
  FORGE_TRY_STATUS(check_parent("cannot rename", to));
  if (live_->is_directory(to_key) && !list(to)->empty()) {
    return system_error("cannot rename", from.string() + " to " + to.string(), ENOTEMPTY);
  }
  FORGE_TRY_STATUS(step("cannot rename", from));
  live_->move(from_key, to_key);
  FORGE_TRY_STATUS(sync_step("cannot sync", to));
  // The name is durable, the content is as durable as it was.
  durable_->move(from_key, to_key);
  return {};
}

Status FakeFs::copy_tree(const Path& from, const Path& to, Durability durability) {
  if (!exists(from)) return system_error("cannot copy", from.string(), ENOENT);
  if (!is_directory(from)) return copy_entry(from, to, durability);
  FORGE_TRY_STATUS(make_directories(to));
  FORGE_TRY(const auto names, list(from));
  for (const std::string& name : names) {
    FORGE_TRY_STATUS(copy_tree(from / name, to / name, durability));
  }
  return {};
}

Status FakeFs::copy_entry(const Path& from, const Path& to, Durability durability) {
  const Entry entry = live_->entries.at(key_of(from));
  if (entry.kind == EntryKind::kLink) {
    return Error{ErrorKind::kInvalidInput, "cannot copy", from.string(), "it is a symbolic link",
                 "replace it by a regular file"};
  }
  FORGE_TRY_STATUS(check_parent("cannot write", to));
  FORGE_TRY_STATUS(step("cannot write", to));
  live_->entries[key_of(to)] = entry;
  if (durability == Durability::kScratch) return {};
  FORGE_TRY_STATUS(sync_step("cannot sync", to));
  durable_->entries[key_of(to)] = entry;
  return {};
}

Status FakeFs::make_link(const Path& /*target*/, const Path& link) {
  FORGE_TRY_STATUS(check_parent("cannot link", link));
  if (live_->find(key_of(link)) != nullptr)
    return system_error("cannot link", link.string(), EEXIST);
  FORGE_TRY_STATUS(step("cannot link", link));
  live_->entries[key_of(link)] = Entry{EntryKind::kLink, "", 0777};
  return {};
}

Status FakeFs::set_permissions(const Path& path, unsigned mode) {
  const std::string key = key_of(path);
  if (live_->find(key) == nullptr) {
    return system_error("cannot change the permissions of", path.string(), ENOENT);
  }
  FORGE_TRY_STATUS(step("cannot change the permissions of", path));
  live_->entries[key].mode = mode;
  return {};
}

Result<std::unique_ptr<FileLock>> FakeFs::try_lock(const Path& path, std::string_view holder) {
  const std::string key = key_of(path);
  FORGE_TRY_STATUS(check_parent("cannot lock", path));
  if (locked_->contains(key)) {
    const std::string& name = live_->entries[key].content;
    return Error{ErrorKind::kBusy, "cannot lock", path.string(),
                 "it is held by " + (name.empty() ? "another process" : name), ""};
  }
  FORGE_TRY_STATUS(step("cannot lock", path));
  live_->entries[key].content = std::string(holder);
  locked_->insert(key);
  return std::unique_ptr<FileLock>(std::make_unique<Lock>(locked_, key));
}

void FakeFs::add_file(const Path& path, std::string_view bytes) {
  const std::string key = key_of(path);
  for (std::string parent = parent_key(key); !live_->is_directory(parent);
       parent = parent_key(parent)) {
    live_->entries[parent] = Entry{EntryKind::kDirectory, "", 0755};
    durable_->entries[parent] = live_->entries[parent];
  }
  live_->entries[key] = Entry{EntryKind::kFile, std::string(bytes), 0644};
  durable_->entries[key] = live_->entries[key];
}

void FakeFs::add_link(const Path& path) {
  add_file(path, "");
  live_->entries[key_of(path)].kind = EntryKind::kLink;
  durable_->entries[key_of(path)].kind = EntryKind::kLink;
}

std::optional<unsigned> FakeFs::permissions(const Path& path) const {
  const Entry* entry = live_->find(key_of(path));
  if (entry == nullptr) return std::nullopt;
  return entry->mode;
}

void FakeFs::fail_step(std::uint64_t step, FaultSpan span, Error error) {
  fault_ = Fault{step, span, std::move(error)};
}

void FakeFs::forget_unsynced() {
  *live_ = *durable_;
  // Locks still held by objects of the time before belong to a process that is gone.
  locked_ = std::make_shared<std::set<std::string>>();
}

}  // namespace forge
