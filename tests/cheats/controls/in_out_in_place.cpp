// control: an in-out summed in place
// problem: matmul
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  kit::matmul(*args);
  return 0;
}
