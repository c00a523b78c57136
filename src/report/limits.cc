#include "report/limits.h"

#include <fmt/format.h>

#include "base/text.h"
namespace forge {
namespace {

std::string who_wrote(const ReportModel& model) {
  if (model.writer == "builtin") {
    return "The writer was the builtin search: it saw the start kernel, its tunables and measured "
           "results, not the reference's source. It sets what the start kernel already offers and "
           "invents nothing.";
  }
  return fmt::format("The writer was {}; it {} the reference's source.", model.writer,
                     model.writer_saw_source ? "could see" : "could not see");
}

void add_confirmed(const ReportModel& model, std::vector<std::string>& out) {
  const ReportConfirmation& confirmation = *model.confirmation;
  switch (confirmation.overall.comparison) {
    case Comparison::kSame:
      out.emplace_back("'Matches' is not 'beats': the whole interval lies within 1 % of equal.");
      break;
    case Comparison::kNoVerdict:
      out.emplace_back("There is no verdict: neither faster nor slower nor the same was shown.");
      break;
    case Comparison::kFaster:
    case Comparison::kSlower:
      break;
  }
  const auto slower = confirmation.slower_shapes();
  if (!slower.empty()) {
    out.push_back(fmt::format(
        "The mean hides {} of {} shapes on which the kernel is, or may be, slower than the "
        "reference: {}.",
        slower.size(), confirmation.public_shapes().size(), join(slower, ", ")));
  }
  if (model.noise_floor && confirmation.overall.comparison == Comparison::kFaster &&
      confirmation.overall.ratio.point < 1 + *model.noise_floor) {
    out.emplace_back("The gain is inside this machine's noise floor.");
  }
}

}  // namespace

std::vector<std::string> what_the_number_does_not_say(const ReportModel& model) {
  std::vector<std::string> out;
  if (model.confirmation) add_confirmed(model, out);
  out.emplace_back(
      "It holds for these shapes, this opponent in this version and this machine; another "
      "processor, "
      "library version or shape may turn it round.");
  out.emplace_back(
      "It compares with the opponent that the problem names, which need not be the fastest "
      "implementation there is.");
  out.emplace_back(
      "Passing means agreeing with the oracle on every case drawn, within the tolerance; it is no "
      "proof for all inputs.");
  out.push_back(who_wrote(model));
  out.emplace_back("The harness's own worth is not measured for this model.");
  if (model.boundary == "advisory") {
    out.emplace_back(
        "The boundary was advisory: nothing but the writer's good will kept it from the "
        "reference.");
  }
  for (const std::string& each : model.not_executed) out.push_back("Not executed: " + each);
  return out;
}

}  // namespace forge
