#pragma once

/// Everything of the public API.
#include <prx/config.hpp>
#include <prx/error.hpp>
#include <prx/output.hpp>
#include <prx/request.hpp>
#include <prx/result.hpp>
#include <prx/runtime.hpp>
#include <prx/runtimes.hpp>
#include <prx/tools.hpp>
#include <prx/units.hpp>
#include <prx/version.hpp>
