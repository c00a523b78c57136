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

#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
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
    return {data_ + index * strides_.at(0),
            {shape_.begin() + 1, shape_.end()},
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
using View = BasicView<double>;           // floating-point tensors
using IntView = BasicView<std::int64_t>;  // integers and bool, exact in 64 bits

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

namespace detail {

// How elements of a dtype become f64 or int64 and back.
struct Codec {
  std::string_view name;
  std::size_t bytes;
  bool floating;
};
inline const Codec& codec_of(std::string_view dtype) {
  static const Codec codecs[] = {{"f64", 8, true},  {"f32", 4, true},     {"f16", 2, true},
                                 {"bf16", 2, true}, {"f8_e4m3", 1, true}, {"f8_e5m2", 1, true},
                                 {"i64", 8, false}, {"i32", 4, false},    {"i16", 2, false},
                                 {"i8", 1, false},  {"u8", 1, false},     {"bool", 1, false}};
  for (const Codec& codec : codecs) {
    if (codec.name == dtype) return codec;
  }
  throw std::runtime_error("unknown dtype '" + std::string(dtype) + "'");
}

template <typename T>
void put(T value, unsigned char* to) {
  std::memcpy(to, &value, sizeof value);
}
template <typename T>
T get(const unsigned char* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

// Rounds to odd, so that rounding the result again gives what rounding once would have given.
inline float to_odd_float(double value) {
  const float nearest = static_cast<float>(value);
  if (std::isnan(value) || static_cast<double>(nearest) == value || std::isinf(nearest)) {
    return nearest;
  }
  if ((__builtin_bit_cast(std::uint32_t, nearest) & 1) != 0) return nearest;
  const float infinity = std::numeric_limits<float>::infinity();
  return std::nextafter(nearest, value > static_cast<double>(nearest) ? infinity : -infinity);
}

inline void encode(const Codec& codec, double value, unsigned char* to) {
  if (codec.name == "f64") return put(value, to);
  if (codec.name == "f32") return put(static_cast<float>(value), to);
  const float narrow = to_odd_float(value);
  if (codec.name == "bf16") return put(forge::bf16::from_float(narrow), to);
  if (codec.name == "f16") return put(forge::f16::from_float(narrow), to);
  if (codec.name == "f8_e4m3") return put(forge::f8_e4m3::from_float(narrow), to);
  put(forge::f8_e5m2::from_float(narrow), to);
}
inline double decode(const Codec& codec, const unsigned char* from) {
  if (codec.name == "f64") return get<double>(from);
  if (codec.name == "f32") return static_cast<double>(get<float>(from));
  if (codec.name == "bf16") return static_cast<double>(get<forge::bf16>(from).to_float());
  if (codec.name == "f16") return static_cast<double>(get<forge::f16>(from).to_float());
  if (codec.name == "f8_e4m3") return static_cast<double>(get<forge::f8_e4m3>(from).to_float());
  return static_cast<double>(get<forge::f8_e5m2>(from).to_float());
}
// Of little-endian two's complement numbers the lower bytes are the narrower number.
inline void encode(const Codec& codec, std::int64_t value, unsigned char* to) {
  std::memcpy(to, &value, codec.bytes);
}
inline std::int64_t decode_integer(const Codec& codec, const unsigned char* from) {
  if (codec.name == "u8" || codec.name == "bool") return *from;
  std::uint64_t value = 0;
  std::memcpy(&value, from, codec.bytes);
  const unsigned unused = static_cast<unsigned>(64 - 8 * codec.bytes);
  return static_cast<std::int64_t>(value << unused) >> unused;
}

using Bytes = std::vector<unsigned char>;

inline void write_file(const std::string& path, const Bytes& bytes) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  const bool written =
      file != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  if ((file != nullptr && std::fclose(file) != 0) || !written) {
    throw std::runtime_error("cannot write " + path + ": " + std::strerror(errno));
  }
}
inline Bytes read_file(const std::string& path, std::size_t size) {
  Bytes bytes(size);
  std::FILE* file = std::fopen(path.c_str(), "rb");
  const bool read = file != nullptr && std::fread(bytes.data(), 1, size, file) == size;
  if (file != nullptr) std::fclose(file);
  if (!read) throw std::runtime_error("cannot read " + path);
  return bytes;
}

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

  const Codec& codec() const { return codec_of(dtype); }
  bool is_float() const { return codec().floating; }
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

// Rounds to `dtype` ("bf16", "f32", …), to nearest, ties to even: for descriptions that round.
inline double round_to(std::string_view dtype, double value) {
  unsigned char bytes[8];
  const detail::Codec& codec = detail::codec_of(dtype);
  detail::encode(codec, value, bytes);
  return detail::decode(codec, bytes);
}

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
  static typename Map::mapped_type find(const Map& map, const std::string& name, const char* what) {
    const auto found = map.find(name);
    if (found == map.end()) throw std::runtime_error(std::string("no ") + what + " '" + name + "'");
    return found->second;
  }
  detail::Tensor& tensor(const std::string& name, bool floating, bool input) {
    const auto found = tensors_.find(name);
    if (found == tensors_.end()) throw std::runtime_error("no tensor '" + name + "' in this case");
    detail::Tensor& t = found->second;
    if (t.is_float() != floating) {
      throw std::runtime_error(
          "tensor '" + name + "' is " + t.dtype +
          (floating ? ": use the functions for integers" : ": use the functions for floats"));
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

using Comparer = Verdict (*)(Case&, const View& expected, const View& actual);

namespace detail {

inline std::map<std::string, Comparer>& comparers() {
  static std::map<std::string, Comparer> map;
  return map;
}
inline std::vector<std::string>& may_be_nan() {
  static std::vector<std::string> names;
  return names;
}

struct Registration {
  Registration(const char* name, Comparer comparer) { comparers()[name] = comparer; }
  explicit Registration(const char* name) { may_be_nan().push_back(name); }
};

}  // namespace detail

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

  // The fields of a request's line after its key.
  class Words {
   public:
    explicit Words(std::string_view text) : rest_(text) {}
    std::string word() {
      const std::size_t space = rest_.find(' ');
      const std::string word(rest_.substr(0, space));
      rest_ = space == std::string_view::npos ? "" : rest_.substr(space + 1);
      return word;
    }
    std::int64_t integer() { return std::strtoll(word().c_str(), nullptr, 10); }

   private:
    std::string_view rest_;
  };

  static void read_tensor_line(Case& c, Words words) {
    detail::Tensor t;
    t.name = words.word();
    t.direction = words.word();
    t.dtype = words.word();
    t.shape.resize(static_cast<std::size_t>(words.integer()));
    t.strides.resize(t.shape.size());
    for (std::int64_t& extent : t.shape) extent = words.integer();
    for (std::int64_t& stride : t.strides) stride = words.integer();
    const auto elements = static_cast<std::size_t>(t.elements());
    if (t.has_input()) t.is_float() ? t.floats_in.resize(elements) : t.integers_in.resize(elements);
    if (t.has_output()) {
      t.is_float() ? t.floats_out.resize(elements) : t.integers_out.resize(elements);
    }
    c.order_.push_back(t.name);
    c.tensors_.emplace(t.name, std::move(t));
  }

  static void read_scalar_line(Case& c, Words words) {
    const std::string name = words.word();
    if (detail::codec_of(words.word()).floating) {
      c.scalars_[name] = std::strtod(words.word().c_str(), nullptr);
    } else {
      c.integer_scalars_[name] = words.integer();
    }
  }

  static void read_range_line(Case& c, Words words) {
    detail::Tensor& t = c.tensors_.at(words.word());
    t.low = words.integer();
    t.high = words.integer();
  }

  static void read_dim_line(Case& c, Words words) {
    const std::string name = words.word();
    c.dims[name] = words.integer();
  }

  static Case parse(const std::vector<std::string>& lines) {
    Case c;
    const std::map<std::string, std::string*> texts = {{"folder", &c.folder_},
                                                       {"actual", &c.actual_},
                                                       {"output", &c.output_},
                                                       {"shape", &c.shape},
                                                       {"group", &c.group}};
    for (const std::string& line : lines) {
      const std::size_t space = line.find(' ');
      const std::string key = line.substr(0, space);
      const std::string rest = space == std::string::npos ? "" : line.substr(space + 1);
      if (const auto text = texts.find(key); text != texts.end()) {
        *text->second = rest;
      } else if (key == "seed") {
        c.seed = std::strtoull(rest.c_str(), nullptr, 10);
      } else if (key == "dim") {
        read_dim_line(c, Words(rest));
      } else if (key == "scalar") {
        read_scalar_line(c, Words(rest));
      } else if (key == "tensor") {
        read_tensor_line(c, Words(rest));
      } else if (key == "range") {
        read_range_line(c, Words(rest));
      } else if (key != "absent") {
        throw std::runtime_error("unknown line '" + line + "' in a request");
      }
    }
    c.random = Generator(seed_of(c));
    return c;
  }

  static std::string file_of(const Case& c, const detail::Tensor& t, const char* ending) {
    return c.folder_ + "/" + t.name + ending;
  }

  // Calls f(element's index, its bytes in the file) for each element of a laid-out file.
  template <typename F>
  static void each_element(const detail::Tensor& t, detail::Bytes& file, F f) {
    const std::size_t width = t.codec().bytes;
    const bool dense = t.strides == t.dense_strides();
    const auto count = static_cast<std::size_t>(t.elements());
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at =
          dense ? i : static_cast<std::size_t>(t.file_position(static_cast<std::int64_t>(i)));
      f(i, file.data() + at * width);
    }
  }

  // Rounds the input in place, and writes it in its own strides; gaps are filled with ones.
  static void write_input(const Case& c, detail::Tensor& t) {
    const detail::Codec& codec = t.codec();
    detail::Bytes file(static_cast<std::size_t>(t.span()) * codec.bytes, 0xff);
    if (!t.is_float()) check_range(t);
    each_element(t, file, [&](std::size_t i, unsigned char* bytes) {
      t.is_float() ? detail::encode(codec, t.floats_in[i], bytes)
                   : detail::encode(codec, t.integers_in[i], bytes);
    });
    // Strides may let elements share their place (a stride of 0): then they must be equal.
    if (t.strides != t.dense_strides()) require_undisturbed(t, file);
    detail::write_file(file_of(c, t, ".in"), file);
    take_input(t, file);
  }

  static void require_undisturbed(const detail::Tensor& t, detail::Bytes& file) {
    const detail::Codec& codec = t.codec();
    each_element(t, file, [&](std::size_t i, unsigned char* bytes) {
      unsigned char again[8];
      t.is_float() ? detail::encode(codec, t.floats_in[i], again)
                   : detail::encode(codec, t.integers_in[i], again);
      if (std::memcmp(again, bytes, codec.bytes) != 0) {
        throw std::runtime_error("elements of input '" + t.name + "' share a place and differ");
      }
    });
  }

  static void take_input(detail::Tensor& t, detail::Bytes& file) {
    const detail::Codec& codec = t.codec();
    each_element(t, file, [&](std::size_t i, const unsigned char* bytes) {
      if (t.is_float()) {
        t.floats_in[i] = detail::decode(codec, bytes);
      } else {
        t.integers_in[i] = detail::decode_integer(codec, bytes);
      }
    });
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

  // The dtype of the file with what is expected.
  static std::string expected_dtype(const detail::Tensor& t) {
    if (!t.is_float()) return t.dtype;
    return t.codec().bytes <= 2 ? "f32" : "f64";
  }

  static void write_expected(const Case& c, const detail::Tensor& t) {
    const detail::Codec& codec = detail::codec_of(expected_dtype(t));
    const auto count = static_cast<std::size_t>(t.elements());
    detail::Bytes file(count * codec.bytes);
    for (std::size_t i = 0; i < count; ++i) {
      unsigned char* bytes = file.data() + i * codec.bytes;
      t.is_float() ? detail::encode(codec, t.floats_out[i], bytes)
                   : detail::encode(codec, t.integers_out[i], bytes);
    }
    detail::write_file(file_of(c, t, ".out"), file);
  }

  static std::string make_case(Case& c) {
    ::inputs(c);
    for (const std::string& name : c.order_) {
      if (c.tensors_[name].has_input()) write_input(c, c.tensors_[name]);
    }
    return expect(c);
  }

  // What follows from the inputs as they are.
  static std::string expect(Case& c) {
    // An output that reference() forgets is NaN, and is found.
    for (auto& [name, tensor] : c.tensors_) {
      for (double& value : tensor.floats_out) value = std::numeric_limits<double>::quiet_NaN();
    }
    ::reference(c);
    for (const std::string& name : c.order_) {
      if (c.tensors_[name].has_output()) write_expected(c, c.tensors_[name]);
    }
    return "ok";
  }

  static void read_inputs(Case& c) {
    for (auto& [name, tensor] : c.tensors_) {
      if (!tensor.has_input()) continue;
      const auto size = static_cast<std::size_t>(tensor.span()) * tensor.codec().bytes;
      detail::Bytes file = detail::read_file(file_of(c, tensor, ".in"), size);
      take_input(tensor, file);
    }
  }

  // Integers travel as f64 here.
  static std::vector<double> read_dense(const std::string& path, const detail::Codec& codec,
                                        std::int64_t elements) {
    std::vector<double> values(static_cast<std::size_t>(elements));
    const detail::Bytes file = detail::read_file(path, values.size() * codec.bytes);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const unsigned char* bytes = file.data() + i * codec.bytes;
      values[i] = codec.floating ? detail::decode(codec, bytes)
                                 : static_cast<double>(detail::decode_integer(codec, bytes));
    }
    return values;
  }

  static std::string compare(Case& c) {
    read_inputs(c);
    detail::Tensor& t = c.tensors_.at(c.output_);
    std::vector<double> expected =
        read_dense(file_of(c, t, ".out"), detail::codec_of(expected_dtype(t)), t.elements());
    std::vector<double> actual =
        read_dense(c.actual_ + "/" + t.name + ".got", t.codec(), t.elements());
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
      if (lines[0] == "case") return make_case(c);
      if (lines[0] == "compare") return compare(c);
      read_inputs(c);
      return expect(c);
    } catch (const std::exception& error) {
      return std::string("error ") + error.what();
    }
  }

  static void greet(int channel) {
#if defined(__clang__)
    const std::string compiler = "clang " __VERSION__;
#else
    const std::string compiler = "g++ " __VERSION__;
#endif
    say(channel, "forge-oracle 2");
    say(channel, "describe C++, " + compiler);
    for (const auto& [output, comparer] : detail::comparers()) say(channel, "custom " + output);
    for (const std::string& output : detail::may_be_nan()) say(channel, "may_be_nan " + output);
    for (const auto& [group, purpose] : ::groups().names) say(channel, "group " + group);
    say(channel, "ready");
  }

  // "0,1"; empty: anywhere.
  static void use_cpus(std::string_view list) {
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    while (!list.empty()) {
      CPU_SET(std::strtoul(std::string(list).c_str(), nullptr, 10), &cpus);
      const std::size_t comma = list.find(',');
      list = comma == std::string_view::npos ? "" : list.substr(comma + 1);
    }
    if (CPU_COUNT(&cpus) > 0) sched_setaffinity(0, sizeof cpus, &cpus);
  }

  // One line, whole, on the channel that the oracle's own prints can't reach.
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
    greet(channel);
    std::vector<std::string> lines;
    char* line = nullptr;
    std::size_t room = 0;
    for (ssize_t size; (size = ::getline(&line, &room, stdin)) > 0;) {
      const std::string text(line,
                             static_cast<std::size_t>(line[size - 1] == '\n' ? size - 1 : size));
      if (text != "end") {
        lines.push_back(text);
        continue;
      }
      say(channel, lines.empty() ? "error empty request" : answer(lines));
      lines.clear();
    }
    std::free(line);
    return 0;
  }
};

}  // namespace forge::oracle

int main(int argc, char** argv) { return forge::oracle::Harness::run(argc, argv); }
