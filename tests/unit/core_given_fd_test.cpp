#include "core/given_fd.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <string>

#include "os/pipe.hpp"
#include "support/temp_dir.hpp"

namespace prx::core {
namespace {

bool is_blocking(int fd) {
  return (fcntl(fd, F_GETFL) & O_NONBLOCK) == 0;
}

class GivenFdTest : public ::testing::Test {
 protected:
  /// Writes until it would block.
  static std::size_t fill(GivenFd& to) {
    const std::string piece(1000, 'x');
    std::size_t all = 0;
    for (ssize_t size = 0; (size = to.write(piece)) > 0;) all += static_cast<std::size_t>(size);
    EXPECT_EQ(errno, EAGAIN);
    return all;
  }

  boost::asio::io_context context;
  GivenFd reader{context, GivenFd::Use::read};
  GivenFd writer{context, GivenFd::Use::write};
  std::array<char, 64> buffer{};
};

TEST_F(GivenFdTest, APipeNeitherBlocksNorIsChanged) {
  const auto pipe = os::open_pipe().value();
  ASSERT_TRUE(reader.open(pipe.first.get()));
  ASSERT_TRUE(writer.open(pipe.second.get()));
  EXPECT_EQ(reader.read(buffer), -1);
  EXPECT_EQ(errno, EAGAIN);
  EXPECT_GT(fill(writer), 1000U);
  EXPECT_GT(reader.read(buffer), 0);
  EXPECT_TRUE(is_blocking(pipe.first.get()) && is_blocking(pipe.second.get()));
}

TEST_F(GivenFdTest, ASocketNeitherBlocksNorIsChanged) {
  const auto sockets = os::open_socket_pair(SOCK_STREAM).value();
  ASSERT_TRUE(reader.open(sockets.first.get()));
  ASSERT_TRUE(writer.open(sockets.second.get()));
  EXPECT_EQ(reader.read(buffer), -1);
  EXPECT_EQ(errno, EAGAIN);
  EXPECT_GT(fill(writer), 1000U);
  EXPECT_GT(reader.read(buffer), 0);
  EXPECT_TRUE(is_blocking(sockets.first.get()) && is_blocking(sockets.second.get()));
}

TEST_F(GivenFdTest, APipeWithoutAReaderIsBroken) {
  auto pipe = os::open_pipe().value();
  pipe.first.reset();
  ASSERT_TRUE(writer.open(pipe.second.get()));
  sigset_t pipe_signal;
  sigset_t before;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
  EXPECT_EQ(writer.write("x"), -1);
  EXPECT_EQ(errno, EPIPE);
  const timespec now{};
  sigtimedwait(&pipe_signal, nullptr, &now);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST_F(GivenFdTest, AFileIsReadyAndItsOffsetIsShared) {
  const test::TempDir dir;
  const base::Fd file(open(dir.write("file", "one two").c_str(), O_RDWR | O_CLOEXEC));
  ASSERT_TRUE(reader.open(file.get()));
  bool ready = false;
  reader.when_ready([&] { ready = true; });
  context.run();
  EXPECT_TRUE(ready);
  EXPECT_EQ(reader.read(std::span(buffer).first(4)), 4);
  EXPECT_EQ(lseek(file.get(), 0, SEEK_CUR), 4);
}

TEST_F(GivenFdTest, WaitingChangesNothingThatIsShared) {
  const test::TempDir dir;
  const auto sockets = os::open_socket_pair(SOCK_STREAM).value();
  const auto pipe = os::open_pipe().value();
  const base::Fd file(open(dir.write("file", "text").c_str(), O_RDONLY | O_CLOEXEC));
  for (const int fd : {sockets.first.get(), pipe.first.get(), file.get()}) {
    GivenFd given(context, GivenFd::Use::read);
    ASSERT_TRUE(given.open(fd));
    given.when_ready([] {});
    EXPECT_TRUE(is_blocking(fd));
    given.close();
    context.restart();
    context.run();
    EXPECT_TRUE(is_blocking(fd));
  }
}

TEST_F(GivenFdTest, TheWaitEndsWhenThereIsSomething) {
  const auto sockets = os::open_socket_pair(SOCK_STREAM).value();
  ASSERT_TRUE(reader.open(sockets.first.get()));
  std::string got;
  for (const std::string_view text : {"one", "two"}) {
    EXPECT_EQ(reader.read(buffer), -1);
    reader.when_ready([&] {
      const auto size = reader.read(buffer);
      if (size > 0) got.append(buffer.data(), static_cast<std::size_t>(size));
    });
    ASSERT_EQ(write(sockets.second.get(), text.data(), text.size()), 3);
    context.restart();
    context.run();
  }
  EXPECT_EQ(got, "onetwo");
}

TEST_F(GivenFdTest, NothingIsCalledOnceItIsClosed) {
  const auto pipe = os::open_pipe().value();
  ASSERT_TRUE(reader.open(pipe.first.get()));
  reader.when_ready([] { ADD_FAILURE() << "called"; });
  reader.close();
  context.run();
  EXPECT_TRUE(is_blocking(pipe.first.get()));
}

}  // namespace
}  // namespace prx::core
