// What most evaluators do: all calls of one kernel, then all calls of the other, on the same data.
//   sequential A.so B.so N CALLS   ->   "median_ns min_ns" of A, then of B
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using Kernel = void (*)(const float*, float*, long);

void measure(Kernel kernel, long n, int calls) {
  constexpr int kWarmups = 10;
  std::vector<float> x(static_cast<std::size_t>(n), 0.5f);
  std::vector<float> y(x.size());
  std::vector<double> times;
  for (int call = -kWarmups; call < calls; ++call) {
    const auto start = std::chrono::steady_clock::now();
    kernel(x.data(), y.data(), n);
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    if (call >= 0) times.push_back(took.count());
  }
  std::sort(times.begin(), times.end());
  std::printf("%.1f %.1f\n", times[times.size() / 2], times.front());
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 5) return 1;
  for (int arm = 1; arm <= 2; ++arm) {
    void* library = dlopen(arguments[arm], RTLD_NOW);
    const auto kernel =
        library == nullptr ? nullptr : reinterpret_cast<Kernel>(dlsym(library, "planted"));
    if (kernel == nullptr) {
      std::fprintf(stderr, "cannot load %s: %s\n", arguments[arm], dlerror());
      return 1;
    }
    measure(kernel, std::atol(arguments[3]), std::atoi(arguments[4]));
  }
  return 0;
}
