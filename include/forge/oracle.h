// An oracle in plain C++: include this once, in oracle.cpp, and define three functions.
//
//   #include "forge/oracle.h"
//   using namespace forge::oracle;
//
//   Groups groups() { return {{"typical", "values as they come"}}; }
//   void inputs(Case& c) {                 // fills every input and in-out
//     View x = c.input("x");
//     for (std::int64_t i = 0; i < x.size(0); ++i) x(i) = c.random.normal();
//   }
//   void reference(Case& c) {              // fills every output and in-out, in f64
//     View x = c.input("x"), y = c.output("y");
//     for (std::int64_t i = 0; i < x.size(0); ++i) y(i) = 2 * x(i);
//   }
//
// Between the two, inputs are rounded to their own dtype: reference() sees what a kernel will see.
// Optional, at namespace scope:
//   FORGE_ORACLE_COMPARE("y", compare_y)   Verdict compare_y(Case&, const View& expected,
//                                                            const View& actual)
//   FORGE_ORACLE_MAY_BE_NAN("y")           the right answer may be NaN
// Throwing any std::exception reports its text. Protocol: docs/formats/oracle.md. It holds main().
#pragma once

#include <sched.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "forge/kernel.h"

namespace forge::oracle {

// A strided view of rank 0 and up; copies refer to the same elements.
template <typename T>
class BasicView {
 public:
  BasicView(T* data, std::vector<std::int64_t> shape, std::vector<std::int64_t> strides)
      : data_(data), shape_(std::move(shape)), strides_(std::move(strides)) {}

  std::size_t rank() const { return shape_.size(); }
  std::int64_t size(std::size_t dimension) const { return shape_.at(dimension); }
  const std::vector<std::int64_t>& shape() const { return shape_; }
  std::int64_t elements() const {
    std::int64_t count = 1;
    for (const std::int64_t extent : shape_) count *= extent;
    return count;
  }

  // Requires one index a dimension; none is checked against the extents.
  template <typename... Index>
  T& operator()(Index... index) const {
    std::int64_t offset = 0;
    std::size_t d = 0;
    ((offset += static_cast<std::int64_t>(index) * strides_[d++]), ...);
    return data_[offset];
  }
  // Element `index` of the logical order, whatever the rank.
  T& flat(std::int64_t index) const {
    std::int64_t offset = 0;
    for (std::size_t d = shape_.size(); d > 0; --d) {
      offset += index % shape_[d - 1] * strides_[d - 1];
      index /= shape_[d - 1];
    }
    return data_[offset];
  }
  // The sub-view at one index of the outermost dimension.
  BasicView at(std::int64_t index) const {
    return {data_ + index * strides_.at(0), {shape_.begin() + 1, shape_.end()},
            {strides_.begin() + 1, strides_.end()}};
  }
  BasicView transposed(std::size_t a, std::size_t b) const {
    BasicView view = *this;
    std::swap(view.shape_.at(a), view.shape_.at(b));
    std::swap(view.strides_.at(a), view.strides_.at(b));
    return view;
  }

 private:
  T* data_;
  std::vector<std::int64_t> shape_;
  std::vector<std::int64_t> strides_;
};
using View = BasicView<double>;            // floating-point tensors
using IntView = BasicView<std::int64_t>;   // integers and bool, exact in 64 bits

// splitmix64 (Steele, Lea and Flood 2014); normal by Box and Muller.
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }  // [0, 1)
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  std::int64_t below(std::int64_t bound) {  // [0, bound)
    return static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(bound));
  }
  bool chance(double probability) { return uniform() < probability; }
  double normal() {
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    const double angle = 6.283185307179586 * uniform();
    spare_ = radius * std::sin(angle);
    has_spare_ = true;
    return radius * std::cos(angle);
  }

 private:
  std::uint64_t state_;
  double spare_ = 0;
  bool has_spare_ = false;
};

// Rounds to `dtype` ("bf16", "f32", …), to nearest, ties to even: for descriptions that round.
inline double round_to(std::string_view dtype, double value);

namespace detail {

struct Tensor {
  std::string name;
  std::string direction;  // "in", "inout", "out"
  std::string dtype;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;  // of the file, in elements
  std::int64_t low = std::numeric_limits<std::int64_t>::min();
  std::int64_t high = std::numeric_limits<std::int64_t>::max();
  // In logical order: what goes in and what comes out, floats or integers.
  std::vector<double> floats_in, floats_out;
  std::vector<std::int64_t> integers_in, integers_out;

  bool is_float() const { return dtype[0] == 'f' || dtype == "bf16"; }
  bool has_input() const { return direction != "out"; }
  bool has_output() const { return direction != "in"; }
  std::int64_t elements() const {
    std::int64_t count = 1;
    for (const std::int64_t extent : shape) count *= extent;
    return count;
  }
  std::vector<std::int64_t> dense_strides() const {
    std::vector<std::int64_t> dense(shape.size(), 1);
    for (std::size_t d = shape.size(); d > 1; --d) dense[d - 2] = dense[d - 1] * shape[d - 1];
    return dense;
  }
  // Where element `index` of the logical order lies in the file.
  std::int64_t file_position(std::int64_t index) const {
    std::int64_t position = 0;
    for (std::size_t d = shape.size(); d > 0; --d) {
      position += index % shape[d - 1] * strides[d - 1];
      index /= shape[d - 1];
    }
    return position;
  }
  std::int64_t span() const {
    std::int64_t span = 1;
    for (std::size_t d = 0; d < shape.size(); ++d) span += (shape[d] - 1) * strides[d];
    return elements() == 0 ? 0 : span;
  }
};

}  // namespace detail

struct Groups {
  std::vector<std::pair<std::string, std::string>> names;  // and purposes
  Groups(std::initializer_list<std::pair<std::string, std::string>> list) : names(list) {}
};

// 0 is right, more than 1 is wrong.
struct Verdict {
  double error = 0;
  std::string detail;
};

class Case {
 public:
  std::string shape;
  std::string group;
  std::uint64_t seed = 0;
  std::map<std::string, std::int64_t> dims;
  Generator random{0};  // depends on seed, shape and group alone

  std::int64_t dim(const std::string& name) const { return find(dims, name, "dimension"); }
  double scalar(const std::string& name) const { return find(scalars_, name, "scalar"); }
  std::int64_t integer_scalar(const std::string& name) const {
    return find(integer_scalars_, name, "integer scalar");
  }
  // False for an optional tensor that this group leaves out.
  bool has(const std::string& name) const { return tensors_.count(name) != 0; }

  // What goes in (of an in-out: its value before), and what must come out.
  View input(const std::string& name) {
    detail::Tensor& t = tensor(name, true, true);
    return {t.floats_in.data(), t.shape, t.dense_strides()};
  }
  IntView input_integers(const std::string& name) {
    detail::Tensor& t = tensor(name, false, true);
    return {t.integers_in.data(), t.shape, t.dense_strides()};
  }
  View output(const std::string& name) {
    detail::Tensor& t = tensor(name, true, false);
    return {t.floats_out.data(), t.shape, t.dense_strides()};
  }
  IntView output_integers(const std::string& name) {
    detail::Tensor& t = tensor(name, false, false);
    return {t.integers_out.data(), t.shape, t.dense_strides()};
  }

 private:
  friend struct Harness;

  template <typename Map>
  static typename Map::mapped_type find(const Map& map, const std::string& name,
                                        const char* what) {
    const auto found = map.find(name);
    if (found == map.end()) throw std::runtime_error(std::string("no ") + what + " '" + name + "'");
    return found->second;
  }
  detail::Tensor& tensor(const std::string& name, bool floating, bool input) {
    const auto found = tensors_.find(name);
    if (found == tensors_.end()) throw std::runtime_error("no tensor '" + name + "' in this case");
    detail::Tensor& t = found->second;
    if (t.is_float() != floating) {
      throw std::runtime_error("tensor '" + name + "' is " + t.dtype + (floating ?
          ": use the functions for integers" : ": use the functions for floats"));
    }
    if (input ? !t.has_input() : !t.has_output()) {
      throw std::runtime_error("tensor '" + name + "' is no " + (input ? "input" : "output"));
    }
    return t;
  }

  std::map<std::string, double> scalars_;
  std::map<std::string, std::int64_t> integer_scalars_;
  std::map<std::string, detail::Tensor> tensors_;
  std::vector<std::string> order_;
  std::string folder_, actual_, output_;
};

using Comparer = std::function<Verdict(Case&, const View& expected, const View& actual)>;

namespace detail {

inline std::map<std::string, Comparer>& comparers() {
  static std::map<std::string, Comparer> map;
  return map;
}
inline std::vector<std::string>& may_be_nan() {
  static std::vector<std::string> names;
  return names;
}

// Rounds to odd, so that rounding the result again gives what rounding once would have given.
inline float to_odd_float(double value) {
  const float nearest = static_cast<float>(value);
  if (std::isnan(value) || static_cast<double>(nearest) == value || std::isinf(nearest)) {
    return nearest;
  }
  std::uint32_t bits;
  std::memcpy(&bits, &nearest, sizeof bits);
  if ((bits & 1) != 0) return nearest;
  return std::nextafter(nearest, value > static_cast<double>(nearest)
                                     ? std::numeric_limits<float>::infinity()
                                     : -std::numeric_limits<float>::infinity());
}

template <typename T>
T encode(double value) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(value);
  } else {
    return T::from_float(to_odd_float(value));
  }
}
template <typename T>
double decode(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<double>(value);
  } else {
    return static_cast<double>(value.to_float());
  }
}

// Calls f with a value of the C++ type of a floating dtype.
template <typename F>
auto with_float_type(std::string_view dtype, F f) {
  if (dtype == "f64") return f(double{});
  if (dtype == "f32") return f(float{});
  if (dtype == "f16") return f(forge::f16{});
  if (dtype == "bf16") return f(forge::bf16{});
  if (dtype == "f8_e4m3") return f(forge::f8_e4m3{});
  if (dtype == "f8_e5m2") return f(forge::f8_e5m2{});
  throw std::runtime_error("unknown floating dtype '" + std::string(dtype) + "'");
}
template <typename F>
auto with_integer_type(std::string_view dtype, F f) {
  if (dtype == "i64") return f(std::int64_t{});
  if (dtype == "i32") return f(std::int32_t{});
  if (dtype == "i16") return f(std::int16_t{});
  if (dtype == "i8") return f(std::int8_t{});
  if (dtype == "u8" || dtype == "bool") return f(std::uint8_t{});
  throw std::runtime_error("unknown integer dtype '" + std::string(dtype) + "'");
}

template <typename T>
void write_file(const std::string& path, const std::vector<T>& values) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(values.data()),
             static_cast<std::streamsize>(values.size() * sizeof(T)));
  file.flush();
  if (!file) throw std::runtime_error("cannot write " + path);
}
template <typename T>
std::vector<T> read_file(const std::string& path, std::int64_t elements) {
  std::vector<T> values(static_cast<std::size_t>(elements));
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(T)));
  if (!file) throw std::runtime_error("cannot read " + path);
  return values;
}

struct Registration {
  Registration(const char* name, Comparer comparer) { comparers()[name] = std::move(comparer); }
  explicit Registration(const char* name) { may_be_nan().push_back(name); }
};

}  // namespace detail

inline double round_to(std::string_view dtype, double value) {
  return detail::with_float_type(dtype, [&](auto zero) {
    return detail::decode(detail::encode<decltype(zero)>(value));
  });
}

#define FORGE_ORACLE_COMPARE(name, function) \
  static const ::forge::oracle::detail::Registration forge_oracle_compare_##function(name, function)
#define FORGE_ORACLE_MAY_BE_NAN(name) FORGE_ORACLE_MAY_BE_NAN_AT(name, __LINE__)
#define FORGE_ORACLE_MAY_BE_NAN_AT(name, line) FORGE_ORACLE_MAY_BE_NAN_AT_LINE(name, line)
#define FORGE_ORACLE_MAY_BE_NAN_AT_LINE(name, line) \
  static const ::forge::oracle::detail::Registration forge_oracle_may_be_nan_##line(name)

}  // namespace forge::oracle

// The author's.
forge::oracle::Groups groups();
void inputs(forge::oracle::Case& c);
void reference(forge::oracle::Case& c);

namespace forge::oracle {

// The protocol's side of a case.
struct Harness {
  static std::uint64_t seed_of(const Case& c) {
    std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
    for (const char byte : std::to_string(c.seed) + "/" + c.shape + "/" + c.group) {
      hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
    }
    return hash;
  }

  static void read_tensor_line(Case& c, std::istringstream& words) {
    detail::Tensor t;
    std::size_t rank = 0;
    words >> t.name >> t.direction >> t.dtype >> rank;
    t.shape.resize(rank);
    t.strides.resize(rank);
    for (std::int64_t& extent : t.shape) words >> extent;
    for (std::int64_t& stride : t.strides) words >> stride;
    if (!words) throw std::runtime_error("malformed tensor line in a request");
    const auto elements = static_cast<std::size_t>(t.elements());
    if (t.has_input()) (t.is_float() ? t.floats_in.resize(elements) : t.integers_in.resize(elements));
    if (t.has_output()) {
      (t.is_float() ? t.floats_out.resize(elements) : t.integers_out.resize(elements));
    }
    c.order_.push_back(t.name);
    c.tensors_.emplace(t.name, std::move(t));
  }

  static void read_scalar_line(Case& c, std::istringstream& words) {
    std::string name, dtype, value;
    words >> name >> dtype >> value;
    if (dtype[0] == 'f' || dtype == "bf16") {
      c.scalars_[name] = std::strtod(value.c_str(), nullptr);
    } else {
      c.integer_scalars_[name] = std::strtoll(value.c_str(), nullptr, 10);
    }
  }

  static Case parse(const std::vector<std::string>& lines) {
    Case c;
    for (const std::string& line : lines) {
      const std::size_t space = line.find(' ');
      const std::string key = line.substr(0, space);
      const std::string rest = space == std::string::npos ? "" : line.substr(space + 1);
      std::istringstream words(rest);
      std::string name;
      if (key == "folder") c.folder_ = rest;
      else if (key == "actual") c.actual_ = rest;
      else if (key == "output") c.output_ = rest;
      else if (key == "shape") c.shape = rest;
      else if (key == "group") c.group = rest;
      else if (key == "seed") words >> c.seed;
      else if (key == "dim") { words >> name; words >> c.dims[name]; }
      else if (key == "scalar") read_scalar_line(c, words);
      else if (key == "tensor") read_tensor_line(c, words);
      else if (key == "range") {
        words >> name;
        words >> c.tensors_[name].low >> c.tensors_[name].high;
      } else if (key != "absent") {
        throw std::runtime_error("unknown line '" + line + "' in a request");
      }
    }
    c.random = Generator(seed_of(c));
    return c;
  }

  // Rounds the input in place, and writes it in its own strides; gaps are filled with ones.
  static void write_input(const Case& c, detail::Tensor& t) {
    const std::string path = c.folder_ + "/" + t.name + ".in";
    if (t.is_float()) {
      detail::with_float_type(t.dtype, [&](auto zero) {
        using T = decltype(zero);
        write_strided<T>(path, t, t.floats_in, [](double v) { return detail::encode<T>(v); },
                         [](T v) { return detail::decode(v); });
      });
    } else {
      check_range(t);
      detail::with_integer_type(t.dtype, [&](auto zero) {
        using T = decltype(zero);
        write_strided<T>(path, t, t.integers_in, [](std::int64_t v) { return static_cast<T>(v); },
                         [](T v) { return static_cast<std::int64_t>(v); });
      });
    }
  }

  template <typename T, typename Value, typename Encode, typename Decode>
  static void write_strided(const std::string& path, const detail::Tensor& t,
                            std::vector<Value>& values, Encode encode, Decode decode) {
    std::vector<T> file(static_cast<std::size_t>(t.span()));
    if (!file.empty()) std::memset(static_cast<void*>(file.data()), 0xff, file.size() * sizeof(T));
    const bool dense = t.strides == t.dense_strides();
    for (std::size_t i = 0; i < values.size(); ++i) {
      const T encoded = encode(values[i]);
      values[i] = decode(encoded);
      file[dense ? i : static_cast<std::size_t>(t.file_position(static_cast<std::int64_t>(i)))] =
          encoded;
    }
    // Strides may let elements share their place (a stride of 0): then they must be equal.
    for (std::size_t i = 0; !dense && i < values.size(); ++i) {
      const auto at = static_cast<std::size_t>(t.file_position(static_cast<std::int64_t>(i)));
      const Value there = decode(file[at]);
      if (std::memcmp(&there, &values[i], sizeof there) != 0) {
        throw std::runtime_error("elements of input '" + t.name + "' share a place and differ");
      }
    }
    detail::write_file(path, file);
  }

  static void check_range(const detail::Tensor& t) {
    const bool is_bool = t.dtype == "bool";
    const std::int64_t low = is_bool ? 0 : t.low;
    const std::int64_t high = is_bool ? 1 : t.high;
    for (const std::int64_t value : t.integers_in) {
      if (value >= low && value <= high) continue;
      throw std::runtime_error("input '" + t.name + "' holds " + std::to_string(value) +
                               ", the signature allows " + std::to_string(low) + " to " +
                               std::to_string(high));
    }
  }

  static void write_expected(const Case& c, const detail::Tensor& t) {
    const std::string path = c.folder_ + "/" + t.name + ".out";
    if (!t.is_float()) {
      detail::with_integer_type(t.dtype, [&](auto zero) {
        using T = decltype(zero);
        detail::write_file(path, std::vector<T>(t.integers_out.begin(), t.integers_out.end()));
      });
    } else if (t.dtype == "f64" || t.dtype == "f32") {
      detail::write_file(path, t.floats_out);
    } else {
      std::vector<float> narrow(t.floats_out.size());
      for (std::size_t i = 0; i < narrow.size(); ++i) {
        narrow[i] = static_cast<float>(t.floats_out[i]);
      }
      detail::write_file(path, narrow);
    }
  }

  static std::string make_case(Case& c) {
    ::inputs(c);
    for (const std::string& name : c.order_) {
      detail::Tensor& t = c.tensors_[name];
      if (t.has_input()) write_input(c, t);
      // An output that reference() forgets is NaN, and is found.
      for (double& value : t.floats_out) value = std::numeric_limits<double>::quiet_NaN();
    }
    ::reference(c);
    for (const std::string& name : c.order_) {
      if (c.tensors_[name].has_output()) write_expected(c, c.tensors_[name]);
    }
    return "ok";
  }

  static void read_input(const Case& c, detail::Tensor& t) {
    const std::string path = c.folder_ + "/" + t.name + ".in";
    const auto read = [&](auto zero, auto& values, auto decode) {
      using T = decltype(zero);
      const std::vector<T> file = detail::read_file<T>(path, t.span());
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = decode(
            file[static_cast<std::size_t>(t.file_position(static_cast<std::int64_t>(i)))]);
      }
    };
    if (t.is_float()) {
      detail::with_float_type(t.dtype, [&](auto zero) {
        read(zero, t.floats_in, [](auto v) { return detail::decode(v); });
      });
    } else {
      detail::with_integer_type(t.dtype, [&](auto zero) {
        read(zero, t.integers_in, [](auto v) { return static_cast<std::int64_t>(v); });
      });
    }
  }

  // Integers travel as f64 here.
  static std::vector<double> read_values(const std::string& path, const std::string& dtype,
                                         std::int64_t elements) {
    std::vector<double> values;
    const auto read = [&](auto zero, auto decode) {
      for (const auto v : detail::read_file<decltype(zero)>(path, elements)) {
        values.push_back(decode(v));
      }
    };
    if (dtype[0] == 'f' || dtype == "bf16") {
      detail::with_float_type(dtype,
                              [&](auto zero) { read(zero, [](auto v) { return detail::decode(v); }); });
    } else {
      detail::with_integer_type(
          dtype, [&](auto zero) { read(zero, [](auto v) { return static_cast<double>(v); }); });
    }
    return values;
  }

  static std::string compare(Case& c) {
    detail::Tensor& t = c.tensors_[c.output_];
    for (auto& entry : c.tensors_) {
      if (entry.second.has_input()) read_input(c, entry.second);
    }
    const bool wide = t.dtype == "f64" || t.dtype == "f32";
    const std::string stored = !t.is_float() ? t.dtype : wide ? "f64" : "f32";
    std::vector<double> expected =
        read_values(c.folder_ + "/" + t.name + ".out", stored, t.elements());
    std::vector<double> actual =
        read_values(c.actual_ + "/" + t.name + ".got", t.dtype, t.elements());
    const Verdict verdict =
        detail::comparers().at(c.output_)(c, View(expected.data(), t.shape, t.dense_strides()),
                                          View(actual.data(), t.shape, t.dense_strides()));
    char number[64];
    std::snprintf(number, sizeof number, "%.17g", verdict.error);
    return std::string("ok ") + number + " " + verdict.detail;
  }

  static std::string answer(const std::vector<std::string>& lines) {
    try {
      Case c = parse({lines.begin() + 1, lines.end()});
      return lines[0] == "case" ? make_case(c) : compare(c);
    } catch (const std::exception& error) {
      return std::string("error ") + error.what();
    }
  }

  static void greet(std::ostream& out) {
#if defined(__clang__)
    const char* compiler = "clang ";
#else
    const char* compiler = "g++ ";
#endif
    out << "forge-oracle 1\ndescribe C++, " << compiler << __VERSION__ << "\n";
    for (const auto& entry : detail::comparers()) out << "custom " << entry.first << "\n";
    for (const std::string& name : detail::may_be_nan()) out << "may_be_nan " << name << "\n";
    for (const auto& group : ::groups().names) out << "group " << group.first << "\n";
    out << "ready\n";
  }

  static void use_cpus(const char* list) {
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    std::istringstream words(list);
    for (std::string word; std::getline(words, word, ',');) CPU_SET(std::stoul(word), &cpus);
    if (CPU_COUNT(&cpus) > 0) sched_setaffinity(0, sizeof cpus, &cpus);
  }

  // One answer, whole, on the channel that the oracle's own prints can't reach.
  static void say(int channel, std::string text) {
    for (char& c : text) c = c == '\n' ? ' ' : c;
    text += '\n';
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t written = ::write(channel, text.data() + done, text.size() - done);
      if (written <= 0) return;
      done += static_cast<std::size_t>(written);
    }
  }

  static int run(int argc, char** argv) {
    const int channel = ::dup(1);
    ::dup2(2, 1);
    if (argc > 1) use_cpus(argv[1]);
    std::ostringstream greeting;
    greet(greeting);
    std::istringstream greeting_lines(greeting.str());
    for (std::string line; std::getline(greeting_lines, line);) say(channel, line);
    std::vector<std::string> lines;
    for (std::string line; std::getline(std::cin, line);) {
      if (line != "end") {
        lines.push_back(line);
        continue;
      }
      say(channel, lines.empty() ? "error empty request" : answer(lines));
      lines.clear();
    }
    return 0;
  }
};

}  // namespace forge::oracle

int main(int argc, char** argv) { return forge::oracle::Harness::run(argc, argv); }
