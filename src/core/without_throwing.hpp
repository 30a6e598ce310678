#pragma once

#include <boost/system/system_error.hpp>
#include <cerrno>
#include <new>
#include <system_error>

#include <prx/result.hpp>

#include "os/pipe.hpp"

namespace prx::core {

/// Threads and Asio say by an exception that the system has no more of something; no exception leaves prx.
template <class F>
auto without_throwing(F&& action) -> decltype(action()) {
  try {
    return action();
  } catch (const boost::system::system_error& error) {
    return os::system_error("reactor", error.code().value());
  } catch (const std::system_error& error) {
    return os::system_error("thread", error.code().value());
  } catch (const std::bad_alloc&) {
    return os::system_error("memory", ENOMEM);
  }
}

}  // namespace prx::core
