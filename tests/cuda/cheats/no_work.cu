#include "../kernels/scale.h"

int forge_launch(const Args*, void*) { return 0; }
