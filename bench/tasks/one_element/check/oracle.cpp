#include "forge/oracle.h"

using namespace forge::oracle;

Groups groups() { return {{"any", "one number"}}; }

void inputs(Case& c) { c.input("x")(0) = c.random.normal(); }

void reference(Case& c) { c.output("y")(0) = c.input("x")(0); }
