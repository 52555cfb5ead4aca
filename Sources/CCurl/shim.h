#ifndef BACKLINE_CCURL_SHIM_H
#define BACKLINE_CCURL_SHIM_H

#include <curl/curl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>

// curl_easy_setopt, curl_easy_getinfo and curl_multi_setopt take variable arguments, which Swift
// cannot pass. Each function here fixes the type of the one argument it hands on.

static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_headers(CURL *easy, struct curl_slist *headers) {
    return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
}

// The body is copied: the caller's memory may go away.
static inline CURLcode ccurl_set_body(CURL *easy, const void *bytes, curl_off_t count) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, count);
    return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes) : code;
}

// The body of a POST or PUT, which `read` gives piece by piece.
static inline CURLcode ccurl_set_upload(CURL *easy, curl_read_callback read, void *context, curl_off_t count) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_POST, 1L);
    if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, count);
    if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_READFUNCTION, read);
    if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_READDATA, context);
    return code;
}

// `errors` holds CURL_ERROR_SIZE bytes and outlives the handle.
static inline CURLcode ccurl_set_error_buffer(CURL *easy, char *errors) {
    return curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, errors);
}

// All four callbacks receive `context`, which outlives the handle.
static inline CURLcode ccurl_set_callbacks(
    CURL *easy, curl_write_callback body, curl_write_callback header, curl_prereq_callback prereq,
    curl_sockopt_callback socket, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
    if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
    if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, header);
    if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
    if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, prereq);
    if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
    if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, socket);
    if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_SOCKOPTDATA, context);
    return code;
}

static inline CURLcode ccurl_set_open_socket(CURL *easy, curl_opensocket_callback open, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open);
    return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context) : code;
}

// Copies the address to `bytes`. Returns its length: 4, 16, or 0 for an address of another family.
static inline int ccurl_address(const struct curl_sockaddr *address, unsigned char bytes[16]) {
    if (address->family == AF_INET) {
        memcpy(bytes, &((const struct sockaddr_in *)&address->addr)->sin_addr, 4);
        return 4;
    }
    if (address->family != AF_INET6) return 0;
    memcpy(bytes, &((const struct sockaddr_in6 *)&address->addr)->sin6_addr, 16);
    return 16;
}

// What libcurl does without a callback.
static inline curl_socket_t ccurl_open_socket(const struct curl_sockaddr *address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static inline long ccurl_status(CURL *easy) {
    long status = 0;
    return curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0;
}

// CURL_SOCKET_BAD when the connection of the last transfer is closed already.
static inline curl_socket_t ccurl_active_socket(CURL *easy) {
    curl_socket_t socket = CURL_SOCKET_BAD;
    return curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &socket) == CURLE_OK ? socket : CURL_SOCKET_BAD;
}

static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

static inline CURLcode ccurl_message_result(const CURLMsg *message) {
    return message->data.result;
}

// Disconnects a TCP socket with a reset and drops what its send buffer still holds
// (Linux: connect(2), "dissolve the association").
static inline int ccurl_reset_connection(curl_socket_t socket) {
    struct sockaddr nobody = {.sa_family = AF_UNSPEC};
    return connect(socket, &nobody, sizeof nobody);
}

#endif
