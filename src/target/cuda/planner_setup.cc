#include "target/cuda/planner_setup.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "target/args_layout.h"

namespace forge {
namespace {

constexpr std::uint64_t kAlignment = 256;  // what CUDA's allocators promise
// Between buffers: an address beside one can't be taken for another's.
constexpr std::uint64_t kGap = 4ull << 30;
constexpr std::uint64_t kPlacementSteps = kGap / kAlignment / 2;

class Image {
 public:
  Image() : bytes_(sizeof(recorder::Setup)) {}

  std::uint64_t add(const void* data, std::size_t size) {
    const std::size_t offset = (bytes_.size() + 15) / 16 * 16;
    bytes_.resize(offset + size);
    if (size > 0) std::memcpy(bytes_.data() + offset, data, size);
    return offset;
  }
  template <typename T>
  recorder::Table table(const std::vector<T>& values) {
    return {add(values.data(), values.size() * sizeof(T)), values.size()};
  }
  recorder::Text text(const std::string& value) {
    return {add(value.data(), value.size()), value.size()};
  }

  std::vector<std::byte> finish(recorder::Setup setup) {
    setup.magic = recorder::kSetupMagic;
    setup.version = recorder::kSetupVersion;
    setup.recording_bytes = kRecordingBytes;
    std::memcpy(bytes_.data(), &setup, sizeof setup);
    return std::move(bytes_);
  }

 private:
  std::vector<std::byte> bytes_;
};

recorder::Device device_of(const DeviceProfile& profile) {
  recorder::Device device{};
  std::memcpy(device.name, profile.name.data(),
              std::min(profile.name.size(), sizeof device.name - 1));
  device.major = profile.major;
  device.minor = profile.minor;
  device.multiprocessors = profile.multiprocessors;
  device.max_threads_per_block = profile.max_threads_per_block;
  device.max_threads_per_multiprocessor = profile.max_threads_per_multiprocessor;
  device.max_blocks_per_multiprocessor = profile.max_blocks_per_multiprocessor;
  device.registers_per_block = profile.registers_per_block;
  device.registers_per_multiprocessor = profile.registers_per_multiprocessor;
  device.shared_per_block = profile.shared_per_block;
  device.shared_per_block_optin = profile.shared_per_block_optin;
  device.shared_per_multiprocessor = profile.shared_per_multiprocessor;
  device.reserved_shared_per_block = profile.reserved_shared_per_block;
  device.max_cluster_blocks = profile.max_cluster_blocks;
  device.memory_bus_bits = profile.memory_bus_bits;
  device.l2_bytes = profile.l2_bytes;
  device.memory_bytes = profile.memory_bytes;
  return device;
}

void add_kernels(Image& image, const Cubin& cubin, recorder::Setup& setup) {
  std::vector<recorder::Parameter> parameters;
  std::vector<recorder::Kernel> kernels;
  for (const CubinKernel& kernel : cubin.kernels) {
    recorder::Kernel entry{};
    entry.name = image.text(kernel.name);
    entry.first_parameter = parameters.size();
    entry.parameters = static_cast<std::uint32_t>(kernel.parameters.size());
    entry.parameter_bytes = kernel.parameter_bytes;
    entry.registers = kernel.registers;
    entry.static_shared = kernel.static_shared;
    entry.stack_bytes = kernel.stack_bytes;
    entry.max_threads =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(kernel.max_threads, UINT32_MAX));
    const PlanExtent cluster = kernel.cluster.value_or(kNoCluster);
    entry.cluster[0] = cluster.x;
    entry.cluster[1] = cluster.y;
    entry.cluster[2] = cluster.z;
    entry.max_cluster_blocks = kernel.max_cluster_blocks;
    kernels.push_back(entry);
    for (const CubinParameter& parameter : kernel.parameters) {
      parameters.push_back({parameter.offset, parameter.bytes});
    }
  }
  setup.parameters = image.table(parameters);
  setup.kernels = image.table(kernels);
}

void add_symbols(Image& image, const Cubin& cubin, recorder::Setup& setup) {
  std::vector<recorder::Symbol> symbols;
  for (const PlanSymbol& symbol : cubin.symbols) {
    symbols.push_back({image.text(symbol.name), symbol.bytes});
  }
  setup.symbols = image.table(symbols);
}

// Lays buffers, workspace and symbols out in random order with random gaps. `other` is where they
// lay before: each base then differs from it in the bit above the promised alignment as well, so
// that a kernel that relies on more is found.
Result<CallPlacement> place(const std::vector<PlanBuffer>& buffers, const PlannerInput& input,
                            const CallPlacement* other, Random& random) {
  CallPlacement placement;
  placement.buffers.resize(buffers.size());
  placement.symbols.resize(input.cubin->symbols.size());
  std::vector<std::size_t> order(buffers.size() + 1 + placement.symbols.size());
  std::iota(order.begin(), order.end(), 0);
  random.shuffle(order);
  std::uint64_t cursor = recorder::kFirstDeviceAddress;
  for (const std::size_t item : order) {
    const bool is_buffer = item < buffers.size();
    const bool is_workspace = item == buffers.size();
    std::uint64_t& base = is_buffer      ? placement.buffers[item]
                          : is_workspace ? placement.workspace
                                         : placement.symbols[item - buffers.size() - 1];
    const std::uint64_t size = is_buffer ? buffers[item].bytes
                               : is_workspace
                                   ? input.device->memory_bytes
                                   : input.cubin->symbols[item - buffers.size() - 1].bytes;
    base = (cursor + kGap) / kAlignment * kAlignment + random.below(kPlacementSteps) * kAlignment;
    if (other != nullptr) {
      const std::uint64_t before = is_buffer      ? other->buffers[item]
                                   : is_workspace ? other->workspace
                                                  : other->symbols[item - buffers.size() - 1];
      if (((before ^ base) & kAlignment) == 0) base += kAlignment;
    }
    if (size > recorder::kEndOfDeviceAddresses - kGap - base) {
      return Error{ErrorKind::kInvalidInput, "cannot plan", "the kernel",
                   "its buffers are larger together than any device's memory",
                   "use smaller shapes"};
    }
    cursor = base + size;
    if (cursor > recorder::kEndOfDeviceAddresses - 4 * kGap) {
      return Error{ErrorKind::kInvalidInput, "cannot plan", "the kernel",
                   "its buffers are larger together than any device's memory",
                   "use smaller shapes"};
    }
  }
  return placement;
}

// (variant, role) in the order of the calls.
std::vector<std::pair<std::size_t, CallRole>> schedule(std::size_t variants, CallOrder order) {
  std::vector<std::pair<std::size_t, CallRole>> calls;
  if (order == CallOrder::kForward) {
    for (std::size_t v = 0; v < variants; ++v) {
      for (const CallRole role : {CallRole::kFirst, CallRole::kMoved, CallRole::kAgain}) {
        calls.emplace_back(v, role);
      }
    }
  } else {
    for (const CallRole role : {CallRole::kAgain, CallRole::kFirst, CallRole::kMoved}) {
      for (std::size_t v = variants; v-- > 0;) calls.emplace_back(v, role);
    }
  }
  return calls;
}

recorder::Call call_entry(Image& image, const PlannerInput& input, const CallPlacement& placement,
                          const ArgsLayout& layout) {
  const Instance& instance = *input.instances[placement.variant];
  std::vector<std::byte> args = args_image(layout, *input.signature, instance);
  std::size_t buffer = 0;
  for (std::size_t t = 0; t < instance.tensors.size(); ++t) {
    if (!instance.tensors[t].present) continue;
    std::memcpy(args.data() + layout.field_of_tensor(t)->offset, &placement.buffers[buffer++],
                kPointerBytes);
  }
  const std::vector<std::byte> dims = dims_image(*input.signature, instance);
  recorder::Call call{};
  call.args = image.add(args.data(), args.size());
  call.args_bytes = args.size();
  call.dims = image.add(dims.data(), dims.size());
  for (const ArgsField& field : layout.fields) {
    if (field.kind == ArgsField::Kind::kWorkspace) call.workspace_pointer = field.offset;
    if (field.kind == ArgsField::Kind::kWorkspaceBytes) call.workspace_size = field.offset;
  }
  call.workspace_address = placement.workspace;
  call.entry = static_cast<std::uint32_t>(placement.variant);
  call.fill = placement.fill;
  return call;
}

struct VariantPlacements {
  CallPlacement first, moved, again;
};

Result<std::vector<VariantPlacements>> place_variants(const PlannerInput& input, Random& random) {
  std::vector<VariantPlacements> placements;
  for (std::size_t v = 0; v < input.instances.size(); ++v) {
    const auto buffers = plan_buffers(*input.signature, *input.instances[v]);
    VariantPlacements mine;
    FORGE_TRY(mine.first, place(buffers, input, nullptr, random));
    FORGE_TRY(mine.moved, place(buffers, input, &mine.first, random));
    // Odd and unlike small numbers, and different from each other.
    mine.first.fill = static_cast<unsigned char>(0x41 + 2 * random.below(15));
    mine.moved.fill = mine.first.fill;
    mine.first.variant = mine.moved.variant = v;
    mine.again = mine.first;
    mine.again.fill = static_cast<unsigned char>(0x81 + 2 * random.below(31));
    placements.push_back(std::move(mine));
  }
  return placements;
}

}  // namespace

std::vector<PlanBuffer> plan_buffers(const Signature& signature, const Instance& instance) {
  std::vector<PlanBuffer> buffers;
  for (std::size_t t = 0; t < instance.tensors.size(); ++t) {
    const ConcreteTensor& tensor = instance.tensors[t];
    if (!tensor.present) continue;
    PlanBuffer buffer;
    buffer.name = signature.tensors[t].name;
    buffer.bytes = tensor.layout.span_bytes();
    switch (signature.tensors[t].direction) {
      case Direction::kInput:
        buffer.kind = PlanBufferKind::kInput;
        break;
      case Direction::kInOut:
        buffer.kind = PlanBufferKind::kInOut;
        break;
      case Direction::kOutput:
        buffer.kind = PlanBufferKind::kOutput;
        break;
    }
    buffers.push_back(std::move(buffer));
  }
  return buffers;
}

Result<PlannerSetup> planner_setup(const PlannerInput& input, CallOrder order, Random& random) {
  FORGE_TRY(const auto placements, place_variants(input, random));
  PlannerSetup made;
  made.variants.resize(input.instances.size());
  // No number that a kernel computes resembles it.
  made.nonce = random.next() | 1;
  Image image;
  recorder::Setup setup{};
  setup.mode = recorder::Mode::kRecord;
  setup.memory_limit_bytes = input.memory_limit_bytes;
  setup.workspace_limit_bytes = input.device->memory_bytes;
  setup.nonce = made.nonce;
  setup.device = device_of(*input.device);
  setup.initialisers = image.table(input.initialisers);
  add_kernels(image, *input.cubin, setup);
  add_symbols(image, *input.cubin, setup);
  const ArgsLayout layout = args_layout(*input.signature);
  std::vector<recorder::Call> calls;
  std::vector<std::uint64_t> symbol_addresses;
  for (const auto& [variant, role] : schedule(input.instances.size(), order)) {
    const VariantPlacements& mine = placements[variant];
    const auto index = static_cast<std::uint32_t>(calls.size());
    VariantCalls& of_variant = made.variants[variant];
    const CallPlacement& placement = role == CallRole::kFirst   ? mine.first
                                     : role == CallRole::kMoved ? mine.moved
                                                                : mine.again;
    (role == CallRole::kFirst   ? of_variant.first
     : role == CallRole::kMoved ? of_variant.moved
                                : of_variant.again) = index;
    recorder::Call call = call_entry(image, input, placement, layout);
    call.first_symbol_address = symbol_addresses.size();
    symbol_addresses.insert(symbol_addresses.end(), placement.symbols.begin(),
                            placement.symbols.end());
    calls.push_back(call);
    made.calls.push_back(placement);
  }
  setup.symbol_addresses = image.table(symbol_addresses);
  setup.calls = image.table(calls);
  made.bytes = image.finish(setup);
  return made;
}

std::vector<std::byte> occupancy_setup(const Cubin& cubin, const DeviceProfile& device,
                                       std::span<const OccupancyQuestion> questions) {
  Image image;
  recorder::Setup setup{};
  setup.mode = recorder::Mode::kOccupancy;
  setup.device = device_of(device);
  add_kernels(image, cubin, setup);
  std::vector<recorder::OccupancyQuestion> entries;
  for (const OccupancyQuestion& question : questions) {
    const CubinKernel* kernel = cubin.find(question.kernel);
    FORGE_CHECK(kernel != nullptr);
    entries.push_back({static_cast<std::uint32_t>(kernel - cubin.kernels.data()), question.threads,
                       question.dynamic_shared, 0});
  }
  setup.questions = image.table(entries);
  return image.finish(setup);
}

}  // namespace forge
