// What was said and done in a turn, one line an entry, without secrets. May know: base, sys.
// Format: docs/formats/transcript.md.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "sys/clock.h"
#include "sys/fs.h"

namespace forge {

// Takes secrets out of whatever is written down.
class Redactor {
 public:
  Redactor() = default;
  // Empty ones and those too short to be secrets are passed over.
  explicit Redactor(std::vector<std::string> secrets);

  std::string clean(std::string text) const;
  Json clean(const Json& json) const;
  bool holds_secret(std::string_view text) const;

 private:
  std::vector<std::string> secrets_;  // longest first
};

class Transcript {
 public:
  virtual ~Transcript() = default;
  // `data` is an object; its members follow number, time and type.
  virtual Status add(std::string_view type, const Json& data) = 0;
};

// A file that is begun anew. Entries are synced by `sync`, not one by one.
class FileTranscript : public Transcript {
 public:
  static Result<std::unique_ptr<FileTranscript>> open(Fs& fs, const Path& path, Clock& clock,
                                                      const Redactor& redactor);
  Status add(std::string_view type, const Json& data) override;
  Status sync() { return file_->sync(); }

 private:
  FileTranscript(std::unique_ptr<AppendFile> file, Clock& clock, const Redactor& redactor)
      : file_(std::move(file)), clock_(clock), redactor_(redactor) {}

  std::unique_ptr<AppendFile> file_;
  Clock& clock_;
  const Redactor& redactor_;
  int number_ = 0;
};

// The entries of a transcript; a torn last line is left out.
Result<std::vector<Json>> read_transcript(FileReader& fs, const Path& path);

}  // namespace forge
