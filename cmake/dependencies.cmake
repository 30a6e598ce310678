# Header-only use of every library: libprx.a then needs nothing but threads (Boost.JSON is compiled in
# src/io/json_impl.cpp).
find_package(Threads REQUIRED)
if(NOT PRX_ONLY_SLOT)
  find_package(Boost 1.81 REQUIRED)
  find_package(tomlplusplus 3.3 REQUIRED)
  find_package(CLI11 2.1 REQUIRED)
  find_package(fmt 9 REQUIRED)
  find_path(PRX_VALIJSON_INCLUDE valijson/adapters/boost_json_adapter.hpp REQUIRED)
endif()
