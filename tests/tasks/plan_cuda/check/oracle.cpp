#include "forge/oracle.h"

using namespace forge::oracle;

Groups groups() { return {{"typical", "normally distributed"}}; }

void inputs(Case& c) {
  for (const char* name : {"x", "z"}) {
    const View view = c.input(name);
    for (std::int64_t i = 0; i < view.size(0); ++i) view(i) = c.random.normal();
  }
}

void reference(Case& c) {
  for (const auto& [from, to] : {std::pair("x", "y"), std::pair("z", "w")}) {
    const View input = c.input(from);
    const View output = c.output(to);
    for (std::int64_t i = 0; i < input.size(0); ++i) output(i) = c.scalar("a") * input(i);
  }
}
