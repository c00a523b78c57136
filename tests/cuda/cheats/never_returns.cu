#include "../kernels/scale.h"

int forge_launch(const Args*, void*) {
  for (volatile int i = 0;; i = i + 1) {
  }
}
