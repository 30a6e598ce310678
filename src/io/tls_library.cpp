#include "io/tls_library.hpp"

#include <dlfcn.h>

#include <optional>

namespace prx::io {
namespace {

constexpr const char* kName = "libssl.so.3";

class Symbols {
 public:
  explicit Symbols(void* library) : library_(library) {}

  template <class Function>
  void find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(::dlsym(library_, name));
    complete_ = complete_ && function != nullptr;
  }
  [[nodiscard]] bool complete() const { return complete_; }

 private:
  void* library_;
  bool complete_ = true;
};

std::optional<TlsLibrary> load() {
  void* library = ::dlopen(kName, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return std::nullopt;
  TlsLibrary tls{};
  Symbols symbols(library);
  symbols.find(tls.client_method, "TLS_client_method");
  symbols.find(tls.context_new, "SSL_CTX_new");
  symbols.find(tls.context_free, "SSL_CTX_free");
  symbols.find(tls.context_control, "SSL_CTX_ctrl");
  symbols.find(tls.context_set_verify, "SSL_CTX_set_verify");
  symbols.find(tls.load_verify_locations, "SSL_CTX_load_verify_locations");
  symbols.find(tls.set_default_verify_paths, "SSL_CTX_set_default_verify_paths");
  symbols.find(tls.use_certificate_chain_file, "SSL_CTX_use_certificate_chain_file");
  symbols.find(tls.use_private_key_file, "SSL_CTX_use_PrivateKey_file");
  symbols.find(tls.connection_new, "SSL_new");
  symbols.find(tls.connection_free, "SSL_free");
  symbols.find(tls.control, "SSL_ctrl");
  symbols.find(tls.set_fd, "SSL_set_fd");
  symbols.find(tls.set_host, "SSL_set1_host");
  symbols.find(tls.verify_parameters, "SSL_get0_param");
  symbols.find(tls.set_ip, "X509_VERIFY_PARAM_set1_ip_asc");
  symbols.find(tls.connect, "SSL_connect");
  symbols.find(tls.read, "SSL_read");
  symbols.find(tls.write, "SSL_write");
  symbols.find(tls.shutdown, "SSL_shutdown");
  symbols.find(tls.get_error, "SSL_get_error");
  symbols.find(tls.verify_result, "SSL_get_verify_result");
  symbols.find(tls.verify_text, "X509_verify_cert_error_string");
  symbols.find(tls.last_error, "ERR_get_error");
  symbols.find(tls.error_text, "ERR_error_string_n");
  symbols.find(tls.clear_errors, "ERR_clear_error");
  if (!symbols.complete()) return std::nullopt;
  return tls;
}

}  // namespace

Result<const TlsLibrary*> load_tls_library() {
  static const auto kLibrary = load();  // never closed: it keeps state of its own
  if (kLibrary) return &*kLibrary;
  return Error{ErrorKind::unavailable,
               "tls",
               kName,
               0,
               "it is not installed, and an encrypted connection needs it",
               "install OpenSSL 3 (Debian: libssl3)"};
}

}  // namespace prx::io
