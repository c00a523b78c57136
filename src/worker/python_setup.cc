#include "worker/python_setup.h"

#include <cstdlib>

#include "base/json.h"

namespace forge {

std::string tensor_names(const Signature& signature) {
  Json inputs = Json::array();
  Json outputs = Json::array();
  for (const TensorParam& tensor : signature.tensors) {
    (tensor.direction == Direction::kInput ? inputs : outputs).push_back(tensor.name);
  }
  Json names = Json::object();
  names.set("inputs", std::move(inputs));
  names.set("outputs", std::move(outputs));
  return names.dump();
}

std::vector<std::pair<std::string, std::string>> python_environment() {
  std::vector<std::pair<std::string, std::string>> environment;
  for (const char* name :
       {"PATH", "HOME", "LD_LIBRARY_PATH", "OPENBLAS_CORETYPE", "CUDA_VISIBLE_DEVICES"}) {
    if (const char* value = std::getenv(name)) environment.emplace_back(name, value);
  }
  environment.emplace_back("LC_ALL", "C.UTF-8");
  // Else importing PyTorch starts threads, which a fork would not take along; each trial sets the
  // number of its own.
  for (const char* name : {"OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"}) {
    environment.emplace_back(name, "1");
  }
  environment.emplace_back("PYTHONUNBUFFERED", "1");
  return environment;
}

}  // namespace forge
