#include "core/framed_streams.hpp"

#include <cerrno>
#include <utility>

#include "base/errno_text.hpp"
#include "base/try.hpp"

namespace prx::core {

using protocol::ChannelId;
using protocol::FrameType;

namespace {
const char* name_of(ChannelId channel) {
  return channel == ChannelId::out ? "stdout" : "stderr";
}
}  // namespace

FramedStreams::FramedStreams(boost::asio::io_context& context, SlotClient& client, OutputReader& out,
                             OutputReader& err)
    : context_(context),
      client_(client),
      input_(std::make_shared<FrameSink>(client)),
      out_{ChannelId::out, out, {}},
      err_{ChannelId::err, err, {}} {}

Result<void> FramedStreams::open(const StdioSource& source) {
  if (source.input_fd.is_open()) {
    source_ = std::make_shared<InputPump>(context_);
    PRX_CHECK(source_->open(source.input_fd.get()));
  }
  PRX_CHECK(open_output(out_, source.output_fd));
  return open_output(err_, source.error_fd);
}

Result<void> FramedStreams::open_output(Output& output, const base::Fd& given) {
  if (!given.is_open()) return {};
  output.pump = std::make_shared<OutputPump>(context_);
  return output.pump->open(given.get());
}

void FramedStreams::start(const std::shared_ptr<HandlerOwner>& owner, std::function<void()> flushed) {
  start_output(out_, owner, flushed);
  start_output(err_, owner, flushed);
  if (source_) source_->start(input_, owner);
}

void FramedStreams::start_output(Output& output, const std::shared_ptr<HandlerOwner>& owner,
                                 const std::function<void()>& flushed) {
  if (!output.pump) return;
  output.pump->start(
      {.written = [this, channel = output.channel](std::uint32_t bytes) { client_.grant(channel, bytes); },
       .refused = [this, channel = output.channel](int error) { refuse(channel, error); },
       .flushed = flushed},
      owner);
}

void FramedStreams::take(ChannelId channel, std::string_view bytes) {
  auto& to = output(channel);
  if (to.pump) return to.pump->take(bytes);
  to.reader.take(bytes);
  client_.grant(channel, static_cast<std::uint32_t>(bytes.size()));
}

void FramedStreams::on_input_refused() {
  if (source_) source_->close();  // what was not read of it stays the caller's
  input_->on_refused();
}

/// The command's own next write fails, as it does where it has the descriptor itself.
void FramedStreams::refuse(ChannelId channel, int error) {
  client_.refuse(channel);
  if (error == EPIPE || error == ECONNRESET) return;  // whoever read there has gone, which is no news
  warnings_.push_back(std::string(name_of(channel)) + " could not be written: " + base::errno_text(error));
}

void FramedStreams::count_lost(ChannelId channel, std::uint64_t bytes) {
  if (bytes == 0) return;
  auto& to = output(channel);
  if (!to.pump) to.reader.count_lost(bytes);
  warnings_.push_back(std::to_string(bytes) + " bytes of " + name_of(channel) +
                      " were lost: they could not be sent in time");
}

bool FramedStreams::is_flushed() const {
  return (!out_.pump || out_.pump->is_flushed()) && (!err_.pump || err_.pump->is_flushed());
}

void FramedStreams::abandon_output() {
  for (auto* output : {&out_, &err_}) {
    if (output->pump) output->pump->abandon();
  }
}

void FramedStreams::close() {
  input_->close();
  if (source_) source_->close();
  for (auto* output : {&out_, &err_}) {
    if (output->pump) output->pump->close();
  }
}

}  // namespace prx::core
