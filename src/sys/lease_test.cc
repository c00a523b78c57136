#include "sys/lease.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "sys/fs_fake.h"

namespace forge {
namespace {

using testing::HasSubstr;

// Frees the lock of another holder when it has been found busy a few times.
class PatientFs : public FakeFs {
 public:
  Result<std::unique_ptr<FileLock>> try_lock(const Path& path, std::string_view holder) override {
    ++attempts;
    if (attempts == 3) other.reset();
    return FakeFs::try_lock(path, holder);
  }
  std::unique_ptr<FileLock> other;
  int attempts = 0;
};

TEST(Lease, AFreeLeaseIsTakenWithoutWaiting) {
  FakeFs fs;
  const auto lease = lease_cpus(fs, "/leases", "job 1",
                                [](const std::string& why) { ADD_FAILURE() << "waited: " << why; });
  EXPECT_TRUE(lease.has_value());
}

TEST(Lease, AHeldLeaseIsAnnouncedOnceWithItsHolderAndThenTaken) {
  PatientFs fs;
  ASSERT_TRUE(fs.make_directories("/leases").has_value());
  fs.other = std::move(*fs.FakeFs::try_lock("/leases/timing-cpus.lock", "job 7 of process 12"));
  std::vector<std::string> announcements;
  const auto lease = lease_cpus(fs, "/leases", "job 8",
                                [&](const std::string& why) { announcements.push_back(why); });
  EXPECT_TRUE(lease.has_value());
  EXPECT_EQ(fs.attempts, 3);
  ASSERT_EQ(announcements.size(), 1u);
  EXPECT_THAT(announcements[0], HasSubstr("held by job 7 of process 12"));
  EXPECT_THAT(announcements[0], HasSubstr("/leases/timing-cpus.lock"));
}

TEST(Lease, AnErrorOtherThanBusyIsReturnedAtOnce) {
  FakeFs fs;
  ASSERT_TRUE(fs.make_directories("/leases").has_value());
  fs.fail_step(fs.steps() + 1, FaultSpan::kFromThenOn,
               Error{ErrorKind::kInfrastructure, "", "", "the file system is read-only", ""});
  const auto lease = lease_cpus(fs, "/leases", "job", nullptr);
  ASSERT_FALSE(lease.has_value());
  EXPECT_THAT(lease.error().message(), HasSubstr("read-only"));
}

TEST(Lease, ItsDirectoryCanBeConfigured) {
  ::setenv("FK_LEASE_DIR", "/somewhere/leases", 1);
  EXPECT_EQ(lease_directory(), Path("/somewhere/leases"));
  ::unsetenv("FK_LEASE_DIR");
  EXPECT_THAT(lease_directory().string(), HasSubstr("/tmp/forgekernel-"));
}

}  // namespace
}  // namespace forge
