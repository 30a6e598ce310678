// Boost.JSON's own code, compiled here once: libprx needs no shared Boost library for it.
#define BOOST_JSON_NO_LIB
#include <boost/json/src.hpp>
