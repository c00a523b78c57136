// What nvcc's host code calls when it is loaded.
#include "recorder.h"

using forge::recorder::Recorder;

extern "C" {

void** __cudaRegisterFatBinary(void*) {
  Recorder& recorder = Recorder::get();
  // One source file makes one module; another is device code that the compiler did not make.
  if (++recorder.modules > 1) {
    recorder.refuse("it registers device code of its own (__cudaRegisterFatBinary)");
  }
  static void* handle = nullptr;
  return &handle;
}

void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}

void __cudaRegisterFunction(void**, const char* host, char*, const char* name, int, uint3*, uint3*,
                            dim3*, dim3*, int*) {
  Recorder& recorder = Recorder::get();
  const std::uint32_t kernel = recorder.kernel_named(name);
  recorder.functions[host] = kernel;
  if (kernel == forge::recorder::kUnknown) recorder.unknown_names[host] = name;
}

void __cudaRegisterVar(void**, char* host, char*, const char* name, int, std::size_t, int, int) {
  Recorder& recorder = Recorder::get();
  recorder.variables[host] = recorder.symbol_named(name);
}
}
