#include "delivery/local.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "sys/fs_fake.h"
#include "sys/process_fake.h"
#include "worker/error_json.h"

namespace forge {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;

const JobTicket kTicket{"0007", "/run/bundle", "/run/result"};

JobResult result_of(const std::string& id) {
  JobResult result;
  result.id = id;
  result.body = JudgeResult{Passed{}, {}, 3, 40, {}};
  return result;
}

ProcessResult killed() {
  ProcessResult result;
  result.end = Signalled{11};
  result.standard_error = "first\nlast words\n";
  return result;
}

// A delivery over fakes whose pauses are recorded instead of waited for.
struct Fakes {
  FakeFs fs;
  FakeProcessRunner processes;
  std::vector<milliseconds> pauses;
  std::unique_ptr<Delivery> delivery;

  Fakes() {
    fs.add_file("/run/bundle/job.json", "{}");
    LocalPolicy policy;
    policy.first_pause = milliseconds(100);
    policy.pause = [this](milliseconds time) { pauses.push_back(time); };
    delivery = make_local_delivery("/bin/forge-worker", fs, processes, policy);
  }

  // What each start of the worker does, in order; the last one repeats.
  void worker(std::vector<FakeProcessRunner::Answer> acts) {
    auto left = std::make_shared<std::vector<FakeProcessRunner::Answer>>(std::move(acts));
    processes.answer({"/bin/forge-worker"}, [left](const ProcessSpec& spec) {
      auto act = left->front();
      if (left->size() > 1) left->erase(left->begin());
      return act(spec);
    });
  }

  FakeProcessRunner::Answer leaves(const std::string& file, const std::string& text) {
    return [this, file, text](const ProcessSpec&) -> Result<ProcessResult> {
      fs.add_file("/run/result/" + file, text);
      return exited_with(0);
    };
  }

  Result<JobResult> finish() {
    for (int i = 0; i < 100; ++i) {
      FORGE_TRY(const bool ended, delivery->wait(kTicket, milliseconds(1000)));
      if (ended) return delivery->collect(kTicket);
    }
    return Error{ErrorKind::kBusy, "cannot finish", "", "it waits for ever", ""};
  }
};

FakeProcessRunner::Answer dies() {
  return [](const ProcessSpec&) -> Result<ProcessResult> { return killed(); };
}

TEST(LocalDelivery, StartsTheWorkerOnBundleAndResultAndCollectsWhatItLeft) {
  Fakes fakes;
  fakes.worker({fakes.leaves("result.json", to_json(result_of("0007")).dump())});
  ASSERT_TRUE(fakes.delivery->submit(kTicket));
  const auto result = fakes.finish();
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(result->id, "0007");
  ASSERT_EQ(fakes.processes.calls().size(), 1u);
  EXPECT_THAT(fakes.processes.calls()[0].argv,
              ElementsAre("/bin/forge-worker", "/run/bundle", "/run/result"));
}

TEST(LocalDelivery, AWorkerThatDiesIsStartedAgainAfterGrowingPauses) {
  Fakes fakes;
  fakes.worker({dies(), dies(), fakes.leaves("result.json", to_json(result_of("0007")).dump())});
  ASSERT_TRUE(fakes.delivery->submit(kTicket));
  EXPECT_TRUE(fakes.finish());
  EXPECT_EQ(fakes.processes.calls().size(), 3u);
  EXPECT_THAT(fakes.pauses, ElementsAre(milliseconds(100), milliseconds(400)));
}

TEST(LocalDelivery, AfterThreeDeathsItIsInfrastructureWithTheLastWords) {
  Fakes fakes;
  fakes.worker({dies()});
  ASSERT_TRUE(fakes.delivery->submit(kTicket));
  const auto result = fakes.finish();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kInfrastructure);
  EXPECT_THAT(result.error().message(), HasSubstr("was killed by SIGSEGV and it left no result"));
  EXPECT_THAT(result.error().message(), HasSubstr("last words"));
  EXPECT_EQ(fakes.processes.calls().size(), 3u);
}

TEST(LocalDelivery, AResultThatIsNotWholeCountsAsNone) {
  Fakes fakes;
  fakes.worker({fakes.leaves("result.json", "{\"id\": \"00")});
  ASSERT_TRUE(fakes.delivery->submit(kTicket));
  const auto result = fakes.finish();
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message(), HasSubstr("result.json"));
  EXPECT_EQ(fakes.processes.calls().size(), 3u);
}

TEST(LocalDelivery, WhatTheWorkerReportsAsAnErrorIsFinal) {
  Fakes fakes;
  const Error broken{ErrorKind::kInfrastructure, "cannot compile", "x.cpp", "no compiler", ""};
  fakes.worker({fakes.leaves("error.json", to_json(broken).dump())});
  ASSERT_TRUE(fakes.delivery->submit(kTicket));
  const auto result = fakes.finish();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message(), broken.message());
  EXPECT_EQ(fakes.processes.calls().size(), 1u);
}

TEST(LocalDelivery, AWholeResultOfTheSameBundleIsReused) {
  Fakes fakes;
  fakes.worker({fakes.leaves("result.json", to_json(result_of("0007")).dump())});
  ASSERT_TRUE(fakes.delivery->submit(kTicket));
  ASSERT_TRUE(fakes.finish());
  ASSERT_TRUE(fakes.delivery->submit(kTicket));
  EXPECT_TRUE(fakes.finish());
  EXPECT_EQ(fakes.processes.calls().size(), 1u);
}

TEST(LocalDelivery, AResultOfAnotherBundleUnderTheSameNumberIsNotTaken) {
  Fakes fakes;
  fakes.worker({fakes.leaves("result.json", to_json(result_of("0007")).dump())});
  ASSERT_TRUE(fakes.delivery->submit(kTicket));
  ASSERT_TRUE(fakes.finish());
  fakes.fs.add_file("/run/bundle/job.json", "{\"seeds\": [8]}");
  ASSERT_TRUE(fakes.delivery->submit(kTicket));
  EXPECT_TRUE(fakes.finish());
  EXPECT_EQ(fakes.processes.calls().size(), 2u);
}

TEST(LocalDelivery, AnErrorIsNotReused) {
  Fakes fakes;
  const Error broken{ErrorKind::kInfrastructure, "cannot compile", "x.cpp", "no compiler", ""};
  fakes.worker({fakes.leaves("error.json", to_json(broken).dump()),
                fakes.leaves("result.json", to_json(result_of("0007")).dump())});
  ASSERT_TRUE(fakes.delivery->submit(kTicket));
  EXPECT_FALSE(fakes.finish());
  ASSERT_TRUE(fakes.delivery->submit(kTicket));
  EXPECT_TRUE(fakes.finish());
}

// Killed at any step of a submission, the old result never looks like the answer to the new bundle.
TEST(LocalDelivery, AnOldResultNeverMeetsANewStamp) {
  for (std::uint64_t step = 1; step <= 12; ++step) {
    Fakes fakes;
    fakes.worker({fakes.leaves("result.json", to_json(result_of("0007")).dump())});
    ASSERT_TRUE(fakes.delivery->submit(kTicket));
    ASSERT_TRUE(fakes.finish());
    fakes.fs.add_file("/run/bundle/job.json", "{\"seeds\": [8]}");
    fakes.fs.fail_step(fakes.fs.steps() + step, FaultSpan::kFromThenOn,
                       Error{ErrorKind::kInfrastructure, "", "", "killed here", ""});
    const bool submitted = fakes.delivery->submit(kTicket).has_value();
    fakes.fs.clear_faults();
    if (submitted) return;
    ASSERT_TRUE(fakes.delivery->submit(kTicket));
    ASSERT_TRUE(fakes.finish());
    ASSERT_EQ(fakes.processes.calls().size(), 2u) << "killed at step " << step;
  }
  FAIL() << "a submission has more steps than this test tries";
}

TEST(LocalDelivery, AWorkerThatCanNotWriteItsResultIsNotTriedAgain) {
  Fakes fakes;
  fakes.worker({[](const ProcessSpec&) -> Result<ProcessResult> {
    ProcessResult result;
    result.end = Exited{kWorkerExitEnvironment};
    result.standard_error = "forge-worker: cannot write /run/result.tmp: the disk is full\n";
    return result;
  }});
  ASSERT_TRUE(fakes.delivery->submit(kTicket));
  const auto result = fakes.finish();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kEnvironment);
  EXPECT_THAT(result.error().message(), HasSubstr("/run/result.tmp: the disk is full"));
  EXPECT_EQ(fakes.processes.calls().size(), 1u);
}

TEST(LocalDelivery, SubmittingAgainWhileItRunsStartsNothing) {
  Fakes fakes;
  fakes.processes.hang({"/bin/forge-worker"});
  ASSERT_TRUE(fakes.delivery->submit(kTicket));
  ASSERT_TRUE(fakes.delivery->submit(kTicket));
  EXPECT_EQ(fakes.processes.calls().size(), 1u);
  EXPECT_FALSE(fakes.delivery->wait(kTicket, milliseconds(1)).value());
}

TEST(LocalDelivery, CancellingKillsTheWorker) {
  Fakes fakes;
  fakes.processes.hang({"/bin/forge-worker"});
  ASSERT_TRUE(fakes.delivery->submit(kTicket));
  fakes.delivery->cancel(kTicket);
  EXPECT_EQ(fakes.processes.kills(), 1);
  EXPECT_FALSE(fakes.delivery->wait(kTicket, milliseconds(1)));
}

TEST(LocalDelivery, AWorkerThatCannotBeStartedIsAnErrorOfSubmit) {
  Fakes fakes;
  fakes.processes.answer(
      {"/bin/forge-worker"},
      Error{ErrorKind::kNotFound, "cannot start", "/bin/forge-worker", "no such file", "build it"});
  const auto status = fakes.delivery->submit(kTicket);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message(), HasSubstr("no such file"));
}

// The same with real processes and files, and a worker that is a script.
class LocalDeliveryWithScript : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "/forge-delivery-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    std::filesystem::create_directories(folder_ / "bundle");
    write("job.json", "{}");
    write("answer.json", to_json(result_of("1")).dump());
    write(
        "error.json",
        to_json(Error{ErrorKind::kInfrastructure, "cannot read", "disk", "it is full", ""}).dump());
    ticket_ = {"1", folder_ / "bundle", folder_ / "result"};
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / "bundle" / name) << text;
  }

  Result<JobResult> run(const std::string& script, milliseconds limit = std::chrono::seconds(60)) {
    write("script", script);
    LocalPolicy policy = default_local_policy();
    policy.max_tries = 3;
    policy.first_pause = milliseconds(1);
    policy.worker_limit = limit;
    auto delivery = make_local_delivery(Path(FORGE_SOURCE_DIR) / "tests/fakes/fake-worker", *fs_,
                                        *processes_, policy);
    FORGE_TRY_STATUS(delivery->submit(ticket_));
    while (true) {
      FORGE_TRY(const bool ended, delivery->wait(ticket_, std::chrono::seconds(5)));
      if (ended) return delivery->collect(ticket_);
    }
  }

  int starts() {
    const auto text = fs_->read(folder_ / "bundle/starts");
    return text ? static_cast<int>(std::count(text->begin(), text->end(), '\n')) : 0;
  }

  std::unique_ptr<Fs> fs_ = make_real_fs();
  std::unique_ptr<ProcessRunner> processes_ = make_real_process_runner();
  Path folder_;
  JobTicket ticket_;
};

TEST_F(LocalDeliveryWithScript, AnswersOnTheFirstTry) {
  EXPECT_TRUE(run("answer\n"));
  EXPECT_EQ(starts(), 1);
}

TEST_F(LocalDeliveryWithScript, SurvivesACrashAndASilentEnd) {
  const auto result = run("die\nnothing\nanswer\n");
  EXPECT_TRUE(result) << result.error().message();
  EXPECT_EQ(starts(), 3);
}

TEST_F(LocalDeliveryWithScript, AHangIsEndedAndTriedAgain) {
  const auto result = run("hang\nanswer\n", milliseconds(300));
  EXPECT_TRUE(result) << result.error().message();
  EXPECT_EQ(starts(), 2);
}

TEST_F(LocalDeliveryWithScript, AHalfWrittenResultIsReplacedByTheNextTry) {
  EXPECT_TRUE(run("half\nanswer\n"));
  EXPECT_EQ(starts(), 2);
}

TEST_F(LocalDeliveryWithScript, TheWorkersErrorComesThroughWhole) {
  const auto result = run("error\n");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message(), "cannot read disk: it is full");
  EXPECT_EQ(starts(), 1);
}

}  // namespace
}  // namespace forge
