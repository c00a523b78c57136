#include "forge_args.h"
FORGE_TUNABLE(int, kVec, 8, 1, 2, 4, 8, 16);  // "x"
/* a */ FORGE_STRUCTURE(bool, kT, /* d */ true, true, false);
FORGE_TUNABLE(float, kF, 1'0.5e-3f, 2, 1'0.5e-3f); R"x( )x" 'a'
