#pragma once

#include <prx/result.hpp>

namespace prx::io {

// As OpenSSL's own headers declare them.
// NOLINTBEGIN(readability-identifier-naming)
struct ssl_st;
struct ssl_ctx_st;
struct ssl_method_st;
struct X509_VERIFY_PARAM_st;
// NOLINTEND(readability-identifier-naming)

/// The functions of libssl that a client needs, found when the first encrypted connection is made. Not
/// linked: loading it costs every start of prx a millisecond, and few ever need it.
struct TlsLibrary {
  const ssl_method_st* (*client_method)();
  ssl_ctx_st* (*context_new)(const ssl_method_st*);
  void (*context_free)(ssl_ctx_st*);
  long (*context_control)(ssl_ctx_st*, int, long, void*);
  void (*context_set_verify)(ssl_ctx_st*, int, int (*)(int, void*));
  int (*load_verify_locations)(ssl_ctx_st*, const char*, const char*);
  int (*set_default_verify_paths)(ssl_ctx_st*);
  int (*use_certificate_chain_file)(ssl_ctx_st*, const char*);
  int (*use_private_key_file)(ssl_ctx_st*, const char*, int);
  ssl_st* (*connection_new)(ssl_ctx_st*);
  void (*connection_free)(ssl_st*);
  long (*control)(ssl_st*, int, long, void*);
  int (*set_fd)(ssl_st*, int);
  int (*set_host)(ssl_st*, const char*);
  X509_VERIFY_PARAM_st* (*verify_parameters)(ssl_st*);
  int (*set_ip)(X509_VERIFY_PARAM_st*, const char*);
  int (*connect)(ssl_st*);
  int (*read)(ssl_st*, void*, int);
  int (*write)(ssl_st*, const void*, int);
  int (*shutdown)(ssl_st*);
  int (*get_error)(const ssl_st*, int);
  long (*verify_result)(const ssl_st*);
  const char* (*verify_text)(long);
  unsigned long (*last_error)();
  void (*error_text)(unsigned long, char*, std::size_t);
  void (*clear_errors)();
};

/// Error kind unavailable where no libssl 3 is installed.
[[nodiscard]] Result<const TlsLibrary*> load_tls_library();

}  // namespace prx::io
