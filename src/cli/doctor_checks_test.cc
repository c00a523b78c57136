#include "cli/doctor_checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace forge {
namespace {

using testing::HasSubstr;
using testing::Not;

HostFacts healthy() {
  HostFacts facts;
  facts.compiler = std::string("g++");
  facts.python = std::string("/usr/bin/python3");
  facts.git = std::string("git version 2.39.5");
  facts.layers = std::vector<std::string>{"no-new-privileges", "landlock", "seccomp"};
  facts.landlock_abi = 6;
  facts.cpus = 2;
  facts.lease_folder = Status();
  facts.lease_path = "/tmp/forgekernel-0";
  facts.memory_bytes = 8ull << 30;
  facts.onednn = true;
  facts.nvcc = std::string("nvcc 13.0.88");
  facts.openblas = true;
  facts.bubblewrap = true;
  return facts;
}

TEST(Doctor, AHealthyMachineLacksNothing) {
  const auto checks = examine_host(healthy());
  EXPECT_FALSE(something_needed_is_missing(checks));
  EXPECT_THAT(render_checks(checks), Not(HasSubstr("fix:")));
}

TEST(Doctor, ARoleThatCouldTakeNoTurnIsMissingWithItsRemedy) {
  HostFacts facts = healthy();
  facts.agents = {{"student", std::string("m1 answers")},
                  {"teacher", Error{ErrorKind::kEnvironment, "cannot make", "the teacher",
                                    "MY_KEY is not set to a key", "set it in local.env"}}};
  const auto checks = examine_host(facts);
  EXPECT_TRUE(something_needed_is_missing(checks));
  EXPECT_THAT(render_checks(checks), HasSubstr("ok        student     m1 answers"));
  EXPECT_THAT(render_checks(checks), HasSubstr("MY_KEY is not set"));
  EXPECT_THAT(render_checks(checks), HasSubstr("fix: set it in local.env"));
}

TEST(Doctor, EachThingThatIsMissingIsNamedWithItsRemedy) {
  const std::vector<std::pair<std::string, void (*)(HostFacts&)>> cases = {
      {"apt-get install g++",
       [](HostFacts& facts) {
         facts.compiler = Error{ErrorKind::kNotFound, "", "", "no g++", ""};
       }},
      {"apt-get install python3-torch",
       [](HostFacts& facts) {
         facts.python = Error{ErrorKind::kNotFound, "", "", "no torch", ""};
       }},
      {"apt-get install git",
       [](HostFacts& facts) { facts.git = Error{ErrorKind::kNotFound, "", "", "no git", ""}; }},
      {"Linux 5.13",
       [](HostFacts& facts) {
         facts.landlock_abi = 0;
         facts.layers = std::vector<std::string>{"seccomp"};
       }},
      {"CONFIG_SECCOMP_FILTER",
       [](HostFacts& facts) { facts.layers = std::vector<std::string>{"landlock"}; }},
      {"memfd_noexec",
       [](HostFacts& facts) {
         facts.layers = Error{ErrorKind::kEnvironment, "", "", "permission denied", ""};
       }},
      {"taskset", [](HostFacts& facts) { facts.cpus = 1; }},
      {"install -d -m 1777 /tmp/forgekernel-0",
       [](HostFacts& facts) {
         facts.lease_folder = Error{ErrorKind::kInfrastructure, "", "", "read-only", ""};
       }},
      {"2 GiB", [](HostFacts& facts) { facts.memory_bytes = 1ull << 30; }},
  };
  for (const auto& [remedy, breaks] : cases) {
    HostFacts facts = healthy();
    breaks(facts);
    const auto checks = examine_host(facts);
    EXPECT_TRUE(something_needed_is_missing(checks)) << remedy;
    EXPECT_THAT(render_checks(checks), HasSubstr(remedy));
  }
}

TEST(Doctor, TheActiveLayersAreNamedAndWhatAnOldLandlockLeavesToOthers) {
  HostFacts facts = healthy();
  EXPECT_THAT(render_checks(examine_host(facts)),
              HasSubstr("active: no-new-privileges, landlock, seccomp"));
  EXPECT_THAT(render_checks(examine_host(facts)), Not(HasSubstr("without")));
  facts.landlock_abi = 3;
  EXPECT_THAT(render_checks(examine_host(facts)), HasSubstr("without TCP ports and signals"));
  EXPECT_FALSE(something_needed_is_missing(examine_host(facts)));
}

TEST(Doctor, WhatIsOptionalIsSaidButFailsNothing) {
  HostFacts facts = healthy();
  facts.onednn = false;
  facts.openblas = false;
  const auto checks = examine_host(facts);
  EXPECT_FALSE(something_needed_is_missing(checks));
  EXPECT_THAT(render_checks(checks), HasSubstr("apt-get install libdnnl-dev"));
  EXPECT_THAT(render_checks(checks), HasSubstr("apt-get install libopenblas-pthread-dev"));
}

TEST(Doctor, AMissingCudaCompilerFailsNothing) {
  HostFacts facts = healthy();
  EXPECT_THAT(render_checks(examine_host(facts)), HasSubstr("nvcc 13.0.88"));
  facts.nvcc = Error{ErrorKind::kEnvironment, "cannot find", "a CUDA compiler", "no nvcc", ""};
  const auto checks = examine_host(facts);
  EXPECT_FALSE(something_needed_is_missing(checks));
  EXPECT_THAT(render_checks(checks), HasSubstr("no nvcc: problems with target \"cuda\""));
}

}  // namespace
}  // namespace forge
