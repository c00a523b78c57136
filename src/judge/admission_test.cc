#include "judge/admission.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace forge {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

MutantFinding finding(MutantKind kind, Fate fate, std::string group = "typical",
                      std::string shape = "large") {
  return {{"y", std::move(shape), std::move(group)}, {kind, "x"}, fate};
}

Admission decide(std::vector<MutantFinding> mutants) {
  AdmissionEvidence evidence;
  evidence.mutants = std::move(mutants);
  return decide_admission(evidence);
}

TEST(Admission, AMutantThatOneGroupOfAShapeCatchesIsNotedForTheOthers) {
  const Admission admission = decide({finding(MutantKind::kZeros, Fate::kCaught),
                                      finding(MutantKind::kZeros, Fate::kSurvived, "zeros")});
  EXPECT_THAT(admission.refusals, IsEmpty());
  EXPECT_THAT(
      admission.notes,
      ElementsAre("output 'y' of shape 'large' passes in group 'zeros' when it is all zeros"));
  EXPECT_EQ(admission.tried, 2);
  EXPECT_EQ(admission.caught, 1);
}

TEST(Admission, AMutantThatPassesInEveryGroupOfOneShapeIsARefusal) {
  const Admission admission = decide({finding(MutantKind::kCopy, Fate::kCaught, "typical", "small"),
                                      finding(MutantKind::kCopy, Fate::kSurvived),
                                      finding(MutantKind::kCopy, Fate::kSame, "b")});
  EXPECT_THAT(admission.refusals,
              ElementsAre("output 'y' of shape 'large' passes in every group when "
                          "it is a copy of input 'x'"));
}

TEST(Admission, ARightAnswerThatNeedsNoComputingIsARefusalACopyIsNot) {
  EXPECT_THAT(decide({finding(MutantKind::kZeros, Fate::kSame)}).refusals,
              ElementsAre(HasSubstr("is rightly all zeros in every group")));
  EXPECT_THAT(decide({finding(MutantKind::kOtherCase, Fate::kSame)}).refusals,
              ElementsAre(HasSubstr("is rightly the answer to other inputs")));
  EXPECT_THAT(decide({finding(MutantKind::kCopy, Fate::kSame)}).refusals, IsEmpty());
  EXPECT_THAT(decide({finding(MutantKind::kSwappedRows, Fate::kSame)}).refusals, IsEmpty());
}

TEST(Admission, OfSingleWrongElementsAQuarterMustBeCaught) {
  std::vector<MutantFinding> findings(9, finding(MutantKind::kOneElement, Fate::kSurvived));
  for (int i = 0; i < 3; ++i) findings.push_back(finding(MutantKind::kOneElement, Fate::kCaught));
  EXPECT_THAT(decide(findings).refusals, IsEmpty());
  EXPECT_THAT(decide(findings).notes, ElementsAre(HasSubstr("one element")));
  findings.pop_back();
  EXPECT_THAT(decide(findings).refusals,
              ElementsAre(HasSubstr("9 of 11 single wrong elements pass")));
}

TEST(Admission, LessPrecisionThanTheTypesIsRefusedUnlessTheProblemGrantsIt) {
  AdmissionEvidence evidence;
  evidence.mutants = {finding(MutantKind::kNarrower, Fate::kSurvived)};
  evidence.values = {{{"y", "large", "typical"}, 2}, {{"y", "large", "wild"}, 3}};
  EXPECT_THAT(decide_admission(evidence).refusals,
              ElementsAre(HasSubstr("rounded to about half of its digits"),
                          HasSubstr("at most 3 different values")));
  evidence.overridden = {"y"};
  EXPECT_THAT(decide_admission(evidence).refusals, IsEmpty());
  EXPECT_EQ(decide_admission(evidence).notes.size(), 2u);
}

TEST(Admission, OneGroupWithManyValuesIsEnough) {
  AdmissionEvidence evidence;
  evidence.values = {{{"y", "large", "typical"}, kHandful + 1}, {{"y", "large", "wild"}, 2}};
  EXPECT_THAT(decide_admission(evidence).refusals, IsEmpty());
}

TEST(Admission, AnInputWithoutInfluenceIsARefusalOneThatCantBeExchangedANote) {
  AdmissionEvidence evidence;
  evidence.inputs = {{"x", Influence::kSeen, ""},
                     {"w", Influence::kUnseen, ""},
                     {"b", Influence::kConstant, ""},
                     {"k", Influence::kUnknown, "offsets must ascend"}};
  evidence.scalars = {{"eps", Influence::kUnseen, ""}, {"a", Influence::kUnknown, "no"}};
  const Admission admission = decide_admission(evidence);
  EXPECT_THAT(admission.refusals,
              ElementsAre(AllOf(HasSubstr("'w'"), HasSubstr("no influence")),
                          AllOf(HasSubstr("'b'"), HasSubstr("the same in every case"))));
  EXPECT_THAT(admission.notes,
              ElementsAre(AllOf(HasSubstr("'k'"), HasSubstr("offsets must ascend")),
                          HasSubstr("scalar 'eps'")));
}

TEST(Admission, GroupsThatAreAllAlikeAreARefusalAPairANote) {
  AdmissionEvidence evidence;
  evidence.groups = {{"large", "a", "b", Likeness::kAlike}, {"tiny", "a", "b", Likeness::kUnknown}};
  EXPECT_THAT(decide_admission(evidence).refusals, ElementsAre(HasSubstr("under several names")));
  evidence.groups.push_back({"large", "a", "c", Likeness::kDifferent});
  EXPECT_THAT(decide_admission(evidence).refusals, IsEmpty());
  EXPECT_THAT(decide_admission(evidence).notes, ElementsAre(HasSubstr("groups 'a' and 'b'")));
  evidence.groups.push_back({"small", "a", "b", Likeness::kDifferent});
  EXPECT_THAT(decide_admission(evidence).notes, IsEmpty());
}

TEST(Admission, GroupsTooSmallToTellAreNoRefusal) {
  AdmissionEvidence evidence;
  evidence.groups = {{"tiny", "a", "b", Likeness::kUnknown}};
  EXPECT_THAT(decide_admission(evidence).refusals, IsEmpty());
}

TEST(Admission, AJudgeThatRefusesItsOwnAnswerOrGivesNoneIsRefused) {
  AdmissionEvidence evidence;
  evidence.right = {{{"y", "large", "typical"}, "error 2"}};
  evidence.no_answers = {{{"y", "large", "wild"}, {MutantKind::kUnwritten, ""}, "it crashed"}};
  EXPECT_THAT(decide_admission(evidence).refusals,
              ElementsAre(HasSubstr("the oracle's own answer"),
                          AllOf(HasSubstr("does not answer"), HasSubstr("it crashed"))));
}

TEST(Admission, ComesBackThroughJsonAndIsAnErrorInOneLine) {
  const Admission admission{40, 39, {"one", "two"}, {"three"}};
  const Json json = to_json(admission);
  const auto back = admission_from_json(JsonReader(json, "x"));
  ASSERT_TRUE(back);
  EXPECT_EQ(to_json(*back), json);
  const std::string message = not_admitted("norm", admission).message();
  EXPECT_THAT(message,
              HasSubstr("cannot admit the judge of norm: it does not tell right from wrong: "
                        "one; two; correct"));
  EXPECT_EQ(message.find('\n'), std::string::npos);
}

}  // namespace
}  // namespace forge
