#include "net/curl_http_client.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <vector>

#include "base/mutex.h"
#include "base/strings.h"
#include "net/url.h"

namespace precedent {
namespace {

using SteadyClock = std::chrono::steady_clock;

// How soon a cancel or a deadline is noticed while nothing comes.
constexpr int kPollMilliseconds = 50;
// More than an interactive tool ever has open at once; further ones are closed after use.
constexpr size_t kMaxIdleConnections = 8;
// A server that sends more than this in headers is broken or hostile.
constexpr size_t kMaxHeaderBytes = 256 * 1024;
constexpr long kMaxRedirects = 5;

struct Connection {
  CURLM* multi = curl_multi_init();
  CURL* easy = curl_easy_init();
  Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() {
    if (easy != nullptr) curl_easy_cleanup(easy);
    if (multi != nullptr) curl_multi_cleanup(multi);
  }
};

struct HeaderList {
  curl_slist* list = nullptr;
  HeaderList() = default;
  HeaderList(const HeaderList&) = delete;
  HeaderList& operator=(const HeaderList&) = delete;
  ~HeaderList() { curl_slist_free_all(list); }
};

// What libcurl's callbacks fill in.
struct Transfer {
  const HttpRequest& request;
  const OnHttpBody& on_body;
  std::string host;
  HttpResponse head = {};
  size_t header_bytes = 0, body_bytes = 0;
  bool stopped = false;  // by on_body
  std::optional<Error> failure = std::nullopt;
  SteadyClock::time_point last_sign = SteadyClock::now();
  char curl_message[CURL_ERROR_SIZE] = "";
};

void read_header(Transfer& transfer, std::string_view line) {
  if (line.starts_with("HTTP/")) {  // also after "100 Continue" and after a redirect
    transfer.head = {};
    const size_t space = line.find(' ');
    if (space != std::string_view::npos)
      transfer.head.status = std::atoi(std::string(line.substr(space + 1, 3)).c_str());
    return;
  }
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  transfer.head.headers.push_back(
      {std::string(trim(line.substr(0, colon))), std::string(trim(line.substr(colon + 1)))});
}

size_t on_header(char* data, size_t size, size_t count, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  transfer.last_sign = SteadyClock::now();
  transfer.header_bytes += size * count;
  if (transfer.header_bytes > kMaxHeaderBytes) {
    transfer.failure = Error{ErrorCode::kResourceExhausted,
                             fmt::format("{} sent more than {} KB of headers; is it the right "
                                         "address?",
                                         transfer.host, kMaxHeaderBytes / 1024)};
    return 0;
  }
  read_header(transfer, {data, size * count});
  return size * count;
}

size_t on_write(char* data, size_t size, size_t count, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  transfer.last_sign = SteadyClock::now();
  transfer.body_bytes += size * count;
  if (transfer.body_bytes > transfer.request.max_response_bytes) {
    transfer.failure =
        Error{ErrorCode::kResourceExhausted,
              fmt::format("the response of {} is larger than {} bytes; ask for less or raise the "
                          "limit",
                          transfer.host, transfer.request.max_response_bytes)};
    return 0;
  }
  if (transfer.on_body(transfer.head, {data, size * count})) return size * count;
  transfer.stopped = true;
  return 0;
}

Error curl_error(CURLcode code, const Transfer& transfer) {
  const std::string& host = transfer.host;
  const std::string_view detail =
      transfer.curl_message[0] != '\0' ? transfer.curl_message : curl_easy_strerror(code);
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
      return {ErrorCode::kUnavailable,
              fmt::format("{} cannot be resolved; check the address and the name service", host)};
    case CURLE_COULDNT_RESOLVE_PROXY:
      return {ErrorCode::kUnavailable,
              fmt::format("the proxy towards {} cannot be resolved; check HTTPS_PROXY", host)};
    case CURLE_COULDNT_CONNECT:
      return {ErrorCode::kUnavailable,
              fmt::format("{} refuses connections; is the service running, and is the address "
                          "right?",
                          host)};
    case CURLE_OPERATION_TIMEDOUT:
      return {ErrorCode::kTimeout, fmt::format("connecting to {} took longer than {} ms; check "
                                               "network and proxy",
                                               host, transfer.request.connect_timeout.count())};
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
      return {ErrorCode::kPermission,
              fmt::format("the certificate of {} is not trusted ({}); add its authority to the "
                          "system's or name a bundle in SSL_CERT_FILE",
                          host, detail)};
    case CURLE_SSL_CONNECT_ERROR:
      return {ErrorCode::kUnavailable,
              fmt::format("no TLS connection to {} ({}); is it https at this port?", host, detail)};
    case CURLE_TOO_MANY_REDIRECTS:
      return {
          ErrorCode::kUnavailable,
          fmt::format("{} redirects more than {} times; check the address", host, kMaxRedirects)};
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_URL_MALFORMAT:
      return {ErrorCode::kInvalidArgument,
              fmt::format("the address at {} cannot be used; write it like "
                          "https://api.example.com/v1",
                          host)};
    case CURLE_OUT_OF_MEMORY:
      return {ErrorCode::kResourceExhausted, fmt::format("no memory to talk to {}", host)};
    default:
      return {ErrorCode::kUnavailable,
              fmt::format("the connection to {} broke after {} bytes ({}); try again", host,
                          transfer.body_bytes, detail)};
  }
}

// An error if the transfer should not go on.
std::optional<Error> overdue(const Transfer& transfer, const HttpContext& context) {
  const auto now = SteadyClock::now();
  if (context.cancel.cancelled()) return Error{ErrorCode::kCancelled, "cancelled"};
  if (context.deadline && now >= *context.deadline)
    return Error{ErrorCode::kTimeout,
                 fmt::format("{} did not finish before the deadline; raise the timeout or ask for "
                             "less",
                             transfer.host)};
  const auto stall = transfer.request.stall_timeout;
  if (stall.count() > 0 && now - transfer.last_sign >= stall)
    return Error{
        ErrorCode::kTimeout,
        fmt::format("{} sent nothing for {} ms; raise the stall timeout if it needs longer",
                    transfer.host, stall.count())};
  return std::nullopt;
}

Result<void> check_headers(const HttpRequest& request) {
  for (const HttpHeader& header : request.headers) {
    const auto bad = [](char c) { return c == '\r' || c == '\n' || c == '\0'; };
    if (header.name.empty() || std::ranges::any_of(header.name, bad) || header.name.contains(':') ||
        std::ranges::any_of(header.value, bad))
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("the header '{}' holds a line break or has no valid name; a key read "
                              "from a file may end in one: trim it",
                              header.name.substr(0, header.name.find_first_of("\r\n:"))));
  }
  return {};
}

void set_method(CURL* easy, const HttpRequest& request) {
  const bool has_body = !request.body.empty() || request.method == "POST";
  if (request.method == "HEAD") curl_easy_setopt(easy, CURLOPT_NOBODY, 1L);
  if (has_body) {
    curl_easy_setopt(easy, CURLOPT_POST, 1L);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request.body.data());
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
                     static_cast<curl_off_t>(request.body.size()));
  }
  if (request.method != "GET" && request.method != "HEAD" && request.method != "POST")
    curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request.method.c_str());
}

void set_headers(CURL* easy, const HttpRequest& request, HeaderList& headers) {
  for (const HttpHeader& header : request.headers) {
    // libcurl's spelling of an empty value; "Name:" would remove the header.
    const std::string line =
        header.value.empty() ? header.name + ";" : header.name + ": " + header.value;
    headers.list = curl_slist_append(headers.list, line.c_str());
  }
  // Waiting for "100 Continue" costs a second with servers that never say it.
  headers.list = curl_slist_append(headers.list, "Expect:");
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers.list);
}

void set_options(CURL* easy, const CurlHttpOptions& options, const Url& url, Transfer& transfer) {
  const HttpRequest& request = transfer.request;
  curl_easy_setopt(easy, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS_STR,
                   url.scheme == "https" ? "https" : "http,https");
  curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, request.follow_redirects ? 1L : 0L);
  curl_easy_setopt(easy, CURLOPT_MAXREDIRS, kMaxRedirects);
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS,
                   static_cast<long>(std::max<int64_t>(1, request.connect_timeout.count())));
  curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, &on_header);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, &transfer);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &on_write);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &transfer);
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer.curl_message);
  if (!options.ca_file.empty()) curl_easy_setopt(easy, CURLOPT_CAINFO, options.ca_file.c_str());
  if (is_loopback(url.host)) curl_easy_setopt(easy, CURLOPT_PROXY, "");
}

// Runs the transfer to its end, or to a reason to stop. An error of the multi handle itself is
// ours.
CURLcode run(Connection& connection, Transfer& transfer, const HttpContext& context) {
  curl_multi_add_handle(connection.multi, connection.easy);
  CURLcode code = CURLE_OK;
  for (int running = 1; running > 0;) {
    CURLMcode multi = curl_multi_perform(connection.multi, &running);
    if (!transfer.failure && running > 0) transfer.failure = overdue(transfer, context);
    if (transfer.failure) break;
    if (multi == CURLM_OK && running > 0)
      multi = curl_multi_poll(connection.multi, nullptr, 0, kPollMilliseconds, nullptr);
    if (multi != CURLM_OK) {
      transfer.failure = Error{ErrorCode::kInternal, curl_multi_strerror(multi)};
      break;
    }
  }
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(connection.multi, &left))
    if (message->msg == CURLMSG_DONE) code = message->data.result;
  curl_multi_remove_handle(connection.multi, connection.easy);
  return code;
}

}  // namespace

// Connections that wait for their next use. The most recently used is taken first: it is the most
// likely to be still open.
class CurlHttpClient::Pool {
 public:
  std::unique_ptr<Connection> take() {
    const MutexLock lock(mutex_);
    if (idle_.empty()) return std::make_unique<Connection>();
    auto connection = std::move(idle_.back());
    idle_.pop_back();
    return connection;
  }
  void give_back(std::unique_ptr<Connection> connection) {
    curl_easy_reset(connection->easy);
    const MutexLock lock(mutex_);
    if (idle_.size() < kMaxIdleConnections) idle_.push_back(std::move(connection));
  }

 private:
  Mutex mutex_;
  std::vector<std::unique_ptr<Connection>> idle_ GUARDED_BY(mutex_);
};

CurlHttpOptions CurlHttpOptions::from_environment() {
  CurlHttpOptions options;
  const char* switched_off = std::getenv("PRECEDENT_NO_NETWORK");
  options.loopback_only = switched_off != nullptr && std::string_view(switched_off) == "1";
  if (const char* file = std::getenv("SSL_CERT_FILE")) options.ca_file = file;
  return options;
}

CurlHttpClient::CurlHttpClient(CurlHttpOptions options)
    : options_(std::move(options)), pool_(std::make_unique<Pool>()) {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
}

CurlHttpClient::~CurlHttpClient() = default;

Result<HttpResponse> CurlHttpClient::stream(const HttpRequest& request, const HttpContext& context,
                                            const OnHttpBody& on_body) {
  const Url url = TRY(parse_url(request.url));
  if (options_.loopback_only && !is_loopback(url.host))
    return fail(ErrorCode::kPermission,
                fmt::format("{} is not this machine, and PRECEDENT_NO_NETWORK=1 forbids others; "
                            "unset it to go there",
                            url.shown()));
  TRY(check_headers(request));
  TRY(context.cancel.check());
  auto connection = pool_->take();
  if (connection->easy == nullptr || connection->multi == nullptr)
    return fail(ErrorCode::kResourceExhausted, "no memory for a connection to " + url.shown());
  Transfer transfer{request, on_body, url.shown()};
  HeaderList headers;
  set_options(connection->easy, options_, url, transfer);
  set_method(connection->easy, request);
  set_headers(connection->easy, request, headers);
  if (options_.loopback_only) curl_easy_setopt(connection->easy, CURLOPT_FOLLOWLOCATION, 0L);
  const CURLcode code = run(*connection, transfer, context);
  pool_->give_back(std::move(connection));
  if (transfer.failure) return std::unexpected(std::move(*transfer.failure));
  if (!transfer.stopped && code != CURLE_OK) return std::unexpected(curl_error(code, transfer));
  return std::move(transfer.head);
}

}  // namespace precedent
